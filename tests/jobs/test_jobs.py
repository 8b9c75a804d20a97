from __future__ import annotations

import errno
import logging
import threading
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
from dbos._utils import retriable_postgres_exception
from sqlalchemy import make_url, text
from sqlalchemy.exc import OperationalError

from docstead.base.errors import Conflict, DocsteadError, NotFound, RateLimited
from docstead.jobs import JobContext, JobInterrupted, Jobs
from docstead.jobs.library import jobs_engine
from docstead.jobs.queue_claims import TESTED_VERSION
from waiting import wait_for

Function = Callable[[JobContext, str], None]


@pytest.fixture
def new_jobs(backend) -> Iterator[Callable[..., Jobs]]:
    made: list[Jobs] = []

    def make(**options: float) -> Jobs:
        jobs = Jobs(backend.database_url, node_id="node-1", polling_seconds=0.25, **options)
        made.append(jobs)
        return jobs

    yield make
    for jobs in made:
        jobs.close()


def _launched(jobs: Jobs, function: Function, **options: object) -> Jobs:
    jobs.register("work", function, **options)
    jobs.launch()
    return jobs


def test_steps_give_their_results_to_the_job(new_jobs) -> None:
    seen: list[tuple[str, int]] = []

    def work(context: JobContext, job_id: str) -> None:
        first = context.step("first", lambda: 20)
        seen.append((job_id, context.step("second", lambda: first + 1)))

    jobs = _launched(new_jobs(), work)
    jobs.start("work", "job-1")
    assert jobs.wait("job-1", 120)
    assert seen == [("job-1", 21)]


def test_a_job_is_started_once(new_jobs) -> None:
    runs: list[str] = []
    jobs = _launched(new_jobs(), lambda context, job_id: runs.append(job_id))
    for _ in range(3):
        jobs.start("work", "job-1")
    assert jobs.wait("job-1", 120)
    jobs.start("work", "job-1")
    jobs.start("work", "job-2")
    assert jobs.wait("job-2", 120)
    assert sorted(runs) == ["job-1", "job-2"]


def test_an_id_belongs_to_one_kind(new_jobs) -> None:
    jobs = new_jobs()
    jobs.register("play", lambda context, job_id: None)
    _launched(jobs, lambda context, job_id: None)
    jobs.start("work", "job-1")
    with pytest.raises(Conflict):
        jobs.start("play", "job-1")


def test_jobs_of_one_partition_take_turns_in_order(new_jobs) -> None:
    running, most, order = 0, 0, []
    lock = threading.Lock()

    def work(context: JobContext, job_id: str) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
            order.append(job_id)
        time.sleep(0.1)
        with lock:
            running -= 1

    jobs = _launched(new_jobs(), work, concurrency=4)
    for number in range(4):
        jobs.start("work", f"job-{number}", partition="project-1")
    assert all(jobs.wait(f"job-{number}", 120) for number in range(4))
    assert most == 1
    assert order == ["job-0", "job-1", "job-2", "job-3"]


@pytest.mark.parametrize("concurrency", [1, 3])
def test_jobs_of_different_partitions_run_together_up_to_the_limit(new_jobs, concurrency) -> None:
    running, most = 0, 0
    lock = threading.Lock()

    def work(context: JobContext, job_id: str) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        wait_for(lambda: most == concurrency)
        time.sleep(0.3)  # in which one more would begin
        with lock:
            running -= 1

    jobs = _launched(new_jobs(), work, concurrency=concurrency)
    for number in range(4):
        jobs.start("work", f"job-{number}", partition=f"project-{number}")
    assert all(jobs.wait(f"job-{number}", 120) for number in range(4))
    assert most == concurrency


def test_an_unexpected_error_ends_the_job_and_is_logged(new_jobs, caplog) -> None:
    def work(context: JobContext, job_id: str) -> None:
        context.step("break", lambda: {}["missing"])

    with caplog.at_level(logging.ERROR):
        jobs = _launched(new_jobs(), work)
        jobs.start("work", "job-1")
        assert jobs.wait("job-1", 120)
    assert [record.getMessage() for record in caplog.records] == ["work job job-1 failed"]
    assert caplog.records[0].exc_info


def test_an_error_with_a_known_cause_is_logged_in_one_line(new_jobs, caplog) -> None:
    def work(context: JobContext, job_id: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "/data/file")

    with caplog.at_level(logging.WARNING):
        jobs = _launched(new_jobs(), work)
        jobs.start("work", "job-1")
        assert jobs.wait("job-1", 120)
    (line,) = caplog.records
    assert (
        line.getMessage() == "work job job-1 failed: /data/file: no space is left; free some space"
    )
    assert line.exc_info is None


def test_a_job_may_handle_the_error_of_a_step(new_jobs) -> None:
    states: list[str] = []

    def fail() -> None:
        raise NotFound("no such repository")

    def work(context: JobContext, job_id: str) -> None:
        try:
            context.step("fetch", fail)
        except NotFound as error:
            reason = error.message
            states.append(context.step("record", lambda: f"failed: {reason}"))

    jobs = _launched(new_jobs(), work)
    jobs.start("work", "job-1")
    assert jobs.wait("job-1", 120)
    assert states == ["failed: no such repository"]


def test_a_wait_may_be_in_vain(new_jobs) -> None:
    release = threading.Event()
    jobs = _launched(new_jobs(), lambda context, job_id: release.wait(120) and None)
    jobs.start("work", "job-1")
    assert not jobs.wait("job-1", 0.3)
    assert not jobs.wait("unknown", 0.3)
    release.set()
    assert jobs.wait("job-1", 120)


def test_a_closed_instance_makes_space_for_another(new_jobs) -> None:
    runs: list[int] = []
    for number in range(3):
        jobs = new_jobs()
        _launched(jobs, lambda context, job_id, number=number: runs.append(number))
        jobs.start("work", f"job-{number}")
        assert jobs.wait(f"job-{number}", 120)
        jobs.close()
    assert runs == [0, 1, 2]


def test_closing_stops_a_job_between_steps_without_a_notice(new_jobs) -> None:
    inside, errors, done = threading.Event(), [], []

    def work(context: JobContext, job_id: str) -> None:
        def slow() -> int:
            inside.set()
            wait_for(lambda: first._shutdown_gate.is_over)  # it is closed meanwhile
            return 1

        try:
            value = context.step("slow", slow)
            done.append(context.step("next", lambda: value + 1))
        except Exception as error:
            errors.append(error)

    first = _launched(new_jobs(), work)
    first.start("work", "job-1")
    assert inside.wait(120)
    first.close()
    assert (errors, done) == ([], [])

    inside.clear()
    second = _launched(new_jobs(), work)
    assert second.wait("job-1", 120)
    assert (errors, done) == ([], [2])
    assert not inside.is_set(), "a finished step was done again"


def test_one_process_runs_the_jobs_of_a_sqlite_database(sqlite_backend) -> None:
    first, second = (Jobs(sqlite_backend.database_url, node_id=f"node-{n}") for n in (1, 2))
    first.launch()
    with pytest.raises(Conflict):
        second.launch()
    first.close()
    second.launch()
    second.close()


def test_jobs_do_not_touch_the_main_database(backend, new_jobs) -> None:
    from sqlalchemy import inspect

    from docstead.storage.schema import metadata

    jobs = _launched(new_jobs(), lambda context, job_id: None)
    jobs.start("work", "job-1")
    assert jobs.wait("job-1", 120)
    with backend.database.reading() as connection:
        tables = set(inspect(connection).get_table_names())
    assert tables == {*metadata.tables, "alembic_version"}


def test_the_tables_of_jobs_are_made_where_there_are_none(postgres_backend) -> None:
    with postgres_backend.database.transaction() as connection:
        connection.execute(text("DROP SCHEMA docstead_jobs CASCADE"))
    jobs = Jobs(postgres_backend.database_url, node_id="node-1", polling_seconds=0.25)
    try:
        _launched(jobs, lambda context, job_id: None)
        jobs.start("work", "job-1")
        assert jobs.wait("job-1", 120)
    finally:
        jobs.close()


def test_kinds_are_registered_before_launch(new_jobs) -> None:
    jobs = _launched(new_jobs(), lambda context, job_id: None)
    with pytest.raises(RuntimeError):
        jobs.register("late", lambda context, job_id: None)


def test_a_job_may_start_another(new_jobs) -> None:
    seen: list[str] = []
    jobs = new_jobs()

    def work(context: JobContext, job_id: str) -> None:
        context.step("start", lambda: jobs.start("follow", f"{job_id}-follow"))

    jobs.register("follow", lambda context, job_id: seen.append(job_id))
    _launched(jobs, work)
    jobs.start("work", "job-1")
    assert jobs.wait("job-1", 120)
    assert jobs.wait("job-1-follow", 120)
    assert seen == ["job-1-follow"]


@pytest.mark.parametrize(
    ("error", "remembered"),
    [
        (NotFound("no such repository"), (NotFound, "no such repository")),
        (
            RateLimited("slow", retry_after_seconds=5, limit=1, window_seconds=60, policy="p"),
            (DocsteadError, "RateLimited: slow"),
        ),
    ],
)
def test_the_error_of_a_step_is_remembered(new_jobs, error: DocsteadError, remembered) -> None:
    tries, seen = [], []

    def fail() -> None:
        tries.append(1)
        raise error

    def work(context: JobContext, job_id: str) -> None:
        try:
            context.step("fail", fail)
        except Exception as raised:
            seen.append((type(raised), str(raised)))
        if len(seen) == 1:
            raise JobInterrupted

    first = _launched(new_jobs(), work)
    first.start("work", "job-1")
    wait_for(lambda: seen)
    first.close()
    second = _launched(new_jobs(), work)
    assert second.wait("job-1", 120)
    assert tries == [1]
    assert seen == [remembered, remembered]


def test_a_job_of_this_process_does_not_wait_for_the_next_look(backend) -> None:
    begun: list[str] = []
    jobs = Jobs(backend.database_url, node_id="node-1", polling_seconds=600.0)
    try:
        _launched(jobs, lambda context, job_id: begun.append(job_id))
        jobs.start("work", "job-1")
        wait_for(lambda: begun)
    finally:
        jobs.close()


@pytest.mark.parametrize(("partition", "concurrency"), [("one", 4), (None, 1)])
def test_a_job_that_waits_for_another_begins_when_that_one_ends(
    backend, partition: str | None, concurrency: int
) -> None:
    begun: list[str] = []
    go_on = threading.Event()

    def work(context: JobContext, job_id: str) -> None:
        begun.append(job_id)
        assert go_on.wait(120)

    jobs = Jobs(backend.database_url, node_id="node-1", polling_seconds=600.0)
    try:
        _launched(jobs, work, concurrency=concurrency)
        for number in range(3):
            jobs.start("work", f"job-{number}", partition=partition)
        wait_for(lambda: begun)
        assert len(begun) == 1
        go_on.set()
        wait_for(lambda: len(begun) == 3)
    finally:
        go_on.set()
        jobs.close()


def test_jobs_in_order_begin_oldest_first(new_jobs) -> None:
    order: list[str] = []
    jobs = new_jobs()
    jobs.register("work", lambda context, job_id: order.append(job_id), in_order=True)
    expected = [f"job-{number * 7 % 20:02}" for number in range(20)]
    for job_id in expected:
        jobs.start("work", job_id)
        time.sleep(0.002)  # the order is that of the database's milliseconds
    jobs.launch()
    wait_for(lambda: len(order) == len(expected))
    assert order == expected


def test_the_library_waits_for_a_server_whose_socket_is_missing(tmp_path: Path) -> None:
    engine = jobs_engine(make_url(f"postgresql+psycopg://postgres@/postgres?host={tmp_path}"))
    with pytest.raises(OperationalError) as refused:
        engine.connect()
    assert retriable_postgres_exception(refused.value)


def test_library_has_the_version_whose_private_api_is_used() -> None:
    """Before raising the version, compare the calls in `queue_claims` with the library."""
    assert version("dbos") == TESTED_VERSION
