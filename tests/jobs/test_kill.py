"""Processes are killed for real here, in the middle of a step."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from docstead.jobs import Jobs
from docstead.storage.schema import nodes
from ready_processes import ReadyProcess, ReadyProcesses
from waiting import wait_for

WORKER = Path(__file__).with_name("worker.py")
STEPS = 5


class JobNode:
    """A worker process."""

    def __init__(self, process: ReadyProcess) -> None:
        self._process = process

    def await_ready(self) -> None:
        assert self._process.stdout.readline() == "ready\n"

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()

    def stop(self) -> None:
        self._process.communicate(timeout=120)
        assert self._process.returncode == 0

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None


StartNode = Callable[..., JobNode]


@pytest.fixture
def start_node(backend, nodes_of) -> StartNode:
    return nodes_of(backend.database_url)


@pytest.fixture
def start_postgres_node(postgres_backend, nodes_of) -> StartNode:
    return nodes_of(postgres_backend.database_url)


@pytest.fixture
def nodes_of(ready: ReadyProcesses, tmp_path: Path) -> Iterator[Callable[[str], StartNode]]:
    """Start nodes of a database, and stop them at the end of the test."""
    started: list[JobNode] = []

    def of(url: str) -> StartNode:
        def start(
            node_id: str,
            *,
            seconds: float = 0.1,
            job: str | None = None,
            heartbeat: float = 0.5,
            long_step: tuple[int, int] = (-1, 0),  # its number and seconds
        ) -> JobNode:
            environment = {**os.environ, "LONG_STEP": "{} {}".format(*long_step)}
            environment |= {"JOB": job} if job else {}
            command = [WORKER, url, node_id, tmp_path / "marks", STEPS, seconds, heartbeat]
            started.append(JobNode(ready.start(command, environment)))
            return started[-1]

        return start

    yield of
    for node in started:
        if node.is_running:
            node.kill()


@pytest.fixture
def marks(tmp_path: Path) -> Callable[[], list[str]]:
    file = tmp_path / "marks"
    return lambda: file.read_text().splitlines() if file.exists() else []


@pytest.mark.deep
def test_a_killed_job_resumes_at_the_interrupted_step(backend, start_node, marks) -> None:
    first = start_node("node-1", job="job-1", long_step=(2, 600))
    wait_for(lambda: "begin 2 node-1" in marks())
    first.kill()
    before = marks()
    assert before[-1] == "begin 2 node-1"

    second = start_node("node-1")
    wait_for(lambda: any(mark.startswith("total") for mark in marks()))
    second.stop()
    assert marks()[len(before) :] == [
        *(f"{verb} {number} node-1" for number in range(2, STEPS) for verb in ("begin", "end")),
        f"total {sum(range(STEPS))} node-1",
    ]


def test_a_stopped_node_ends_between_two_steps_and_continues_later(start_node, marks) -> None:
    first = start_node("node-1", job="job-1", long_step=(1, 5))
    wait_for(lambda: "begin 1 node-1" in marks())
    first.stop()
    before = marks()
    assert before[-1] == "end 1 node-1"

    second = start_node("node-1")
    wait_for(lambda: any(mark.startswith("total") for mark in marks()))
    second.stop()
    assert marks()[len(before)] == "begin 2 node-1"
    assert [mark.split()[0] for mark in marks()].count("begin") == STEPS


def test_a_job_is_finished_once_however_often_its_process_is_killed(start_node, marks) -> None:
    for number in (0, 1, 3, 4):
        node = start_node("node-1", job="job-1", long_step=(number, 600))
        wait_for(lambda number=number: f"begin {number} node-1" in marks())
        node.kill()
    node = start_node("node-1")
    wait_for(lambda: any(mark.startswith("total") for mark in marks()))
    node.stop()
    assert len([mark for mark in marks() if mark.startswith("total")]) == 1
    assert [mark for mark in marks() if mark.startswith("end")] == [
        f"end {number} node-1" for number in range(STEPS)
    ]


def test_a_live_node_finishes_the_jobs_of_a_dead_one(start_postgres_node, marks) -> None:
    # Neither node is silent for three beats, even on a busy machine, until the first is killed.
    first = start_postgres_node("node-1", job="job-1", heartbeat=2.0, long_step=(2, 600))
    wait_for(lambda: "begin 2 node-1" in marks())
    second = start_postgres_node("node-2", heartbeat=2.0)
    second.await_ready()
    try:
        first.kill()
        before = marks()
        interrupted = int(before[-1].split()[1])
        wait_for(lambda: any(mark.startswith("total") for mark in marks()))
    finally:
        second.stop()
    assert interrupted == 2
    assert marks()[len(before) :] == [
        *(
            f"{verb} {number} node-2"
            for number in range(interrupted, STEPS)
            for verb in ("begin", "end")
        ),
        f"total {sum(range(STEPS))} node-2",
    ]


@pytest.mark.deep
def test_a_live_node_keeps_its_jobs(start_postgres_node, marks) -> None:
    # The job takes longer than a node may be silent, and a busy machine delays no beat that long.
    first = start_postgres_node("node-1", seconds=1.5, job="job-1", heartbeat=2.0)
    second = start_postgres_node("node-2", heartbeat=2.0)
    second.await_ready()
    wait_for(lambda: any(mark.startswith("total") for mark in marks()))
    first.stop()
    second.stop()
    assert len(marks()) == 2 * STEPS + 1
    assert all(mark.endswith("node-1") for mark in marks()) or all(
        mark.endswith("node-2") for mark in marks()
    )


def test_a_service_runs_what_another_process_starts(backend, start_node, marks) -> None:
    node = start_node("node-1", seconds=0.01)
    node.await_ready()
    beside = Jobs(backend.database_url, node_id="command-line")
    beside.register("walk", lambda context, job_id: None)
    beside.start("walk", "job-1")
    assert beside.wait("job-1", 120)
    beside.close()
    node.stop()
    assert marks()[-1] == f"total {sum(range(STEPS))} node-1"


@pytest.mark.deep
def test_a_slow_node_taken_for_dead_does_not_spoil_its_job(
    postgres_backend, start_postgres_node, marks
) -> None:
    first = start_postgres_node("node-1", seconds=1.5, job="job-1")
    wait_for(lambda: "begin 0 node-1" in marks())
    second = start_postgres_node("node-2", seconds=0.1)
    second.await_ready()

    def taken_over() -> bool:
        # As if the first node had not come to write its heartbeat for hours.
        long_ago = datetime.now(UTC) - timedelta(hours=1)
        with postgres_backend.database.transaction() as connection:
            connection.execute(
                update(nodes).where(nodes.c.id == "node-1").values(heartbeat_at=long_ago)
            )
        return any(mark.startswith("begin") and mark.endswith("node-2") for mark in marks())

    wait_for(taken_over)
    wait_for(lambda: any(mark.startswith("total") for mark in marks()))
    first.stop()
    second.stop()
    totals = [mark for mark in marks() if mark.startswith("total")]
    assert [total.split()[:2] for total in totals] == [["total", str(sum(range(STEPS)))]]
