"""Start, execution and recovery of jobs.

A job has a kind and an id. It runs at least once, and each of its steps exactly once, except a step
that was interrupted by a killed process. Jobs are queued in the database, so any process may start
one; launched processes run them. After a node dies, its jobs are resumed when it restarts or, on
PostgreSQL, by another node. A job that was interrupted too often is lost, and `on_lost` of its kind
is called.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from sqlalchemy.exc import InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from docstead.base.errors import Conflict, StoreUnavailable
from docstead.base.heap import release_memory
from docstead.base.outages import OutageLog
from docstead.base.unexpected import log_failure
from docstead.jobs import library
from docstead.jobs.context import JobContext, JobInterrupted, JobKind, ShutdownGate
from docstead.jobs.nodes import NodeRegistry
from docstead.jobs.queue_claims import claim_now
from docstead.jobs.queue_notifier import QueueNotifier
from docstead.storage.database import IDLE_TRANSACTION_STATE

if TYPE_CHECKING:
    from dbos import DBOSClient, EnqueueOptions, WorkflowStatus

_log = logging.getLogger(__name__)

_WAIT_SECONDS = 0.25
_FASTEST_POLLING_SECONDS = 0.25
_PATIENCE = 4  # factor of the polling interval for jobs that no user waits for
_CLOSE_SECONDS = 10.0
_KEPT_FOR = timedelta(days=7)
_PURGE_EVERY_SECONDS = 3600.0
_PERIODIC_TASK_SECONDS = 60.0
_PURGE_BATCH = 500
_ENDED = ["SUCCESS", "ERROR", "CANCELLED"]
_GIVEN_UP = "MAX_RECOVERY_ATTEMPTS_EXCEEDED"


class Jobs:
    """Jobs of one database; at most one launched instance per process.

    `node_id` is this node's unique and stable name. Jobs queued by other processes are found within
    `polling_seconds`, those of this process immediately, also when they waited for another; with
    the default, an idle process uses about 2 % of a core for polling. A job interrupted more often
    than `max_recoveries` is considered the cause, and lost.
    """

    def __init__(
        self,
        database_url: str,
        *,
        node_id: str,
        polling_seconds: float = 1.5,
        heartbeat_seconds: float = 10.0,
        max_recoveries: int = 20,
    ) -> None:
        self._url = library.jobs_url(database_url)
        self._engine = library.jobs_engine(self._url)
        self._node_id = node_id
        self._polling_seconds = max(polling_seconds, _FASTEST_POLLING_SECONDS)
        self._heartbeat_seconds = heartbeat_seconds
        self._max_recoveries = max_recoveries
        self._kinds: dict[str, JobKind] = {}
        self._periodic_tasks: list[_PeriodicTask] = []
        self._upkeep = OutageLog(_log, "upkeep of jobs")
        self._shutdown_gate = ShutdownGate()
        self._stopping = threading.Event()
        self._poller: threading.Thread | None = None
        self._notifier = QueueNotifier(self._poll_now)
        self._slots: dict[str, threading.Semaphore] = {}
        self._lock = library.FileLock(self._url)
        self._nodes = NodeRegistry(self._engine, node_id, heartbeat_seconds)

    def register(
        self,
        kind: str,
        function: Callable[[JobContext, str], None],
        *,
        concurrency: int = 1,
        on_lost: Callable[[str], None] | None = None,
        is_awaited: bool = True,
        in_order: bool = False,
    ) -> None:
        """Register a kind of job; call before `launch`.

        `function` handles its own errors: what it raises ends the job and is logged. `on_lost` is
        called, possibly more than once, with the id of a job that will never finish. `concurrency`
        limits jobs of this kind in this process. Jobs that no user waits for (`is_awaited`) are
        polled at a quarter of the rate. Jobs `in_order` start in the order they were queued, and
        have no partitions.
        """
        if self._poller is not None:
            raise RuntimeError("jobs are registered before launch")
        self._kinds[kind] = JobKind(kind, function, concurrency, on_lost, is_awaited, in_order)
        self._slots[kind] = threading.Semaphore(concurrency)

    def run_periodically(
        self, periodic_task: Callable[[], object], every_seconds: float = _PERIODIC_TASK_SECONDS
    ) -> None:
        """Run a short task periodically on every node that runs jobs; call before `launch`.

        Several nodes may run it concurrently. Its errors are logged, once per outage.
        `every_seconds` is at least a minute.
        """
        self._periodic_tasks.append(_PeriodicTask(periodic_task, every_seconds))

    def launch(self) -> None:
        """Run jobs in this process from now on.

        Raises:
            Conflict: another process runs the jobs of this SQLite database.
        """
        if self._is_sqlite:
            self._lock.acquire()
        else:
            self._nodes.heartbeat()
        try:
            self._register_queues()
            runs = [(kind, self._run(kind)) for kind in self._kinds.values()]
            library.launch(
                self._engine,
                self._url,
                self._node_id,
                runs,
                max_recoveries=self._max_recoveries,
                ended=self._ended,
            )
        except BaseException:
            library.shut_down()
            self._lock.release()
            raise
        self._poller = threading.Thread(target=self._keep, name="jobs-keeper", daemon=True)
        self._poller.start()
        self._notifier.start()

    def start(
        self,
        kind: str,
        job_id: str,
        *,
        partition: str | None = None,
        after_seconds: float | None = None,
    ) -> None:
        """Queue a job, unless it was started before.

        Jobs of a partition run one at a time, in the order they were started, and not before
        `after_seconds` have passed.

        Raises:
            Conflict: the id belongs to a job of another kind.
            StoreUnavailable: the database cannot be reached.
        """
        from dbos import error as library_errors

        registered = self._kinds[kind]
        options: EnqueueOptions = {
            "workflow_name": registered.workflow,
            "queue_name": registered.queue,
            "workflow_id": job_id,
            "app_version": library.APPLICATION_VERSION,
        }
        if not registered.in_order:
            options["queue_partition_key"] = partition or job_id
        if after_seconds is not None:
            options["delay_seconds"] = after_seconds
        try:
            with _outages_named():
                self._client.enqueue(options, job_id)
        except library_errors.DBOSConflictingWorkflowError as error:
            raise Conflict(f"job {job_id} is of another kind") from error
        if registered.is_awaited and after_seconds is None:
            self._notifier.notify(kind)

    def has_ended(self, job_id: str) -> bool:
        """Report whether a job was started and has ended, successfully or not."""
        return self.wait(job_id, 0)

    def wait(self, job_id: str, timeout_seconds: float) -> bool:
        """Wait for a job; report whether it has ended within the time."""
        deadline = time.monotonic() + timeout_seconds
        while True:
            found = self._list(workflow_ids=[job_id])
            if found and found[0].status in (*_ENDED, _GIVEN_UP):
                return True
            if time.monotonic() >= deadline:
                return False
            time.sleep(_WAIT_SECONDS)

    def close(self, timeout_seconds: float = _CLOSE_SECONDS) -> None:
        """Stop after the running steps; unfinished jobs continue at the next launch."""
        if self._poller is not None:
            self._notifier.stop()
            self._shutdown_gate.end(timeout_seconds)
            self._stopping.set()
            self._poller.join()
            library.shut_down()
            self._poller = None
            if not self._is_sqlite:
                self._nodes.leave()
        if "_client" in self.__dict__:
            self._client.destroy()
            del self._client
        self._engine.dispose()
        self._lock.release()

    @property
    def is_running(self) -> bool:
        """Report whether this process runs jobs."""
        return self._poller is not None and self._poller.is_alive()

    @property
    def _is_sqlite(self) -> bool:
        return self._url.get_backend_name() == "sqlite"

    @cached_property
    def _client(self) -> DBOSClient:
        library.migrate(self._url)
        return library.new_client(self._engine)

    def _register_queues(self) -> None:
        for kind in self._kinds.values():
            self._client.register_queue(
                kind.queue,
                partition_concurrency=None if kind.in_order else 1,
                worker_concurrency=kind.concurrency,
                polling_interval_sec=self._polling_seconds * (1 if kind.is_awaited else _PATIENCE),
            )

    def _run(self, kind: JobKind) -> Callable[[str], None]:
        def run(job_id: str) -> None:
            with self._shutdown_gate.job(), self._slot(kind):
                try:
                    kind.function(
                        JobContext(job_id, self._shutdown_gate, self._check_store), job_id
                    )
                except Exception as error:
                    if self._shutdown_gate.is_over:
                        raise JobInterrupted from error
                    log_failure(_log, f"{kind.name} job {job_id} failed", error)
            release_memory()

        return run

    def _ended(self, queue: str) -> None:
        """Look for a job that has waited for the end of another, such as one of its partition.

        Not for jobs in order: the library may claim one at the same moment, which then overtakes.
        """
        kind = next(kind for kind in self._kinds.values() if kind.queue == queue)
        if kind.is_awaited and not kind.in_order:
            self._notifier.notify(kind.name)

    def _check_store(self) -> None:
        """Raise `StoreUnavailable` if PostgreSQL cannot be reached."""
        if not self._is_sqlite:
            with _outages_named(), self._engine.connect():
                pass  # the pool has verified the connection

    @contextmanager
    def _slot(self, kind: JobKind) -> Iterator[None]:
        """Hold a slot while a job runs, because concurrent polls may claim too many."""
        slots = self._slots[kind.name]
        while not slots.acquire(timeout=_WAIT_SECONDS):
            self._shutdown_gate.raise_if_stopping()
        try:
            yield
        finally:
            slots.release()

    def _poll_now(self, kind: str) -> None:
        found = self._kinds[kind]
        with _outages_named():
            claim_now(found.queue, found.concurrency, in_order=found.in_order)

    def _list(self, **conditions: object) -> list[WorkflowStatus]:
        return self._client.list_workflows(load_input=False, load_output=False, **conditions)  # type: ignore[arg-type]

    # --- maintenance, in its own thread -------------------------------------

    def _keep(self) -> None:
        purged_at = tasks_at = time.monotonic()
        while not self._stopping.wait(self._heartbeat_seconds):
            try:
                if not self._is_sqlite:
                    self._nodes.heartbeat()
                    self._nodes.take_over(self._resume_jobs_of)
                self._notify_lost()
                if time.monotonic() - tasks_at > _PERIODIC_TASK_SECONDS:
                    tasks_at = time.monotonic()
                    self._run_periodic_tasks()
                if time.monotonic() - purged_at > _PURGE_EVERY_SECONDS:
                    purged_at = time.monotonic()
                    self._purge()
            except Exception as error:
                # The database may be unavailable for a while; the next beat tries again.
                self._upkeep.failed(error)
            else:
                self._upkeep.ended()

    def _run_periodic_tasks(self) -> None:
        for periodic_task in self._periodic_tasks:
            periodic_task.do_if_due()

    def _resume_jobs_of(self, node_ids: list[str]) -> None:
        for job in self._list(executor_id=node_ids, status="PENDING"):
            resumed = int((job.attributes or {}).get("resumed", 0))
            if resumed >= self._max_recoveries:
                self._give_up(job)
                continue
            _log.warning("job %s of node %s is resumed", job.workflow_id, job.executor_id)
            self._client.update_workflow_attributes(job.workflow_id, {"resumed": resumed + 1})
            self._client.resume_workflow(job.workflow_id, queue_name=job.queue_name)

    def _notify_lost(self) -> None:
        for job in self._list(status=_GIVEN_UP):
            self._give_up(job)

    def _give_up(self, job: WorkflowStatus) -> None:
        _log.error("job %s was interrupted too often and is given up", job.workflow_id)
        kind = next((k for k in self._kinds.values() if k.workflow == job.name), None)
        if kind is not None and kind.on_lost is not None:
            kind.on_lost(job.workflow_id)
        self._client.cancel_workflow(job.workflow_id)

    def _purge(self) -> None:
        before = (datetime.now(UTC) - _KEPT_FOR).isoformat()
        while old := self._list(status=_ENDED, completed_before=before, limit=_PURGE_BATCH):
            self._client.delete_workflows([job.workflow_id for job in old])


@contextmanager
def _outages_named() -> Iterator[None]:
    """Convert connection errors to `StoreUnavailable`."""
    try:
        yield
    except (InterfaceError, InternalError, OperationalError, PoolTimeout) as error:
        if isinstance(error, InternalError) and not _was_paused(error):
            raise
        raise StoreUnavailable("the database of jobs cannot be reached") from error


def _was_paused(error: InternalError) -> bool:
    return getattr(error.orig, "sqlstate", None) == IDLE_TRANSACTION_STATE


class _PeriodicTask:
    """A short task with its interval."""

    def __init__(self, task: Callable[[], object], every_seconds: float) -> None:
        self._task = task
        self._every_seconds = every_seconds
        self._done_at = float("-inf")
        self._outage = OutageLog(_log, getattr(task, "__qualname__", repr(task)))

    def do_if_due(self) -> None:
        if time.monotonic() - self._done_at < self._every_seconds:
            return
        try:
            self._task()
        except Exception as error:
            self._outage.failed(error)
        else:
            self._done_at = time.monotonic()
            self._outage.ended()
