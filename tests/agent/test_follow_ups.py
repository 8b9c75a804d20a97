"""Follow-ups to what others have done with the branch, its base and its pull request."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from agent_harness import FILES, AgentHarness, git
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
def job(harness: AgentHarness) -> AgentJob:
    """A job whose first turn has added a page."""
    harness.says(write("one.mdx", "One."), FINISH)
    return harness.run("Add a page")


def followed_up(harness: AgentHarness, job: AgentJob, *replies: Reply) -> AgentJob:
    harness.says(*replies)
    harness.follow_up(job, "Go on")
    return harness.ended(job)


def others_change(harness: AgentHarness, branch: str, path: str, text: str) -> None:
    """Somebody else's commit on a branch."""
    harness.git("checkout", "--quiet", branch)
    (harness.repository / path).write_text(text)
    harness.git("add", "--all")
    harness.git("commit", "--quiet", "--message", "Somebody else")
    harness.git("checkout", "--quiet", "main")


def added(harness: AgentHarness, branch: str) -> list[str]:
    """Return the changes in the pull request of the branch."""
    return harness.git("diff", "--name-only", f"main...{branch}").splitlines()


def tool_result(harness: AgentHarness) -> str:
    return next(
        m.text for m in reversed(harness.chat.conversations[-1].messages) if m.role == "tool"
    )


def is_new_one(harness: AgentHarness, before: AgentJob, after: AgentJob) -> bool:
    """Report whether there is a second pull request, which names the first."""
    opened = harness.events(after, "pullRequest")[-1].data
    assert before.pr_link in harness.review(after).body
    return (opened["url"], opened["follows"]) == (after.pr_link, before.pr_link)


def test_what_others_pushed_to_the_branch_is_seen_and_kept(harness: AgentHarness, job) -> None:
    others_change(harness, job.branch, "guides/start.mdx", "Somebody else's words.\n")
    again = followed_up(harness, job, READ, write("two.mdx", "Two."), FINISH)
    messages = harness.chat.conversations[-1].messages
    assert [m.role for m in messages if "Somebody else's words." in m.text] == ["tool"]
    assert again.status is JobStatus.COMPLETED
    assert again.pr_link == job.pr_link
    assert set(added(harness, job.branch)) == {"guides/start.mdx", "one.mdx", "two.mdx"}


def test_a_base_that_moved_is_taken_in_while_the_pull_request_is_open(
    harness: AgentHarness, job
) -> None:
    others_change(harness, "main", "index.mdx", FILES["index.mdx"] + "More.\n")
    look = Reply(calls=(Call("read_file", {"path": "index.mdx"}),))
    again = followed_up(harness, job, look, write("two.mdx", "Two."), FINISH)
    assert (again.status, again.pr_link) == (JobStatus.COMPLETED, job.pr_link)
    assert any("More." in m.text for m in harness.chat.conversations[-1].messages)
    assert set(added(harness, job.branch)) == {"one.mdx", "two.mdx"}
    assert harness.git("merge-base", "main", job.branch) == harness.git("rev-parse", "main")
    assert (
        harness.git(
            "merge-base", "--is-ancestor", harness.agent.turns(job.id)[0].commit, job.branch
        )
        == ""
    )


def test_a_base_that_disagrees_fails_the_turn_and_keeps_the_branch(
    harness: AgentHarness, job
) -> None:
    others_change(harness, "main", "one.mdx", "Quite other words.\n")
    again = followed_up(harness, job, write("two.mdx", "Two."), FINISH)
    turn = harness.last_turn(again)
    assert (again.status, again.pr_link) == (JobStatus.FAILED, job.pr_link)
    assert turn.end.reason is EndReason.PUSH_FAILED
    assert "'main' has changed the same lines in one.mdx meanwhile" in turn.end.error
    assert harness.file(job.branch, "two.mdx").endswith("Two.")
    assert harness.change(again).draft
    assert "Not finished" in harness.review(again).body
    assert harness.events(again, "workspace")[-1].data["conflicts"] == ["one.mdx"]


@pytest.mark.parametrize(
    ("reply", "reason", "answer"),
    [
        (Reply("I'm sorry, but I can't help with that."), EndReason.REFUSED, "I'm sorry"),
        (Reply(status=401, error="Incorrect API key"), EndReason.MODEL_FAILED, None),
    ],
)
def test_a_turn_that_failed_before_any_edit_leaves_the_pull_request(
    harness: AgentHarness, job, reply: Reply, reason: EndReason, answer: str | None
) -> None:
    before, head = harness.review(job), harness.git("rev-parse", job.branch)
    others_change(harness, "main", "index.mdx", FILES["index.mdx"] + "More.\n")
    again = followed_up(harness, job, reply)
    end = harness.last_turn(again).end
    assert (again.status, again.pr_link, end.reason) == (JobStatus.FAILED, job.pr_link, reason)
    assert (end.reply or "").startswith(answer or "")
    assert not harness.change(again).draft
    assert harness.review(again) == before
    assert harness.git("rev-parse", job.branch) == head


def test_the_pull_request_says_what_every_turn_has_done(harness: AgentHarness, job) -> None:
    shorter = Reply(calls=(Call("finish", {"title": "More", "summary": "There are two."}),))
    again = followed_up(harness, job, write("two.mdx", "Two."), shorter)
    again = followed_up(harness, again, Reply("It is done already."))
    body = harness.review(again).body
    assert body.startswith("All of it.\n\nThere are two.\n\n### Files")


@pytest.mark.deep
def test_a_first_turn_that_the_base_disagrees_with_fails_and_keeps_its_branch(
    harness: AgentHarness,
) -> None:
    harness.says(write("one.mdx", "One."), FINISH)
    harness.chat.rules[1].reply = _after(
        lambda: others_change(harness, "main", "one.mdx", "Other words.\n"), FINISH
    )
    job = harness.run("Add a page")
    assert (job.status, job.pr_link) == (JobStatus.FAILED, None)
    assert "the same lines in one.mdx" in harness.last_turn(job).end.error
    assert harness.file(job.branch, "one.mdx").endswith("One.")


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
    harness: AgentHarness, job, how: str, is_deleted: bool
) -> None:
    others_change(harness, "main", "index.mdx", FILES["index.mdx"] + "More.\n")
    options = ("--no-edit", "--no-ff") if how == "merge" else ("--squash",)
    harness.git("merge", "--quiet", *options, job.branch)
    if how == "squash":
        harness.git("commit", "--quiet", "--message", "Squashed")
    if is_deleted:
        harness.git("branch", "--quiet", "-D", job.branch)
    harness.services.forges.reviews.end(harness.review(job).id, ChangeState.MERGED)
    look = Reply(calls=(Call("read_file", {"path": "index.mdx"}),))
    again = followed_up(harness, job, look, write("two.mdx", "Two."), FINISH)
    assert again.status is JobStatus.COMPLETED
    assert any("More." in m.text for m in harness.chat.conversations[-1].messages)
    assert is_new_one(harness, job, again)
    assert harness.git("diff", "--name-only", "main", job.branch).splitlines() == ["two.mdx"]


@pytest.mark.parametrize("is_deleted", [pytest.param(True, marks=pytest.mark.deep), False])
def test_after_a_pull_request_is_closed_another_has_all_the_work(
    harness: AgentHarness, job, is_deleted: bool
) -> None:
    harness.services.forges.reviews.end(harness.review(job).id, ChangeState.CLOSED)
    if is_deleted:
        harness.git("branch", "--quiet", "-D", job.branch)
    again = followed_up(harness, job, write("two.mdx", "Two."), FINISH)
    assert is_new_one(harness, job, again)
    assert set(added(harness, job.branch)) == {"one.mdx", "two.mdx"}


@pytest.mark.deep
def test_a_base_whose_history_is_another_by_now(harness: AgentHarness, job) -> None:
    harness.git("checkout", "--quiet", "--orphan", "other")
    (harness.repository / "index.mdx").write_text(FILES["index.mdx"] + "Another history.\n")
    harness.git("add", "--all")
    harness.git("commit", "--quiet", "--message", "Anew")
    harness.git("branch", "--quiet", "--force", "main", "other")
    harness.git("checkout", "--quiet", "main")
    again = followed_up(harness, job, write("two.mdx", "Two."), FINISH)
    assert (again.status, again.pr_link) == (JobStatus.COMPLETED, job.pr_link)
    assert harness.file(job.branch, "two.mdx").endswith("Two.")


def test_a_deleted_branch_is_made_again(harness: AgentHarness, job) -> None:
    harness.git("branch", "--quiet", "-D", job.branch)
    again = followed_up(harness, job, write("two.mdx", "Two."), FINISH)
    assert (again.status, again.pr_link) == (JobStatus.COMPLETED, job.pr_link)
    assert set(added(harness, job.branch)) == {"one.mdx", "two.mdx"}


def test_a_repository_that_is_gone_is_reported_before_the_model_is_asked(
    harness: AgentHarness, job
) -> None:
    harness.repository.rename(harness.repository.with_name("elsewhere"))
    asked = len(harness.chat.conversations)
    again = followed_up(harness, job, FINISH)
    turn = harness.last_turn(again)
    assert (again.status, turn.end.reason) == (JobStatus.FAILED, EndReason.SOURCE_FAILED)
    assert len(harness.chat.conversations) == asked


def test_unresolved_conflicts_end_on_a_branch_of_their_own(harness: AgentHarness, job) -> None:
    """Commits arrive while the turn is working, after it has fetched."""

    def meanwhile() -> None:
        others_change(harness, job.branch, "one.mdx", "Quite other words.\n")

    harness.says(write("one.mdx", "First words."), *[FINISH] * 9)
    harness.chat.rules[1].reply = _after(meanwhile, FINISH)
    harness.follow_up(job, "Go on")
    again = harness.ended(job)
    turn = harness.last_turn(again)
    assert (again.status, turn.end.reason) == (JobStatus.FAILED, EndReason.PUSH_FAILED)
    kept = harness.git("for-each-ref", "--format=%(refname:short)", f"refs/heads/{job.branch}-*")
    assert kept in turn.end.error
    assert harness.file(kept, "one.mdx").endswith("First words.")
    assert git(harness.repository, "show", f"{job.branch}:one.mdx") == "Quite other words."


def _after(happens, reply: Reply):
    def answer(_: object) -> Reply:
        happens()
        return reply

    return answer


def test_links_of_review_pages_follow_the_base_url(harness: AgentHarness, job: AgentJob) -> None:
    (event,) = harness.events(job, "pullRequest")
    earlier = f"https://earlier.test/docs/changes/{harness.review(job).id}"
    with harness.services.database.transaction() as connection:
        connection.execute(
            update(agent_jobs).where(agent_jobs.c.id == job.id).values(pr_link=earlier)
        )
        connection.execute(
            update(agent_events)
            .where(agent_events.c.job_id == job.id, agent_events.c.kind == "pullRequest")
            .values(data={**event.data, "url": earlier})
        )
    assert harness.job(job).pr_link == job.pr_link
    assert harness.events(job, "pullRequest") == [event]
    followed_up(harness, job, write("two.mdx", "Two."), FINISH)
    body = harness.review(job).body
    assert "Add a page" in body
    assert "Go on" in body
