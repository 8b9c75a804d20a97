"""Temporary folder of this process, which does not outlive it for long.

A killed process leaves its folder behind, but not the lock on it, so the next process detects and
deletes it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PREFIX = "docstead-"
_LOCK = ".docstead-lock"
_UNLOCKED = ".docstead-lock-new"  # before others may take it for abandoned


@contextmanager
def process_scratch() -> Iterator[Path]:
    """Let `tempfile` of this process and its children use a separate folder."""
    usual, variable = tempfile.gettempdir(), os.environ.get("TMPDIR")
    remove_abandoned(Path(usual))
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
    lock = os.open(folder / _UNLOCKED, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        (folder / _UNLOCKED).rename(folder / _LOCK)
        tempfile.tempdir = os.environ["TMPDIR"] = str(folder)
        yield folder
    finally:
        tempfile.tempdir = usual
        if variable is None:
            os.environ.pop("TMPDIR", None)
        else:
            os.environ["TMPDIR"] = variable
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def remove_abandoned(parent: Path) -> None:
    """Delete the folders of killed processes."""
    for lock in parent.glob(f"{_PREFIX}*/{_LOCK}"):
        try:
            file = os.open(lock, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError:  # another user's, or deleted meanwhile
            continue
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(lock.parent, ignore_errors=True)
        except OSError:  # its process is alive
            continue
        finally:
            os.close(file)
