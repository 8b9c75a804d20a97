"""Cache of parse results, for callers that read a repository repeatedly.

What is remembered depends on its key alone, so that a reading with a memory is the same as
one without.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar, cast

from docstead.content.diagnostics import Diagnostic
from docstead.repository.places import Faults

T = TypeVar("T")

ROOM_CHARACTERS = 64_000_000  # of the texts that a service remembers
SHARED = 4  # keys that hold the text of a page which another key holds too cost so much less


class Memory:
    """Values and faults by key; `room` bounds the characters of all texts that led to them."""

    def __init__(self, room: int) -> None:
        self.keeps = room > 0
        self._room = room
        self._known: OrderedDict[Hashable, tuple[object, tuple[Diagnostic, ...], int]]
        self._known = OrderedDict()
        self._lock = threading.Lock()

    def recall(
        self, key: Hashable, make: Callable[[Faults], T], faults: Faults, *, characters: int
    ) -> T:
        """Return the cached result of `make` for this key; add its diagnostics to `faults`."""
        if not self.keeps:
            return make(faults)
        known = self._get(key)
        if known is None:
            found = Faults()
            known = make(found), found.sorted(), characters
            self._put(key, known)
        faults.add(known[1])
        return cast(T, known[0])

    def entries(self) -> tuple[tuple[Hashable, object], ...]:
        """Everything that is known, to be given to `restore`, also in another process."""
        with self._lock:
            return tuple(self._known.items())

    def restore(self, entries: Iterable[tuple[Hashable, Any]]) -> None:
        for key, known in entries:
            self._put(key, known)

    def _get(self, key: Hashable) -> tuple[object, tuple[Diagnostic, ...], int] | None:
        with self._lock:
            known = self._known.get(key)
            if known is not None:
                self._known.move_to_end(key)
            return known

    def _put(self, key: Hashable, made: tuple[object, tuple[Diagnostic, ...], int]) -> None:
        with self._lock:
            if key not in self._known:
                self._room -= made[2]
            self._known[key] = made
            while self._room < 0 and self._known:
                _, (_, _, characters) = self._known.popitem(last=False)
                self._room += characters


def no_memory() -> Memory:
    """One that keeps nothing."""
    return Memory(0)
