"""Pushes of others during a turn: its work is merged with theirs, and checked again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agent_house import FILES, AgentHouse
from chat_server import Call, Reply, Rule
from docstead.agent.forges.project_settings import Delivery, ProjectSettings
from docstead.agent.states import JobStatus
from docstead.agent.turn_ends import EndReason
from docstead.agent.values import AgentJob

FINISH = Reply(calls=(Call("finish", {"title": "Done", "summary": "All of it."}),))
HEAD = '---\ntitle: "Page"\ndescription: "x"\n---\n\n'
START = HEAD + "Read the [welcome](/index) first.\n"


def write(path: str, text: str) -> Reply:
    return Reply(calls=(Call("write_file", {"path": path, "text": text}),))


LEADING = write("one.mdx", HEAD + "See [start](/guides/start).\n")
REPAIRED = write("one.mdx", HEAD + "See [the start](/guides/begin).\n")


def says(house: AgentHouse, *replies: Reply, before: dict[int, Callable[[], None]]) -> None:
    """The replies in turn; something happens while the model is at one of them."""

    def reply(at: int) -> Callable[[object], Reply]:
        def answer(_: object) -> Reply:
            before.get(at, lambda: None)()
            return replies[at]

        return answer

    house.chat.rules = [Rule(lambda _: True, reply(at), times=1) for at in range(len(replies))]


def others_commit(house: AgentHouse, files: dict[str, str | None], branch: str = "main") -> None:
    house.git("checkout", "--quiet", branch)
    for path, text in files.items():
        (house.repository / path).unlink(missing_ok=True)
        if text is not None:
            (house.repository / path).write_text(text)
    house.git("add", "--all")
    house.git("commit", "--quiet", "--message", "Somebody else")
    house.git("checkout", "--quiet", "main")


def others_move_the_start(house: AgentHouse) -> None:
    settings = FILES["docs.json"].replace("guides/start", "guides/begin")
    moved = {"guides/start.mdx": None, "guides/begin.mdx": FILES["guides/start.mdx"]}
    others_commit(house, {**moved, "docs.json": settings})


def checks(house: AgentHouse, job: AgentJob) -> list[bool]:
    return [event.data["ok"] for event in house.events(job, "check")]


def last_told(house: AgentHouse) -> str:
    """Return the last message to the model, other than results of tools."""
    return next(m.text for m in house.chat.conversations[-2].messages[::-1] if m.role == "user")


def test_a_base_that_does_not_go_together_with_the_work_is_told_and_repaired(
    house: AgentHouse,
) -> None:
    moves = {1: lambda: others_move_the_start(house)}
    says(house, LEADING, FINISH, REPAIRED, FINISH, before=moves)
    job = house.run("Add a page")
    assert (job.status, checks(house, job)) == (JobStatus.COMPLETED, [True, False, True])
    assert "/guides/start" in last_told(house)
    assert "were merged with theirs" in last_told(house)
    assert not house.change(job).draft
    assert len(house.events(job, "pullRequest")) == 1
    assert "See [the start]" in house.file(job.branch, "one.mdx")
    assert house.git("merge-base", "main", job.branch) == house.git("rev-parse", "main")


def test_what_is_not_repaired_is_a_draft_that_says_what_is_wrong(house: AgentHouse) -> None:
    moves = {1: lambda: others_move_the_start(house)}
    says(house, LEADING, *[FINISH] * 4, before=moves)
    job = house.run("Add a page")
    assert job.status is JobStatus.COMPLETED
    assert house.change(job).draft
    assert "one.mdx" in house.review(job).body.split("### Checks")[1]


def test_a_base_that_goes_together_with_the_work_is_only_looked_at(house: AgentHouse) -> None:
    more = {1: lambda: others_commit(house, {"index.mdx": FILES["index.mdx"] + "More.\n"})}
    says(house, LEADING, FINISH, before=more)
    job = house.run("Add a page")
    assert (job.status, checks(house, job)) == (JobStatus.COMPLETED, [True, True])
    assert len(house.chat.conversations) == 2


@pytest.mark.deep
def test_what_stands_at_the_base_directly_was_looked_at_before(house: AgentHouse) -> None:
    house.git("config", "receive.denyCurrentBranch", "ignore")
    chosen = ProjectSettings(delivery=Delivery.PUSH)
    house.services.forges.settings.save(house.project.id, chosen)
    moves = {1: lambda: others_move_the_start(house)}
    says(house, LEADING, FINISH, REPAIRED, FINISH, before=moves)
    job = house.run("Add a page")
    assert (job.status, job.pr_link) == (JobStatus.COMPLETED, None)
    assert "See [the start]" in house.file("main", "one.mdx")
    pushes = house.events(job, "push")
    assert [each.data["branch"] for each in pushes] == [job.branch, "main"]
    assert "find faults" in pushes[0].data["note"]


def disagreeing(house: AgentHouse) -> None:
    others_commit(house, {"guides/start.mdx": START.replace("first", "before all else")})


MINE = write("guides/start.mdx", START.replace("first", "at once"))
BOTH = write("guides/start.mdx", START.replace("first", "at once, before all else"))


def test_a_base_that_disagrees_is_shown_to_the_model_which_settles_it(house: AgentHouse) -> None:
    says(house, MINE, FINISH, BOTH, FINISH, before={1: lambda: disagreeing(house)})
    job = house.run("Say it otherwise")
    assert job.status is JobStatus.COMPLETED, house.last_turn(job).end.error
    assert "guides/start.mdx" in last_told(house)
    told = house.events(job, "conflict")[0].data
    assert (told["branch"], told["files"]) == ("main", ["guides/start.mdx"])
    assert "at once, before all else" in house.file(job.branch, "guides/start.mdx")
    assert house.git("merge-base", "main", job.branch) == house.git("rev-parse", "main")
    assert not house.change(job).draft
    assert house.git("diff", "--name-only", f"main...{job.branch}") == "guides/start.mdx"


@pytest.mark.deep
def test_both_sides_are_read_between_marks(house: AgentHouse) -> None:
    read = Reply(calls=(Call("read_file", {"path": "guides/start.mdx"}),))
    says(house, MINE, FINISH, read, BOTH, FINISH, before={1: lambda: disagreeing(house)})
    house.run("Say it otherwise")
    shown = next(m.text for m in house.chat.conversations[3].messages[::-1] if m.role == "tool")
    mine, theirs = shown.partition("<<<<<<< ")[2].split("=======")
    assert "at once" in mine
    assert "before all else" in theirs.split(">>>>>>> ")[0]


@pytest.mark.deep
def test_theirs_alone_is_an_answer_too(house: AgentHouse) -> None:
    theirs = write("guides/start.mdx", START.replace("first", "before all else"))
    says(house, MINE, LEADING, FINISH, theirs, FINISH, before={2: lambda: disagreeing(house)})
    job = house.run("Say it otherwise")
    assert job.status is JobStatus.COMPLETED
    assert house.git("diff", "--name-only", f"main...{job.branch}") == "one.mdx"


def test_what_is_not_settled_fails_clearly_and_keeps_the_branch(house: AgentHouse) -> None:
    says(house, MINE, *[FINISH] * 9, before={1: lambda: disagreeing(house)})
    job = house.run("Say it otherwise")
    turn = house.last_turn(job)
    assert (job.status, turn.end.reason) == (JobStatus.FAILED, EndReason.PUSH_FAILED)
    assert "'main' has changed the same lines in guides/start.mdx" in turn.end.error
    kept = house.file(job.branch, "guides/start.mdx")
    assert "at once" in kept
    assert "<<<" not in kept
    again = followed_up(house, job)
    assert again.status is JobStatus.COMPLETED
    assert "at once, before all else" in house.file(job.branch, "guides/start.mdx")


def followed_up(house: AgentHouse, job: AgentJob) -> AgentJob:
    """The next turn resolves it after all."""
    extra = write("guides/start.mdx", START.replace("first", "at once, please"))
    says(house, extra, FINISH, BOTH, FINISH, before={})
    house.follow_up(job, "Try again")
    return house.ended(job)


def test_a_deleted_page_that_others_changed_is_settled(house: AgentHouse) -> None:
    gone = Reply(
        calls=(
            Call("navigation", {"action": "remove", "page": "guides/start"}, "a"),
            Call("delete_file", {"path": "guides/start.mdx"}, "b"),
        )
    )
    delete = Reply(calls=(Call("delete_file", {"path": "guides/start.mdx"}),))
    says(house, gone, FINISH, delete, FINISH, before={1: lambda: disagreeing(house)})
    job = house.run("Take the start away")
    assert job.status is JobStatus.COMPLETED, house.last_turn(job).end.error
    assert "guides/start.mdx" not in house.git("ls-tree", "-r", "--name-only", job.branch)
    assert house.git("merge-base", "main", job.branch) == house.git("rev-parse", "main")


@pytest.mark.deep
def test_a_follow_up_without_edits_of_its_own_settles_what_the_base_disagrees_about(
    house: AgentHouse,
) -> None:
    says(house, MINE, FINISH, before={})
    job = house.run("Say it otherwise")
    disagreeing(house)
    says(house, FINISH, BOTH, FINISH, before={})
    house.follow_up(job, "Settle the conflicts with main")
    again = house.ended(job)
    assert (again.status, again.pr_link) == (JobStatus.COMPLETED, job.pr_link)
    assert "at once, before all else" in house.file(job.branch, "guides/start.mdx")
    assert not house.review(again).draft


@pytest.mark.deep
def test_a_question_about_a_change_that_disagrees_is_answered_all_the_same(
    house: AgentHouse,
) -> None:
    says(house, MINE, FINISH, before={})
    job = house.run("Say it otherwise")
    disagreeing(house)
    says(house, *[Reply("I said it otherwise.")] * 9, before={})
    house.follow_up(job, "What did you do?")
    again = house.ended(job)
    assert again.status is JobStatus.COMPLETED
    assert "<<<" not in house.file(job.branch, "guides/start.mdx")


def on_branch(house: AgentHouse, job: AgentJob) -> None:
    """Somebody pushes to the job's own branch."""
    text = START.replace("first", "before all else")
    others_commit(house, {"guides/start.mdx": text}, job.branch)


def branches(house: AgentHouse, job: AgentJob) -> list[str]:
    listed = house.git("for-each-ref", "--format=%(refname:short)", f"refs/heads/{job.branch}*")
    return listed.split()


@pytest.fixture
def job(house: AgentHouse) -> AgentJob:
    """A job with a pull request."""
    says(house, LEADING, FINISH, before={})
    return house.run("Add a page")


def test_a_push_of_others_to_the_branch_itself_is_shown_and_settled(
    house: AgentHouse, job: AgentJob
) -> None:
    says(house, MINE, FINISH, BOTH, FINISH, before={1: lambda: on_branch(house, job)})
    house.follow_up(job, "Say it otherwise")
    again = house.ended(job)
    assert (again.status, again.pr_link) == (JobStatus.COMPLETED, job.pr_link)
    told = house.events(job, "conflict")[0].data
    assert (told["branch"], told["files"]) == (job.branch, ["guides/start.mdx"])
    assert f"on the branch '{job.branch}'" in last_told(house)
    assert "at once, before all else" in house.file(job.branch, "guides/start.mdx")
    assert "Somebody else" in house.git("log", "--format=%s", job.branch)
    assert branches(house, job) == [job.branch]
    assert not house.change(job).draft


def test_what_a_turn_did_not_settle_the_next_one_does(house: AgentHouse, job: AgentJob) -> None:
    says(house, MINE, *[FINISH] * 9, before={1: lambda: on_branch(house, job)})
    house.follow_up(job, "Say it otherwise")
    failed = house.ended(job)
    assert failed.status is JobStatus.FAILED
    assert "at once" in house.file(branches(house, job)[1], "guides/start.mdx")
    says(house, FINISH, BOTH, FINISH, before={})
    house.follow_up(job, "Make both agree")
    again = house.ended(job)
    assert (again.status, again.pr_link) == (JobStatus.COMPLETED, job.pr_link)
    assert "at once, before all else" in house.file(job.branch, "guides/start.mdx")
    assert branches(house, job) == [job.branch]
