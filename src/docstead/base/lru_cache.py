"""Bounded cache of the entries that were used last."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """Cache that drops the least recently used entries beyond `capacity`. Thread-safe.

    `size_of` an entry is in the unit of `capacity`; without it each entry counts as 1. An entry
    that is larger than the capacity is not stored, so that the others stay.
    """

    def __init__(self, capacity: int, size_of: Callable[[V], int] | None = None) -> None:
        self._capacity = capacity
        self._size_of = size_of
        self._size = 0
        self._entries: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        with self._lock:
            found = self._entries.get(key)
            if found is not None:
                self._entries.move_to_end(key)
            return found

    def put(self, key: K, value: V) -> None:
        size = self._size_in_units(value)
        with self._lock:
            if key in self._entries:
                self._size -= self._size_in_units(self._entries.pop(key))
            if size > self._capacity:
                return
            self._entries[key] = value
            self._size += size
            while self._size > self._capacity:
                _, oldest = self._entries.popitem(last=False)
                self._size -= self._size_in_units(oldest)

    def items(self) -> tuple[tuple[K, V], ...]:
        """Return all entries, the least recently used first."""
        with self._lock:
            return tuple(self._entries.items())

    def _size_in_units(self, value: V) -> int:
        return 1 if self._size_of is None else self._size_of(value)
