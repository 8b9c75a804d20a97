"""Context of job functions, and kinds of jobs."""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar, cast

from docstead.base.errors import DocsteadError
from docstead.jobs.outage_retries import keep_trying
from docstead.jobs.step_results import with_new_fields

T = TypeVar("T")

_LOOK_UP_SECONDS = 0.1


class JobInterrupted(BaseException):
    """The service is stopping; the job continues at this step after the next start.

    Not an `Exception`, so that error handling of jobs does not catch it.
    """


@dataclass(frozen=True)
class JobKind:
    """A kind of job with its function."""

    name: str
    function: Callable[[JobContext, str], None]
    concurrency: int  # maximum per node
    on_lost: Callable[[str], None] | None
    is_awaited: bool  # whether a user would notice a delay of seconds
    in_order: bool = False  # oldest first, across partitions

    @property
    def workflow(self) -> str:
        """Name of the workflow in the job library. Stored jobs refer to it: never change it."""
        return f"docstead.{self.name}"

    @property
    def queue(self) -> str:
        return f"docstead.{self.name}"


class ShutdownGate:
    """Counts running jobs, so that the process can stop them between steps."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running = 0
        self._over = False

    @property
    def is_over(self) -> bool:
        return self._over

    @contextmanager
    def job(self) -> Iterator[None]:
        """Count a job while it runs."""
        self.raise_if_stopping()
        with self._changed:
            self._running += 1
        try:
            yield
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify_all()

    def raise_if_stopping(self) -> None:
        if self._over:
            raise JobInterrupted

    def wait(self, seconds: float) -> None:
        """Wait for some seconds, or raise `JobInterrupted` if the service stops."""
        with self._changed:
            self._changed.wait_for(lambda: self._over, seconds)
        self.raise_if_stopping()

    def end(self, timeout_seconds: float) -> bool:
        """Let each job finish its step; report whether all did within the time."""
        with self._changed:
            self._over = True
            self._changed.notify_all()
            return self._changed.wait_for(lambda: self._running == 0, timeout_seconds)


class JobContext:
    """One run of a job. Work that must not be repeated is done in steps.

    `check_store` raises `StoreUnavailable` while results cannot be recorded.
    """

    def __init__(
        self,
        job_id: str,
        shutdown_gate: ShutdownGate,
        check_store: Callable[[], object] = lambda: None,
    ) -> None:
        self.job_id = job_id
        self._shutdown_gate = shutdown_gate
        self._check_store = check_store

    def step(self, name: str, function: Callable[[], T]) -> T:
        """Run a function as a step and return its result, retrying after outages of a store.

        After a restart, a finished step is not repeated: its recorded result is returned or its
        recorded error raised. Results are small and picklable; `step_results` describes how their
        classes may change. Every run of a job must take the same steps in the same order. Errors
        that cannot be pickled become a `DocsteadError` with their text, so that they are the same
        every time.
        """
        from dbos import DBOS

        self.keep_trying(self._check_store)
        try:
            step = _with_lasting_errors(self._patient(function))
            return cast(T, with_new_fields(DBOS.run_step({"name": name}, step)))
        except Exception as error:
            if self._shutdown_gate.is_over:
                # The job library may have been closed during a long step.
                raise JobInterrupted from error
            raise

    def keep_trying(self, function: Callable[[], T]) -> T:
        """Run a function outside of a step, retrying during outages of database or object store.

        Raises:
            JobInterrupted: the service is stopping.
            ObjectsUnreachable: the object store was unavailable for ten minutes.
        """
        self._shutdown_gate.raise_if_stopping()
        return keep_trying(function, self._shutdown_gate.wait)

    def _patient(self, function: Callable[[], T]) -> Callable[[], T]:
        """Wrap a step's function so that it returns when its result can be recorded.

        The job library's own retries use increasing delays.
        """

        def run() -> T:
            result = self.keep_trying(function)
            keep_trying(self._check_store, self._shutdown_gate.wait)  # also during a shutdown
            return result

        return run

    def pause(self, name: str, until: float, is_over: Callable[[], bool]) -> None:
        """Wait, as a step, for a time (Unix seconds), or until `is_over` returns True.

        If the service restarts meanwhile, the rest of the wait follows.
        """

        def wait() -> None:
            while time.time() < until and not is_over():
                self._shutdown_gate.raise_if_stopping()
                time.sleep(_LOOK_UP_SECONDS)

        self.step(name, wait)

    @property
    def is_stopping(self) -> bool:
        """Whether the service is stopping; it waits briefly for running steps."""
        return self._shutdown_gate.is_over

    def raise_if_stopping(self) -> None:
        """Check within a long step; if the service is stopping, leave the step undone."""
        self._shutdown_gate.raise_if_stopping()


def _with_lasting_errors(function: Callable[[], T]) -> Callable[[], T]:
    def run() -> T:
        try:
            return function()
        except Exception as error:
            if _survives(error):
                raise
            raise DocsteadError(f"{type(error).__name__}: {error}") from error

    return run


def _survives(error: Exception) -> bool:
    try:
        return type(pickle.loads(pickle.dumps(error))) is type(error)  # noqa: S301 - our own bytes
    except Exception:
        return False
