"""An export as a folder, for the command line.

The folder appears whole or not at all. One that is there already is replaced only when
it is empty or an earlier export.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from docstead.base.errors import Conflict
from docstead.export.files import MARKER, StaticFile, static_files
from docstead.publishing.edition import Edition


def write_folder(edition: Edition, directory: Path, base_url: str = "") -> int:
    """Write the whole edition to `directory`; how many files there are.

    Raises:
        Conflict: the directory holds something that is no export.
    """
    directory = directory.absolute()
    check_replaceable(directory)
    directory.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{directory.name}-", dir=directory.parent))
    try:
        files = static_files(edition, None, base_url)
        count = sum(_write(file, fresh) for file in files)
        fresh.chmod(0o755)
        check_replaceable(directory)
        _put_in_place(fresh, directory)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    return count


def check_replaceable(directory: Path) -> None:
    """Raises Conflict where `write_folder` would."""
    if directory.is_symlink() or (directory.exists() and not directory.is_dir()):
        raise Conflict(f"{directory} is not a folder")
    if not directory.exists() or (directory / MARKER).is_file():
        return
    if any(directory.iterdir()):
        raise Conflict(f"{directory} is not empty and not an earlier export; choose another folder")


def _write(file: StaticFile, root: Path) -> int:
    target = root / file.path
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as out:
        for block in file.blocks():
            out.write(block)
    return 1


def _put_in_place(fresh: Path, directory: Path) -> None:
    if not directory.exists():
        fresh.rename(directory)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{directory.name}-old-", dir=directory.parent))
    directory.rename(old / "export")
    fresh.rename(directory)
    shutil.rmtree(old)
