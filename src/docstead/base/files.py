"""Files: atomic replacement, digests, and walks through folders."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a path in the same folder. The file written there replaces `path` atomically.

    If the block fails, the former file stays. Only one writer at a time is safe. The next one
    removes what a killed process has left. A power failure may lose the new file.
    """
    fresh = path.with_name(f".{path.name}.partial")
    fresh.unlink(missing_ok=True)
    try:
        yield fresh
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def sha256_of_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def files_below(
    root: str | Path, *, skip: Collection[str] = (), ignore_errors: bool = False
) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Yield all that is below a folder except folders, with its path from there, unsorted.

    Symbolic links are yielded and never followed. Folders with a name in `skip` are left out.
    With `ignore_errors`, so are those that vanish or cannot be read.
    """
    waiting = [""]
    while waiting:
        above = waiting.pop()
        try:
            with os.scandir(f"{root}/{above}") as entries:
                found = list(entries)
        except OSError:
            if not ignore_errors:
                raise
            continue
        for entry in found:
            if not entry.is_dir(follow_symlinks=False):
                yield f"{above}{entry.name}", entry
            elif entry.name not in skip:
                waiting.append(f"{above}{entry.name}/")
