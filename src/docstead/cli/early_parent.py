"""Processes of a command that are forked before its modules are imported and its settings read."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docstead.publishing.builders.forking import CommandForkServer

TASKS = ("docstead.publishing.build_tasks",)  # imported by the warm parent
_SECRET = re.compile(r"SECRET|TOKEN|PASSWORD|KEY|CREDENTIAL|DATABASE_URL")  # variable names


@contextmanager
def early_parent() -> Iterator[CommandForkServer | None]:
    """Yield a parent process for builders and workers, which has not begun.

    Yields None if the environment contains secrets, which a fork would copy.
    """
    if any(map(_SECRET.search, os.environ)):
        yield None
        return
    from docstead.publishing.builders.forking import CommandForkServer

    parent = CommandForkServer(TASKS)
    try:
        yield parent
    finally:
        parent.close()


def seems_unchanged(source: str, cache: Path | None) -> bool:
    """Report whether nothing in a folder is newer than the last export with this cache.

    A quick guess, so that no worker starts in vain; the export compares everything.
    """
    if cache is None:
        return False
    try:
        last_ns = max(path.stat().st_mtime_ns for path in cache.glob("*/last.json"))
        return _newest_ns(source, last_ns) < last_ns
    except (OSError, ValueError):  # not a folder, or the first export
        return False


def _newest_ns(folder: str, last_ns: int) -> int:
    """Return the newest time in a folder, or one that is not before `last_ns`."""
    newest = Path(folder).stat().st_mtime_ns
    with os.scandir(folder) as entries:
        for entry in entries:
            if newest >= last_ns:
                break
            if entry.is_dir(follow_symlinks=False):
                newest = max(newest, _newest_ns(entry.path, last_ns))
            else:
                newest = max(newest, entry.stat(follow_symlinks=False).st_mtime_ns)
    return newest
