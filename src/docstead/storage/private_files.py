"""The data folder and all that is in it belong to one user of the machine."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from docstead.base.errors import DocsteadError

_log = logging.getLogger(__name__)
_OTHERS = 0o077
_ADVICE = (
    "let the user of this process read and write it, or name another folder with DOCSTEAD_DATA"
)


class UnusableFolder(DocsteadError):
    """The data folder cannot be made, or cannot be written to."""


@contextmanager
def private_files(folder: Path) -> Iterator[None]:
    """Files that the block makes, and those already in `folder`, are their owner's only.

    A folder that others could enter is closed with everything below it; in one that was closed
    already, only its own files are looked at.

    Raises:
        UnusableFolder: it cannot be made, or cannot be written to.
    """
    before = os.umask(_OTHERS)
    try:
        _make(folder)
        was_open = _close(folder)
        for place, folders, files in os.walk(folder):
            for name in (*folders, *files):
                _close(Path(place, name))
            if not was_open:
                break
        yield
    finally:
        os.umask(before)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise UnusableFolder(f"{folder}: the data folder is a file; {_ADVICE}") from error
    except OSError as error:
        reason = f"the data folder cannot be made ({error.strerror})"
        raise UnusableFolder(f"{folder}: {reason}; {_ADVICE}") from error
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise UnusableFolder(f"{folder}: the data folder cannot be written to; {_ADVICE}")


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
