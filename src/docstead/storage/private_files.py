"""Access restrictions of the data folder, which belongs to one user of the machine."""

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
    """The data folder cannot be created or written to."""


@contextmanager
def private_files(folder: Path) -> Iterator[None]:
    """Restrict files created in the block, and those in `folder`, to their owner.

    If others could enter the folder, everything below it is restricted; otherwise only its direct
    files are checked.

    Raises:
        UnusableFolder: it cannot be created or written to.
    """
    before = os.umask(_OTHERS)
    try:
        _make(folder)
        was_open = _close(folder)
        for location, folders, files in os.walk(folder):
            for name in (*folders, *files):
                _close(Path(location, name))
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
        raise UnusableFolder(f"{folder}: the data folder is not writable; {_ADVICE}")


def _close(path: Path) -> bool:
    """Remove permissions of others; report whether there were any."""
    try:
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode) or not mode & _OTHERS:
            return False
        path.chmod(stat.S_IMODE(mode) & ~_OTHERS)
    except FileNotFoundError:  # other users own files in the folder, too
        return False
    except PermissionError:  # a volume whose folder is owned by root
        _log.debug("%s keeps its permissions: it belongs to another user", path)
    return True
