"""Cache of results derived from files, for callers that read the same files repeatedly."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Generic, TypeVar

T = TypeVar("T")

# Two changes within one tick of a file system's clock look like one: what was changed so
# shortly before it was read is read again.
_SETTLED_NS = 2_000_000_000

_Stamp = tuple[int, int, int, int, int]


class Unchanged(Generic[T]):
    """Makes something of a file, once until its size or one of its times is another.

    The time of a file's last change of any kind is the system's own: no program can set it.
    So many files have `room`.
    """

    def __init__(self, make: Callable[[Path], T], room: int = 100_000) -> None:
        self._make = make
        self._room = room
        self._known: OrderedDict[str, tuple[_Stamp, T]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, path: Path) -> T:
        """Raises OSError where the file cannot be read."""
        name, now = str(path), time.time_ns()
        stamp = _stamp(path)
        with self._lock:
            known = self._known.get(name)
        if known is not None and known[0] == stamp:
            return known[1]
        made = self._make(path)
        if now - max(stamp[-2:]) > _SETTLED_NS:
            self._put(name, (stamp, made))
        return made

    def entries(self) -> tuple[tuple[str, object], ...]:
        """Everything that is known, to be given to `restore`, also in another process."""
        with self._lock:
            return tuple(self._known.items())

    def restore(self, entries: Iterable[tuple[str, Any]]) -> None:
        for name, known in entries:
            self._put(name, known)

    def _put(self, name: str, known: tuple[_Stamp, T]) -> None:
        with self._lock:
            self._known[name] = known
            self._known.move_to_end(name)
            while len(self._known) > self._room:
                self._known.popitem(last=False)


def _stamp(path: Path) -> _Stamp:
    found = path.stat()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
