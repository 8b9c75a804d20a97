"""Pushes of others during a turn: its work is merged with theirs, and checked again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agent_harness import FILES, AgentHarness
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


def says(harness: AgentHarness, *replies: Reply, before: dict[int, Callable[[], None]]) -> None:
    """The replies in turn; something happens while the model is at one of them."""

    def reply(at: int) -> Callable[[object], Reply]:
        def answer(_: object) -> Reply:
            before.get(at, lambda: None)()
            return replies[at]

        return answer

    harness.chat.rules = [Rule(lambda _: True, reply(at), times=1) for at in range(len(replies))]


def others_commit(
    harness: AgentHarness, files: dict[str, str | None], branch: str = "main"
) -> None:
    harness.git("checkout", "--quiet", branch)
    for path, text in files.items():
        (harness.repository / path).unlink(missing_ok=True)
        if text is not None:
            (harness.repository / path).write_text(text)
    harness.git("add", "--all")
    harness.git("commit", "--quiet", "--message", "Somebody else")
    harness.git("checkout", "--quiet", "main")


def others_move_the_start(harness: AgentHarness) -> None:
    settings = FILES["docs.json"].replace("guides/start", "guides/begin")
    moved = {"guides/start.mdx": None, "guides/begin.mdx": FILES["guides/start.mdx"]}
    others_commit(harness, {**moved, "docs.json": settings})


def checks(harness: AgentHarness, job: AgentJob) -> list[bool]:
    return [event.data["ok"] for event in harness.events(job, "check")]


def last_message(harness: AgentHarness) -> str:
    """Return the last message to the model, other than results of tools."""
    return next(m.text for m in harness.chat.conversations[-2].messages[::-1] if m.role == "user")


def test_a_base_that_does_not_go_together_with_the_work_is_reported_and_repaired(
    harness: AgentHarness,
) -> None:
    moves = {1: lambda: others_move_the_start(harness)}
    says(harness, LEADING, FINISH, REPAIRED, FINISH, before=moves)
    job = harness.run("Add a page")
    assert (job.status, checks(harness, job)) == (JobStatus.COMPLETED, [True, False, True])
    assert "/guides/start" in last_message(harness)
    assert "were merged with theirs" in last_message(harness)
    assert not harness.change(job).draft
    assert len(harness.events(job, "pullRequest")) == 1
    assert "See [the start]" in harness.file(job.branch, "one.mdx")
    assert harness.git("merge-base", "main", job.branch) == harness.git("rev-parse", "main")


def test_what_is_not_repaired_is_a_draft_that_says_what_is_wrong(harness: AgentHarness) -> None:
    moves = {1: lambda: others_move_the_start(harness)}
    says(harness, LEADING, *[FINISH] * 4, before=moves)
    job = harness.run("Add a page")
    assert job.status is JobStatus.COMPLETED
    assert harness.change(job).draft
    assert "one.mdx" in harness.review(job).body.split("### Checks")[1]


def test_a_base_that_goes_together_with_the_work_is_only_looked_at(harness: AgentHarness) -> None:
    more = {1: lambda: others_commit(harness, {"index.mdx": FILES["index.mdx"] + "More.\n"})}
    says(harness, LEADING, FINISH, before=more)
    job = harness.run("Add a page")
    assert (job.status, checks(harness, job)) == (JobStatus.COMPLETED, [True, True])
    assert len(harness.chat.conversations) == 2


@pytest.mark.deep
def test_what_stands_at_the_base_directly_was_looked_at_before(harness: AgentHarness) -> None:
    harness.git("config", "receive.denyCurrentBranch", "ignore")
    chosen = ProjectSettings(delivery=Delivery.PUSH)
    harness.services.forges.settings.save(harness.project.id, chosen)
    moves = {1: lambda: others_move_the_start(harness)}
    says(harness, LEADING, FINISH, REPAIRED, FINISH, before=moves)
    job = harness.run("Add a page")
    assert (job.status, job.pr_link) == (JobStatus.COMPLETED, None)
    assert "See [the start]" in harness.file("main", "one.mdx")
    pushes = harness.events(job, "push")
    assert [each.data["branch"] for each in pushes] == [job.branch, "main"]
    assert "find errors" in pushes[0].data["note"]


def disagreeing(harness: AgentHarness) -> None:
    others_commit(harness, {"guides/start.mdx": START.replace("first", "before all else")})


MINE = write("guides/start.mdx", START.replace("first", "at once"))
BOTH = write("guides/start.mdx", START.replace("first", "at once, before all else"))


def test_a_base_that_disagrees_is_shown_to_the_model_which_resolves_it(
    harness: AgentHarness,
) -> None:
    says(harness, MINE, FINISH, BOTH, FINISH, before={1: lambda: disagreeing(harness)})
    job = harness.run("Say it otherwise")
    assert job.status is JobStatus.COMPLETED, harness.last_turn(job).end.error
    assert "guides/start.mdx" in last_message(harness)
    conflict = harness.events(job, "conflict")[0].data
    assert (conflict["branch"], conflict["files"]) == ("main", ["guides/start.mdx"])
    assert "at once, before all else" in harness.file(job.branch, "guides/start.mdx")
    assert harness.git("merge-base", "main", job.branch) == harness.git("rev-parse", "main")
    assert not harness.change(job).draft
    assert harness.git("diff", "--name-only", f"main...{job.branch}") == "guides/start.mdx"


@pytest.mark.deep
def test_both_versions_are_read_between_marks(harness: AgentHarness) -> None:
    read = Reply(calls=(Call("read_file", {"path": "guides/start.mdx"}),))
    says(harness, MINE, FINISH, read, BOTH, FINISH, before={1: lambda: disagreeing(harness)})
    harness.run("Say it otherwise")
    shown = next(m.text for m in harness.chat.conversations[3].messages[::-1] if m.role == "tool")
    mine, theirs = shown.partition("<<<<<<< ")[2].split("=======")
    assert "at once" in mine
    assert "before all else" in theirs.split(">>>>>>> ")[0]


@pytest.mark.deep
def test_only_theirs_is_an_answer_too(harness: AgentHarness) -> None:
    theirs = write("guides/start.mdx", START.replace("first", "before all else"))
    says(harness, MINE, LEADING, FINISH, theirs, FINISH, before={2: lambda: disagreeing(harness)})
    job = harness.run("Say it otherwise")
    assert job.status is JobStatus.COMPLETED
    assert harness.git("diff", "--name-only", f"main...{job.branch}") == "one.mdx"


def test_what_is_not_resolved_fails_clearly_and_keeps_the_branch(harness: AgentHarness) -> None:
    says(harness, MINE, *[FINISH] * 9, before={1: lambda: disagreeing(harness)})
    job = harness.run("Say it otherwise")
    turn = harness.last_turn(job)
    assert (job.status, turn.end.reason) == (JobStatus.FAILED, EndReason.PUSH_FAILED)
    assert "'main' has changed the same lines in guides/start.mdx" in turn.end.error
    kept = harness.file(job.branch, "guides/start.mdx")
    assert "at once" in kept
    assert "<<<" not in kept
    again = followed_up(harness, job)
    assert again.status is JobStatus.COMPLETED
    assert "at once, before all else" in harness.file(job.branch, "guides/start.mdx")


def followed_up(harness: AgentHarness, job: AgentJob) -> AgentJob:
    """The next turn resolves it after all."""
    extra = write("guides/start.mdx", START.replace("first", "at once, please"))
    says(harness, extra, FINISH, BOTH, FINISH, before={})
    harness.follow_up(job, "Try again")
    return harness.ended(job)


def test_a_deleted_page_that_others_changed_is_resolved(harness: AgentHarness) -> None:
    gone = Reply(
        calls=(
            Call("navigation", {"action": "remove", "page": "guides/start"}, "a"),
            Call("delete_file", {"path": "guides/start.mdx"}, "b"),
        )
    )
    delete = Reply(calls=(Call("delete_file", {"path": "guides/start.mdx"}),))
    says(harness, gone, FINISH, delete, FINISH, before={1: lambda: disagreeing(harness)})
    job = harness.run("Take the start away")
    assert job.status is JobStatus.COMPLETED, harness.last_turn(job).end.error
    assert "guides/start.mdx" not in harness.git("ls-tree", "-r", "--name-only", job.branch)
    assert harness.git("merge-base", "main", job.branch) == harness.git("rev-parse", "main")


@pytest.mark.deep
def test_a_follow_up_without_edits_of_its_own_resolves_what_the_base_disagrees_about(
    harness: AgentHarness,
) -> None:
    says(harness, MINE, FINISH, before={})
    job = harness.run("Say it otherwise")
    disagreeing(harness)
    says(harness, FINISH, BOTH, FINISH, before={})
    harness.follow_up(job, "Settle the conflicts with main")
    again = harness.ended(job)
    assert (again.status, again.pr_link) == (JobStatus.COMPLETED, job.pr_link)
    assert "at once, before all else" in harness.file(job.branch, "guides/start.mdx")
    assert not harness.review(again).draft


@pytest.mark.deep
def test_a_question_about_a_change_that_disagrees_is_answered_all_the_same(
    harness: AgentHarness,
) -> None:
    says(harness, MINE, FINISH, before={})
    job = harness.run("Say it otherwise")
    disagreeing(harness)
    says(harness, *[Reply("I said it otherwise.")] * 9, before={})
    harness.follow_up(job, "What did you do?")
    again = harness.ended(job)
    assert again.status is JobStatus.COMPLETED
    assert "<<<" not in harness.file(job.branch, "guides/start.mdx")


def on_branch(harness: AgentHarness, job: AgentJob) -> None:
    """Somebody pushes to the job's own branch."""
    text = START.replace("first", "before all else")
    others_commit(harness, {"guides/start.mdx": text}, job.branch)


def branches(harness: AgentHarness, job: AgentJob) -> list[str]:
    listed = harness.git("for-each-ref", "--format=%(refname:short)", f"refs/heads/{job.branch}*")
    return listed.split()


@pytest.fixture
def job(harness: AgentHarness) -> AgentJob:
    """A job with a pull request."""
    says(harness, LEADING, FINISH, before={})
    return harness.run("Add a page")


def test_a_push_of_others_to_the_branch_itself_is_shown_and_resolved(
    harness: AgentHarness, job: AgentJob
) -> None:
    says(harness, MINE, FINISH, BOTH, FINISH, before={1: lambda: on_branch(harness, job)})
    harness.follow_up(job, "Say it otherwise")
    again = harness.ended(job)
    assert (again.status, again.pr_link) == (JobStatus.COMPLETED, job.pr_link)
    conflict = harness.events(job, "conflict")[0].data
    assert (conflict["branch"], conflict["files"]) == (job.branch, ["guides/start.mdx"])
    assert f"on the branch '{job.branch}'" in last_message(harness)
    assert "at once, before all else" in harness.file(job.branch, "guides/start.mdx")
    assert "Somebody else" in harness.git("log", "--format=%s", job.branch)
    assert branches(harness, job) == [job.branch]
    assert not harness.change(job).draft


def test_what_a_turn_did_not_resolve_the_next_one_does(
    harness: AgentHarness, job: AgentJob
) -> None:
    says(harness, MINE, *[FINISH] * 9, before={1: lambda: on_branch(harness, job)})
    harness.follow_up(job, "Say it otherwise")
    failed = harness.ended(job)
    assert failed.status is JobStatus.FAILED
    assert "at once" in harness.file(branches(harness, job)[1], "guides/start.mdx")
    says(harness, FINISH, BOTH, FINISH, before={})
    harness.follow_up(job, "Make both agree")
    again = harness.ended(job)
    assert (again.status, again.pr_link) == (JobStatus.COMPLETED, job.pr_link)
    assert "at once, before all else" in harness.file(job.branch, "guides/start.mdx")
    assert branches(harness, job) == [job.branch]
