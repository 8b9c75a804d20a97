"""Last known database results, for use during outages."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from docstead.base.errors import StoreUnavailable
from docstead.base.lru_cache import LruCache
from docstead.base.units import HOUR_SECONDS

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_ENTRIES = 10_000


class LastKnown(Generic[K, V]):
    """Queries each time, and falls back to results of the last hour during an outage.

    Keeps the most recently used ones. Thread-safe.
    """

    def __init__(self, *, seconds: float = HOUR_SECONDS) -> None:
        self._seconds = seconds
        self._known = LruCache[K, tuple[float, V]](_ENTRIES)

    def of(self, key: K, ask: Callable[[], V]) -> V:
        """Return the result of `ask` for this key, or its last known result.

        Raises:
            StoreUnavailable: the database is unavailable, and there is no recent result.
        """
        try:
            found = ask()
        except StoreUnavailable:
            known = self._recent(key)
            if known is None:
                raise
            return known[1]
        self._known.put(key, (time.monotonic(), found))
        return found

    def _recent(self, key: K) -> tuple[float, V] | None:
        known = self._known.get(key)
        return known if known and time.monotonic() - known[0] <= self._seconds else None
