"""Cache of results derived from files, for callers that read the same files repeatedly."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Generic, TypeVar

from docstead.base.lru_cache import LruCache

T = TypeVar("T")

# Two changes within one tick of a file system's clock look like one: what was changed so
# shortly before it was read is read again.
_SETTLED_NS = 2_000_000_000

_Stamp = tuple[int, int, int, int, int]


class FileCache(Generic[T]):
    """Makes something of a file, once until its size or one of its times is another.

    The time of a file's last change of any kind is the system's own: no program can set it.
    At most `max_files` are remembered.
    """

    def __init__(self, make: Callable[[Path], T], max_files: int = 100_000) -> None:
        self._make = make
        self._known = LruCache[str, tuple[_Stamp, T]](max_files)

    def of(self, path: Path) -> T:
        """Raises OSError where the file cannot be read."""
        name, now = str(path), time.time_ns()
        stamp = _stamp(path)
        known = self._known.get(name)
        if known is not None and known[0] == stamp:
            return known[1]
        made = self._make(path)
        if now - max(stamp[-2:]) > _SETTLED_NS:
            self._known.put(name, (stamp, made))
        return made

    def entries(self) -> tuple[tuple[str, object], ...]:
        """Everything that is known, to be given to `restore`, also in another process."""
        return self._known.items()

    def restore(self, entries: Iterable[tuple[str, Any]]) -> None:
        for name, known in entries:
            self._known.put(name, known)


def _stamp(path: Path) -> _Stamp:
    found = path.stat()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
