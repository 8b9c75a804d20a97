"""Which builders run now: few at once, and none waits long for one that takes long."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_AT_ONCE = 2
_SECONDS = 10.0  # a task that has run for longer no longer keeps others waiting
_MOST = 16


class Turns:
    """Lets `at_once` tasks begin side by side; those that run longer do not count."""

    def __init__(self, at_once: int = _AT_ONCE, seconds: float = _SECONDS) -> None:
        self._at_once = at_once
        self._seconds = seconds
        self._running: dict[object, float] = {}
        self._changed = threading.Condition()

    @contextmanager
    def turn(self) -> Iterator[None]:
        token = object()
        with self._changed:
            while (wait := self._wait_seconds()) > 0:
                self._changed.wait(wait)
            self._running[token] = time.monotonic()
        try:
            yield
        finally:
            with self._changed:
                del self._running[token]
                self._changed.notify_all()

    def _wait_seconds(self) -> float:
        """How long to wait before looking again; 0 where one more may begin."""
        if len(self._running) >= _MOST:
            return self._seconds
        now = time.monotonic()
        recent = sorted(begun for begun in self._running.values() if now - begun < self._seconds)
        if len(recent) < self._at_once:
            return 0
        return recent[-self._at_once] + self._seconds - now
