"""Context of job functions, and the kinds of jobs."""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from docstead.base.errors import DocsteadError
from docstead.jobs.outage_retries import keep_trying
from docstead.jobs.step_results import with_new_fields

T = TypeVar("T")

_LOOK_UP_SECONDS = 0.1


class JobInterrupted(BaseException):
    """The service is stopping; the job continues at this step after the next start.

    Not an `Exception`, so that a job's own error handling does not take it for a failure.
    """


@dataclass(frozen=True)
class JobKind:
    """One kind of job, and what to do for it."""

    name: str
    function: Callable[[JobContext, str], None]
    concurrency: int  # jobs of this kind that one node runs at a time
    on_lost: Callable[[str], None] | None
    is_awaited: bool  # by somebody who would notice some seconds
    in_order: bool = False  # oldest first, whatever their partitions

    @property
    def workflow(self) -> str:
        """The job library's name for it, which stored jobs refer to: never change it."""
        return f"docstead.{self.name}"

    @property
    def queue(self) -> str:
        return f"docstead.{self.name}"


class ShutdownGate:
    """Which jobs this process is at, so that it can stop between two steps of each."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running = 0
        self._over = False

    @property
    def is_over(self) -> bool:
        return self._over

    @contextmanager
    def job(self) -> Iterator[None]:
        """Count one job while it runs."""
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
        """Wait, unless the service stops, which raises `JobInterrupted`."""
        with self._changed:
            self._changed.wait_for(lambda: self._over, seconds)
        self.raise_if_stopping()

    def end(self, timeout_seconds: float) -> bool:
        """Let each job finish its step; whether all did within the time."""
        with self._changed:
            self._over = True
            self._changed.notify_all()
            return self._changed.wait_for(lambda: self._running == 0, timeout_seconds)


class JobContext:
    """One run of a job. Work that must not be done twice is done in a step.

    `check_store` raises `StoreUnavailable` while steps cannot be recorded.
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
        """Do something once, and return what it returned; again after an outage of a store.

        After a restart a finished step is not done again: its recorded result is returned,
        or its recorded error raised. Results are small and picklable; `step_results` says how
        their classes may change. Every run of a job takes the same steps in the same order. An
        error that cannot be pickled becomes a DocsteadError with its text, so that it is the
        same error every time.
        """
        from dbos import DBOS

        self.keep_trying(self._check_store)
        try:
            step = _with_lasting_errors(self._patient(function))
            return with_new_fields(DBOS.run_step({"name": name}, step))
        except Exception as error:
            if self._shutdown_gate.is_over:
                # The job library may have been closed under a long step.
                raise JobInterrupted from error
            raise

    def keep_trying(self, function: Callable[[], T]) -> T:
        """Do something outside of a step; again while the database or object store is away.

        Raises:
            JobInterrupted: the service is stopping.
            ObjectsUnreachable: the object store was away for ten minutes.
        """
        self._shutdown_gate.raise_if_stopping()
        return keep_trying(function, self._shutdown_gate.wait)

    def _patient(self, function: Callable[[], T]) -> Callable[[], T]:
        """The function of a step, which ends when its result can be recorded.

        The job library waits longer for its database, the longer that is away.
        """

        def run() -> T:
            result = self.keep_trying(function)
            keep_trying(self._check_store, self._shutdown_gate.wait)  # also while the service stops
            return result

        return run

    def pause(self, name: str, until: float, is_over: Callable[[], bool]) -> None:
        """Wait, as a step, for a moment (Unix seconds), or until `is_over` says so.

        The service may stop in the meantime; the rest is waited for after the next start.
        """

        def wait() -> None:
            while time.time() < until and not is_over():
                self._shutdown_gate.raise_if_stopping()
                time.sleep(_LOOK_UP_SECONDS)

        self.step(name, wait)

    @property
    def is_stopping(self) -> bool:
        """Whether the service wants to stop; it waits a little for steps under way."""
        return self._shutdown_gate.is_over

    def raise_if_stopping(self) -> None:
        """Inside a long step, now and then: leaves the step undone when the service stops."""
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
