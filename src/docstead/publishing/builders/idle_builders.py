"""Idle builders that are kept because their caches will be useful."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from docstead.base.units import MIB
from docstead.publishing.builders.host import Builder

_MOST = 4
_MOST_BYTES = 512 * MIB  # of a kept builder


@dataclass(frozen=True)
class _IdleBuilder:
    builder: Builder
    end: Callable[[], None]
    timer: threading.Timer


class IdleBuilders:
    """Keeps a few builders by key; it must be closed."""

    def __init__(self) -> None:
        self._kept: dict[str, _IdleBuilder] = {}
        self._timers: set[threading.Timer] = set()
        self._lock = threading.Lock()

    def take(self, key: str) -> Builder | None:
        """Return the builder kept under this key, if it is still running."""
        with self._lock:
            kept = self._kept.pop(key, None)
        if kept is None:
            return None
        kept.timer.cancel()
        if kept.builder.is_alive:
            return kept.builder
        kept.builder.close()
        return None

    def keep(self, key: str, builder: Builder, seconds: float, end: Callable[[], None]) -> None:
        """Keep a builder for some seconds, or until its slot is needed; `end` closes it."""
        if builder.memory_bytes > _MOST_BYTES:
            seconds = 0.0
        timer = threading.Timer(seconds, self._expire, (key, builder))
        timer.daemon = True
        with self._lock:
            old = self._kept.pop(key, None)
            self._kept[key] = _IdleBuilder(builder, end, timer)
            many = [self._kept.pop(each) for each in list(self._kept)[:-_MOST]]
            timer.start()
            self._timers = {each for each in self._timers if each.is_alive()} | {timer}
        for each in (*([old] if old else []), *many):
            _end(each)

    def close(self) -> None:
        """End all builders and wait for those that are already ending."""
        with self._lock:
            kept, self._kept = list(self._kept.values()), {}
            timers, self._timers = self._timers, set()
        for each in kept:
            _end(each)
        for timer in timers:
            timer.join()

    def _expire(self, key: str, builder: Builder) -> None:
        with self._lock:
            kept = self._kept.get(key)
            if kept is None or kept.builder is not builder:
                return
            del self._kept[key]
        kept.end()


def _end(kept: _IdleBuilder) -> None:
    kept.timer.cancel()
    kept.end()
