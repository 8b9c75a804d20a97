"""Atomic replacement of files, and their digests."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
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
