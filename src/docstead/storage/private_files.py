"""The data folder and all that is in it belong to one user of the machine."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_log = logging.getLogger(__name__)
_OTHERS = 0o077


@contextmanager
def private_files(folder: Path) -> Iterator[None]:
    """Files that the block makes, and those already in `folder`, are their owner's only.

    A folder that others could enter is closed with everything below it; in one that was closed
    already, only its own files are looked at.
    """
    before = os.umask(_OTHERS)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        was_open = _close(folder)
        for place, folders, files in os.walk(folder):
            for name in (*folders, *files):
                _close(Path(place, name))
            if not was_open:
                break
        yield
    finally:
        os.umask(before)


def _close(path: Path) -> bool:
    """Whether others had permissions, which they have lost now."""
    try:
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode) or not mode & _OTHERS:
            return False
        path.chmod(stat.S_IMODE(mode) & ~_OTHERS)
    except FileNotFoundError:  # others work in the folder, too
        return False
    except PermissionError:  # a volume whose folder belongs to root
        _log.debug("%s keeps its permissions: it belongs to another user", path)
    return True
