"""Turns that are cancelled while their work is delivered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agent_harness import AgentHarness
from chat_server import Call, Reply
from docstead.agent.states import JobStatus
from docstead.agent.turn_ends import EndReason
from docstead.jobs import JobContext

FINISH = Reply(calls=(Call("finish", {"title": "Done", "summary": "All of it."}),))


def write(path: str) -> Reply:
    return Reply(calls=(Call("write_file", {"path": path, "text": f"# {path}\n"}),))


@pytest.fixture
def cancel_in(harness: AgentHarness, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Cancels the job within its step of a name."""
    run = JobContext.step

    def cancel_in(step: str) -> None:
        def step_of(context: JobContext, name: str, function: Callable[[], Any]) -> Any:
            def cancel_and_run() -> Any:
                harness.agent.cancel(harness.agent._records.turn(context.job_id).job_id)
                return function()

            return run(context, name, cancel_and_run if name == step else function)

        monkeypatch.setattr(JobContext, "step", step_of)

    return cancel_in


@pytest.mark.parametrize("step", ["check 1", "commit", "push", "pull request"])
def test_it_opens_no_pull_request_and_keeps_its_work(
    harness: AgentHarness, cancel_in: Callable[[str], None], step: str
) -> None:
    cancel_in(step)
    harness.says(write("new.mdx"), FINISH)
    job = harness.run("Write")
    assert (job.status, job.pr_link) == (JobStatus.FAILED, None)
    assert harness.last_turn(job).end.reason is EndReason.CANCELLED
    assert harness.file(job.branch, "new.mdx") == "# new.mdx"


def test_a_follow_up_makes_an_open_pull_request_a_draft(
    harness: AgentHarness, cancel_in: Callable[[str], None]
) -> None:
    harness.says(write("new.mdx"), FINISH)
    job = harness.run("Write")
    cancel_in("push")
    harness.says(write("more.mdx"), FINISH)
    harness.follow_up(job, "Write more")
    again = harness.ended(job)
    assert (again.status, again.pr_link) == (JobStatus.FAILED, job.pr_link)
    assert harness.last_turn(job).end.reason is EndReason.CANCELLED
    assert harness.change(job).draft


def test_a_turn_without_changes_fails_too(
    harness: AgentHarness, cancel_in: Callable[[str], None]
) -> None:
    cancel_in("check 1")
    harness.says(Reply("Nothing to do."))
    job = harness.run("Look")
    assert job.status is JobStatus.FAILED
    assert harness.last_turn(job).end.reason is EndReason.CANCELLED
