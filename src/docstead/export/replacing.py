"""Atomic replacement of an export's folder.

An existing folder is replaced only if it is empty or an earlier export, and no git repository.
"""

from __future__ import annotations

import shutil
import tempfile
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


def put_in_place(fresh: Path, directory: Path) -> None:
    """Move the new folder into place."""
    if not directory.exists():
        fresh.rename(directory)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{directory.name}-old-", dir=directory.parent))
    directory.rename(old / "export")
    fresh.rename(directory)
    shutil.rmtree(old)
