"""Scheduling of builders: a few at a time, small tasks never behind large ones.

Large tasks share one of two slots; small ones may use both. Within each class, tasks run in order
of arrival. A task that takes longer than its size explains no longer blocks others.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count

LARGE = 1_000  # minimum number of files or pages of a large task

_AT_ONCE = 2
_SECONDS = 10.0  # for the smallest task; each file adds to it
_FILES_A_SECOND = 50
_MOST = 16


@dataclass(frozen=True, slots=True)
class _RunningTask:
    is_large: bool
    until: float  # on the monotonic clock, when the task stops counting


class TaskSlots:
    """Runs a few tasks concurrently, one of which may be large."""

    def __init__(self, seconds: float = _SECONDS) -> None:
        self._seconds = seconds
        self._tickets = count()
        self._waiting: dict[int, bool] = {}  # True for large tasks
        self._running: dict[int, _RunningTask] = {}
        self._changed = threading.Condition()

    @contextmanager
    def turn(self, files: int = 0) -> Iterator[None]:
        """Hold a slot while a task on this many files runs."""
        is_large = files >= LARGE
        with self._changed:
            ticket = next(self._tickets)
            self._waiting[ticket] = is_large
            try:
                while (wait := self._wait_seconds(ticket)) > 0:
                    self._changed.wait(wait)
            finally:
                del self._waiting[ticket]
                self._changed.notify_all()
            until = time.monotonic() + self._seconds + files / _FILES_A_SECOND
            self._running[ticket] = _RunningTask(is_large, until)
        try:
            yield
        finally:
            with self._changed:
                del self._running[ticket]
                self._changed.notify_all()

    def _wait_seconds(self, ticket: int) -> float:
        """Return seconds until the next check; 0 if the task may start."""
        is_large, now = self._waiting[ticket], time.monotonic()
        counted = [each for each in self._running.values() if each.until > now]
        if self._may_begin(ticket, is_large, counted):
            return 0
        return min([each.until - now for each in counted], default=self._seconds) + 0.001

    def _may_begin(self, ticket: int, is_large: bool, counted: list[_RunningTask]) -> bool:
        if len(self._running) >= _MOST or len(counted) >= _AT_ONCE:
            return False
        if any(other < ticket and size == is_large for other, size in self._waiting.items()):
            return False
        has_large = any(each.is_large for each in counted)
        if is_large:
            return not has_large
        # A waiting large task gets the next slot but one.
        reserved = int(not has_large and any(self._waiting.values()) and _AT_ONCE > 1)
        return len(counted) < _AT_ONCE - reserved
