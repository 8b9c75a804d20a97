"""Atomic replacement of an export's folder.

An existing folder is replaced only if it is empty or an earlier export, and no git repository.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from docstead.base.errors import Conflict
from docstead.export.manifest import MARKER


def check_replaceable(directory: Path) -> None:
    """Check whether a folder may be replaced.

    Raises:
        Conflict: it contains something other than an export, or a git repository.
    """
    if directory.is_symlink() or (directory.exists() and not directory.is_dir()):
        raise Conflict(
            f"{directory} is not a folder; name another folder, or a file ending in .tar.gz or .zip"
        )
    if (directory / ".git").exists():
        raise Conflict(
            f"{directory} has a git repository, which the export would remove; "
            "choose another folder, and copy the files from there"
        )
    if not directory.exists() or (directory / MARKER).is_file():
        return
    if any(directory.iterdir()):
        raise Conflict(f"{directory} is not empty and not an earlier export; choose another folder")


def put_in_place(fresh: Path, directory: Path) -> Path | None:
    """Move the new folder into place; return a folder with the one that it replaced, to remove."""
    if not directory.exists():
        fresh.rename(directory)
        return None
    old = Path(tempfile.mkdtemp(prefix=f".{directory.name}-old-", dir=directory.parent))
    directory.rename(old / "export")
    fresh.rename(directory)
    return old


class FolderRemoval:
    """Removal of a folder by another process, while the caller works."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        with suppress(OSError):  # there is no such program
            self._process = subprocess.Popen(
                ("rm", "-rf", "--", folder),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )

    def wait(self) -> None:
        """Return when the folder is removed, by this process if the other one failed."""
        if self._process is not None:
            self._process.wait()
        if self._folder.exists():
            shutil.rmtree(self._folder)
