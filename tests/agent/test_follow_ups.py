"""Follow-ups to what others have done with the branch, its base and its pull request."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from agent_house import FILES, AgentHouse, git
from chat_server import Call, Reply
from docstead.agent.forges.forge import ChangeState
from docstead.agent.states import JobStatus
from docstead.agent.turn_ends import EndReason
from docstead.agent.values import AgentJob
from docstead.storage.schema import agent_events, agent_jobs

FINISH = Reply(calls=(Call("finish", {"title": "Done", "summary": "All of it."}),))
READ = Reply(calls=(Call("read_file", {"path": "guides/start.mdx"}),))


def write(path: str, text: str) -> Reply:
    page = f'---\ntitle: "{path}"\ndescription: "x"\n---\n\n{text}\n'
    return Reply(calls=(Call("write_file", {"path": path, "text": page}),))


@pytest.fixture
def job(house: AgentHouse) -> AgentJob:
    """A job whose first turn has added a page."""
    house.says(write("one.mdx", "One."), FINISH)
    return house.run("Add a page")


def followed_up(house: AgentHouse, job: AgentJob, *replies: Reply) -> AgentJob:
    house.says(*replies)
    house.follow_up(job, "Go on")
    return house.ended(job)


def others_change(house: AgentHouse, branch: str, path: str, text: str) -> None:
    """Somebody else's commit on a branch."""
    house.git("checkout", "--quiet", branch)
    (house.repository / path).write_text(text)
    house.git("add", "--all")
    house.git("commit", "--quiet", "--message", "Somebody else")
    house.git("checkout", "--quiet", "main")


def added(house: AgentHouse, branch: str) -> list[str]:
    """Return the changes in the pull request of the branch."""
    return house.git("diff", "--name-only", f"main...{branch}").splitlines()


def tool_result(house: AgentHouse) -> str:
    return next(m.text for m in reversed(house.chat.conversations[-1].messages) if m.role == "tool")


def is_new_one(house: AgentHouse, before: AgentJob, after: AgentJob) -> bool:
    """Report whether there is a second pull request, which names the first."""
    opened = house.events(after, "pullRequest")[-1].data
    assert before.pr_link in house.review(after).body
    return (opened["url"], opened["follows"]) == (after.pr_link, before.pr_link)


def test_what_others_pushed_to_the_branch_is_seen_and_kept(house: AgentHouse, job) -> None:
    others_change(house, job.branch, "guides/start.mdx", "Somebody else's words.\n")
    again = followed_up(house, job, READ, write("two.mdx", "Two."), FINISH)
    assert "Somebody else's words." in tool_result(house) or any(
        "Somebody else's words." in m.text for m in house.chat.conversations[-1].messages
    )
    assert again.status is JobStatus.COMPLETED
    assert again.pr_link == job.pr_link
    assert set(added(house, job.branch)) == {"guides/start.mdx", "one.mdx", "two.mdx"}


def test_a_base_that_moved_is_taken_in_while_the_pull_request_is_open(
    house: AgentHouse, job
) -> None:
    others_change(house, "main", "index.mdx", FILES["index.mdx"] + "More.\n")
    look = Reply(calls=(Call("read_file", {"path": "index.mdx"}),))
    again = followed_up(house, job, look, write("two.mdx", "Two."), FINISH)
    assert (again.status, again.pr_link) == (JobStatus.COMPLETED, job.pr_link)
    assert any("More." in m.text for m in house.chat.conversations[-1].messages)
    assert set(added(house, job.branch)) == {"one.mdx", "two.mdx"}
    assert house.git("merge-base", "main", job.branch) == house.git("rev-parse", "main")
    assert (
        house.git("merge-base", "--is-ancestor", house.agent.turns(job.id)[0].commit, job.branch)
        == ""
    )


def test_a_base_that_disagrees_fails_the_turn_and_keeps_the_branch(house: AgentHouse, job) -> None:
    others_change(house, "main", "one.mdx", "Quite other words.\n")
    again = followed_up(house, job, write("two.mdx", "Two."), FINISH)
    turn = house.last_turn(again)
    assert (again.status, again.pr_link) == (JobStatus.FAILED, job.pr_link)
    assert turn.end.reason is EndReason.PUSH_FAILED
    assert "'main' has changed the same lines in one.mdx meanwhile" in turn.end.error
    assert house.file(job.branch, "two.mdx").endswith("Two.")
    assert house.change(again).draft
    assert "Not finished" in house.review(again).body
    assert house.events(again, "workspace")[-1].data["conflicts"] == ["one.mdx"]


def test_the_pull_request_says_what_every_turn_has_done(house: AgentHouse, job) -> None:
    shorter = Reply(calls=(Call("finish", {"title": "More", "summary": "There are two."}),))
    again = followed_up(house, job, write("two.mdx", "Two."), shorter)
    again = followed_up(house, again, Reply("It is done already."))
    body = house.review(again).body
    assert body.startswith("All of it.\n\nThere are two.\n\n### Files")


@pytest.mark.deep
def test_a_first_turn_that_the_base_disagrees_with_fails_and_keeps_its_branch(
    house: AgentHouse,
) -> None:
    house.says(write("one.mdx", "One."), FINISH)
    house.chat.rules[1].reply = _after(
        lambda: others_change(house, "main", "one.mdx", "Other words.\n"), FINISH
    )
    job = house.run("Add a page")
    assert (job.status, job.pr_link) == (JobStatus.FAILED, None)
    assert "the same lines in one.mdx" in house.last_turn(job).end.error
    assert house.file(job.branch, "one.mdx").endswith("One.")


@pytest.mark.parametrize(
    ("how", "is_deleted"),
    [
        pytest.param("merge", True, marks=pytest.mark.deep),
        pytest.param("merge", False, marks=pytest.mark.deep),
        ("squash", True),
        pytest.param("squash", False, marks=pytest.mark.deep),
    ],
)
def test_after_a_merge_the_next_turn_begins_at_the_base(
    house: AgentHouse, job, how: str, is_deleted: bool
) -> None:
    others_change(house, "main", "index.mdx", FILES["index.mdx"] + "More.\n")
    options = ("--no-edit", "--no-ff") if how == "merge" else ("--squash",)
    house.git("merge", "--quiet", *options, job.branch)
    if how == "squash":
        house.git("commit", "--quiet", "--message", "Squashed")
    if is_deleted:
        house.git("branch", "--quiet", "-D", job.branch)
    house.services.forges.reviews.end(house.review(job).id, ChangeState.MERGED)
    look = Reply(calls=(Call("read_file", {"path": "index.mdx"}),))
    again = followed_up(house, job, look, write("two.mdx", "Two."), FINISH)
    assert again.status is JobStatus.COMPLETED
    assert any("More." in m.text for m in house.chat.conversations[-1].messages)
    assert is_new_one(house, job, again)
    assert house.git("diff", "--name-only", "main", job.branch).splitlines() == ["two.mdx"]


@pytest.mark.parametrize("is_deleted", [pytest.param(True, marks=pytest.mark.deep), False])
def test_after_a_pull_request_is_closed_another_has_all_the_work(
    house: AgentHouse, job, is_deleted: bool
) -> None:
    house.services.forges.reviews.end(house.review(job).id, ChangeState.CLOSED)
    if is_deleted:
        house.git("branch", "--quiet", "-D", job.branch)
    again = followed_up(house, job, write("two.mdx", "Two."), FINISH)
    assert is_new_one(house, job, again)
    assert set(added(house, job.branch)) == {"one.mdx", "two.mdx"}


@pytest.mark.deep
def test_a_base_whose_history_is_another_by_now(house: AgentHouse, job) -> None:
    house.git("checkout", "--quiet", "--orphan", "other")
    (house.repository / "index.mdx").write_text(FILES["index.mdx"] + "Another history.\n")
    house.git("add", "--all")
    house.git("commit", "--quiet", "--message", "Anew")
    house.git("branch", "--quiet", "--force", "main", "other")
    house.git("checkout", "--quiet", "main")
    again = followed_up(house, job, write("two.mdx", "Two."), FINISH)
    assert (again.status, again.pr_link) == (JobStatus.COMPLETED, job.pr_link)
    assert house.file(job.branch, "two.mdx").endswith("Two.")


def test_a_deleted_branch_is_made_again(house: AgentHouse, job) -> None:
    house.git("branch", "--quiet", "-D", job.branch)
    again = followed_up(house, job, write("two.mdx", "Two."), FINISH)
    assert (again.status, again.pr_link) == (JobStatus.COMPLETED, job.pr_link)
    assert set(added(house, job.branch)) == {"one.mdx", "two.mdx"}


def test_a_repository_that_is_gone_is_told_before_the_model_is_asked(
    house: AgentHouse, job
) -> None:
    house.repository.rename(house.repository.with_name("elsewhere"))
    asked = len(house.chat.conversations)
    again = followed_up(house, job, FINISH)
    turn = house.last_turn(again)
    assert (again.status, turn.end.reason) == (JobStatus.FAILED, EndReason.SOURCE_FAILED)
    assert len(house.chat.conversations) == asked


def test_conflicting_words_that_nobody_settles_end_on_a_branch_of_their_own(
    house: AgentHouse, job
) -> None:
    """Commits arrive while the turn is working, after it has fetched."""

    def meanwhile() -> None:
        others_change(house, job.branch, "one.mdx", "Quite other words.\n")

    house.says(write("one.mdx", "First words."), *[FINISH] * 9)
    house.chat.rules[1].reply = _after(meanwhile, FINISH)
    house.follow_up(job, "Go on")
    again = house.ended(job)
    turn = house.last_turn(again)
    assert (again.status, turn.end.reason) == (JobStatus.FAILED, EndReason.PUSH_FAILED)
    kept = house.git("for-each-ref", "--format=%(refname:short)", f"refs/heads/{job.branch}-*")
    assert kept in turn.end.error
    assert house.file(kept, "one.mdx").endswith("First words.")
    assert git(house.repository, "show", f"{job.branch}:one.mdx") == "Quite other words."


def _after(happens, reply: Reply):
    def answer(_: object) -> Reply:
        happens()
        return reply

    return answer


def test_links_of_review_pages_follow_the_base_url(house: AgentHouse, job: AgentJob) -> None:
    (event,) = house.events(job, "pullRequest")
    earlier = f"https://earlier.test/docs/changes/{house.review(job).id}"
    with house.services.database.transaction() as connection:
        connection.execute(
            update(agent_jobs).where(agent_jobs.c.id == job.id).values(pr_link=earlier)
        )
        connection.execute(
            update(agent_events)
            .where(agent_events.c.job_id == job.id, agent_events.c.kind == "pullRequest")
            .values(data={**event.data, "url": earlier})
        )
    assert house.job(job).pr_link == job.pr_link
    assert house.events(job, "pullRequest") == [event]
    followed_up(house, job, write("two.mdx", "Two."), FINISH)
    body = house.review(job).body
    assert "Add a page" in body
    assert "Go on" in body
