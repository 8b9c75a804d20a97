"""Cache of results derived from files."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Generic, TypeVar

from docstead.base.lru_cache import LruCache

T = TypeVar("T")

# Two changes within one tick of the file system's clock look like one. Files that were changed
# shortly before they were read are therefore read again.
_UNCHANGED_NS = 2_000_000_000

_Stamp = tuple[int, int, int, int, int]
CachedFile = tuple[str, tuple[_Stamp, T]]  # path, times and size, result


class FileCache(Generic[T]):
    """Caches a result per file, as long as the file's size and times stay the same.

    The inode change time cannot be set by programs. At most `max_files` entries are kept.
    """

    def __init__(self, make: Callable[[Path], T], max_files: int = 100_000) -> None:
        self._make = make
        self._known = LruCache[str, tuple[_Stamp, T]](max_files)

    def of(self, path: Path) -> T:
        """Return the result for a file.

        Raises:
            OSError: the file cannot be read.
        """
        name, now = str(path), time.time_ns()
        stamp = _stamp(path)
        known = self._known.get(name)
        if known is not None and known[0] == stamp:
            return known[1]
        made = self._make(path)
        if now - max(stamp[-2:]) > _UNCHANGED_NS:
            self._known.put(name, (stamp, made))
        return made

    def entries(self) -> tuple[CachedFile[T], ...]:
        """Return all entries, for `restore` in this or another process."""
        return self._known.items()

    def restore(self, entries: Iterable[CachedFile[T]]) -> None:
        for name, known in entries:
            self._known.put(name, known)


def _stamp(path: Path) -> _Stamp:
    found = path.stat()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
