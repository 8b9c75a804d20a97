"""Jobs that are interrupted again and again, as those that take their process with them."""

from __future__ import annotations

import threading
import time

from docstead.jobs import JobContext, JobInterrupted, Jobs
from waiting import wait_for

RECOVERIES = 2


class Poison:
    """A node after node that runs the same job and does not survive it."""

    def __init__(self, database_url: str) -> None:
        self._url = database_url
        self.runs = 0
        self.lost: list[str] = []
        self._ran = threading.Event()

    def node(self, node_id: str, *, start: bool = False) -> None:
        """Run until the job has interrupted this node, or is lost."""
        jobs = Jobs(
            self._url,
            node_id=node_id,
            polling_seconds=0.25,
            heartbeat_seconds=0.3,
            max_recoveries=RECOVERIES,
        )
        jobs.register("work", self._work, on_lost=self.lost.append)
        self._ran.clear()
        jobs.launch()
        if start:
            jobs.start("work", "job-1")
        wait_for(lambda: self._ran.is_set() or self.lost)
        jobs.close()

    def _work(self, context: JobContext, job_id: str) -> None:
        self.runs += 1
        self._ran.set()
        raise JobInterrupted


def test_a_job_that_ends_its_node_too_often_is_lost(backend) -> None:
    poison = Poison(backend.database_url)
    poison.node("node-1", start=True)
    for _ in range(RECOVERIES):
        poison.node("node-1")
        assert poison.lost == []
    while not poison.lost:
        poison.node("node-1")
    assert set(poison.lost) == {"job-1"}
    assert 1 + RECOVERIES <= poison.runs <= 2 + RECOVERIES


def test_a_job_that_ends_node_after_node_is_lost(postgres_backend) -> None:
    poison = Poison(postgres_backend.database_url)
    poison.node("node-0", start=True)
    for number in range(1, 1 + RECOVERIES):
        poison.node(f"node-{number}")
        assert poison.lost == []
    poison.node("node-9")
    assert poison.lost == ["job-1"]
    assert poison.runs == 1 + RECOVERIES


def test_a_lost_job_has_ended_and_does_not_run_again(backend) -> None:
    poison = Poison(backend.database_url)
    poison.node("node-1", start=True)
    while not poison.lost:
        poison.node("node-1")
    runs = poison.runs
    jobs = Jobs(backend.database_url, node_id="node-1", polling_seconds=0.25)
    jobs.register("work", poison._work)
    jobs.launch()
    jobs.start("work", "job-1")
    assert jobs.wait("job-1", 120)
    time.sleep(0.8)
    jobs.close()
    assert poison.runs == runs
