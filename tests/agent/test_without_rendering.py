"""A job in a harness whose pages cannot be rendered.

Not among the tests of the shared harness: a process has one runner of jobs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from agent_harness import AgentHarness, agent_harness
from builds import TASKS
from chat_server import Call, Reply, chat_server
from docstead.agent.states import JobStatus
from docstead.publishing.builders import ForkServer
from docstead.rendering import EngineLimits
from docstead.rendering.process import Worker

FINISH = Reply(calls=(Call("finish", {"title": "Done", "summary": "All of it."}),))


class WorkerPrograms(ForkServer):
    """Forks builders, and starts V8 workers as programs."""

    def start_worker(self, limits: EngineLimits, *, warms_up: bool) -> Worker:
        return Worker(limits, warms_up=warms_up)


@pytest.fixture
def harness_without_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[AgentHarness]:
    """A harness in which no process that renders comes to life."""
    (tmp_path / "dying").mkdir()
    (tmp_path / "dying" / "sitecustomize.py").write_text("import os\nos._exit(1)\n")
    parent = WorkerPrograms(TASKS)
    parent.prepare()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "dying"))
    with (
        closing(parent),
        chat_server() as chat,
        agent_harness(tmp_path, chat, parent=parent) as made,
    ):
        yield made


def test_work_that_cannot_be_checked_is_delivered_as_a_draft(
    harness_without_workers: AgentHarness,
) -> None:
    harness = harness_without_workers
    text = "# Never rendered before\n"  # a page that another job had would be known
    write = Reply(calls=(Call("write_file", {"path": "new.mdx", "text": text}),))
    check = Reply(calls=(Call("check"),))
    harness.says(write, check, FINISH)
    job = harness.run("Write")
    assert job.status is JobStatus.COMPLETED, harness.last_turn(job).end.error
    assert harness.change(job).draft
    assert "the check could not run" in harness.review(job).body
    assert harness.file(job.branch, "new.mdx") == text.strip()
    results = [m.text for m in harness.chat.conversations[-1].messages if m.role == "tool"]
    assert "the check could not be made now" in results[-1]
