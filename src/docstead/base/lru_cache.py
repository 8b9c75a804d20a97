"""Bounded cache of the most recently used entries."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """Cache that evicts the least recently used entries beyond `capacity`. Thread-safe.

    `size_of` returns an entry's size in the unit of `capacity`; by default each counts as 1.
    Entries larger than the capacity are not stored.
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
