"""Titles, secrets and servers that are away: from finished work to the pull request."""

from __future__ import annotations

import os
from pathlib import Path

from agent_harness import FILES, AgentHarness
from chat_server import Call, Reply
from docstead.agent.forges.errors import is_git_away
from docstead.agent.forges.forge import ChangeState
from docstead.agent.states import JobStatus
from docstead.agent.turn_ends import EndReason
from docstead.agent.workspace import PushFailed
from docstead.publishing.git import GitFailed
from tenancy_changes import set_source


def write(name: str, text: str = "# New\n") -> Reply:
    return Reply(calls=(Call("write_file", {"path": name, "text": text}),))


def finish(title: str, summary: str = "All of it.") -> Reply:
    return Reply(calls=(Call("finish", {"title": title, "summary": summary}),))


def test_a_pull_request_has_the_title_of_the_turn_that_opened_it(harness: AgentHarness) -> None:
    harness.says(Reply("It is the start page."), write("new.mdx"), finish("Add a page"))
    job = harness.run("Which page is the first?")
    harness.follow_up(job, "Add one after it")
    job = harness.ended(job)
    assert (harness.review(job).title, job.title) == ("Add a page", "Add a page")
    harness.says(write("more.mdx"), finish("Add another page"))
    harness.follow_up(job, "And one more")
    job = harness.ended(job)
    assert harness.review(job).title == "Add a page"


def test_a_new_pull_request_after_a_merge_describes_only_itself(harness: AgentHarness) -> None:
    harness.says(write("new.mdx"), finish("Add a page", "The first change."))
    job = harness.run("Add a page")
    harness.git("merge", "--quiet", "--no-edit", job.branch)
    harness.services.forges.reviews.end(harness.review(job).id, ChangeState.MERGED)
    harness.says(write("two.mdx"), finish("Add the other page", "The second change."))
    harness.follow_up(job, "Add the other one")
    job = harness.ended(job)
    review = harness.review(job)
    assert review.title == "Add the other page"
    assert "The second change." in review.body
    assert "The first change." not in review.body


def test_a_secret_goes_back_to_the_model(harness: AgentHarness) -> None:
    key = "AKIA" + "QWERTYUIOPASDFGH"
    harness.says(
        write("keys.mdx", f"# Keys\n\n`{key}`\n"),
        finish("Add keys"),
        write("keys.mdx", "# Keys\n\n`YOUR_API_KEY`\n"),
        finish("Add a page on keys"),
    )
    job = harness.run("Write of keys")
    assert job.status is JobStatus.COMPLETED
    assert harness.file(job.branch, "keys.mdx") == "# Keys\n\n`YOUR_API_KEY`"
    assert "keys.mdx:3" in harness.chat.conversations[-1].question
    assert key not in harness.git("log", "-p", "--all")


def test_the_prompt_names_further_repositories(harness: AgentHarness) -> None:
    harness.says(Reply("Done."))
    harness.run("Look")
    assert "these repositories" not in harness.chat.conversations[-1].system


def test_git_servers_that_are_away_are_waited_for() -> None:
    said = "fatal: unable to access 'http://x/': The requested URL returned error: 503"
    failed = GitFailed("git failed", printed=said)
    assert is_git_away(failed)
    pushing = PushFailed("http://x: it failed")
    pushing.__context__ = failed
    assert is_git_away(pushing)
    assert not is_git_away(GitFailed("git failed", printed="fatal: repository not found"))


def test_a_source_that_is_away_for_a_moment_is_waited_for(harness: AgentHarness) -> None:
    """Its server answers again while the turn waits."""
    set_source(harness.services.tenancy, harness.project.id, "https://127.0.0.1:9/repository.git")
    job = harness.start("Look")
    harness.until(lambda: harness.events(job, "wait") or harness.events(job, "turn.ended"), bool)
    waits = harness.events(job, "wait")
    assert waits, harness.last_turn(job)
    assert waits[0].data["seconds"] == 2.0
    harness.agent.cancel(job.id)
    assert harness.last_turn(harness.ended(job)).end.reason is EndReason.CANCELLED


def test_clones_of_jobs_that_are_done_are_removed(harness: AgentHarness) -> None:
    harness.says(write("new.mdx"), finish("Add a page"))
    job = harness.run("Add a page")
    clone = harness.services.settings.data / "cache" / "agent" / "jobs" / job.id
    assert harness.agent.remove_old_clones() == 0
    long_ago = 1_000_000_000
    for index in clone.glob("git/docs.index"):
        os.utime(index, (long_ago, long_ago))
    assert harness.agent.remove_old_clones() == 1
    assert not clone.exists()
    harness.says(write("more.mdx"), finish("Add more"))
    harness.follow_up(job, "More")
    assert harness.ended(job).status is JobStatus.COMPLETED
    assert harness.file(job.branch, "new.mdx") == "# New"
    assert harness.file(job.branch, "more.mdx") == "# New"


def test_examples_of_the_project_are_no_secrets(harness: AgentHarness, tmp_path: Path) -> None:
    key = "AKIA" + "QWERTYUIOPASDFGH"
    harness.begin_anew(tmp_path / "other", {**FILES, ".docs/example-secrets.txt": f"{key}\n"})
    harness.says(write("keys.mdx", f"# Keys\n\n`{key}`\n"), finish("Add keys"))
    job = harness.run("Write of keys")
    assert job.status is JobStatus.COMPLETED
    assert key in harness.file(job.branch, "keys.mdx")
    other = "AKIA" + "ZXCVBNMLKJHGFDSA"
    more = Call("write_file", {"path": ".docs/example-secrets.txt", "text": f"{other}\n"})
    harness.says(Reply(calls=(more,)), write("more.mdx", f"`{other}`\n"), finish("Add more"))
    harness.follow_up(job, "More")
    job = harness.ended(job)
    assert harness.last_turn(job).end.reason is EndReason.SECRET_FOUND
