"""An export as a folder, for the command line.

The folder appears whole or not at all. One that is there already is replaced only when
it is empty or an earlier export.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from docstead.base.errors import Conflict
from docstead.export.files import static_files
from docstead.export.manifest import MANIFEST, MARKER, Manifest
from docstead.export.options import ExportOptions
from docstead.export.spool import Spool
from docstead.export.static_file import StaticFile
from docstead.publishing.edition import Edition


def write_folder(edition: Edition, directory: Path, options: ExportOptions | None = None) -> int:
    """Write an edition to `directory`, with its manifest; how many files there are.

    Raises:
        Conflict: the directory holds something that is no export.
    """
    directory = directory.absolute()
    check_replaceable(directory)
    directory.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{directory.name}-", dir=directory.parent))
    try:
        with Spool() as spool:
            files = static_files(edition, options or ExportOptions(), spool)
            count = _write_all(files, fresh)
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


def _write_all(files: Iterable[StaticFile], root: Path) -> int:
    """Pages are written as they come, so that no more than one is held in memory."""
    manifest, count = Manifest(), 1
    for file in files:
        _write(root / file.path, manifest.noting(file.path, file.blocks()))
        count += 1
    _write(root / MANIFEST, iter((manifest.json(),)))
    return count


def _write(target: Path, blocks: Iterator[bytes]) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as out:
        for block in blocks:
            out.write(block)


def _put_in_place(fresh: Path, directory: Path) -> None:
    if not directory.exists():
        fresh.rename(directory)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{directory.name}-old-", dir=directory.parent))
    directory.rename(old / "export")
    fresh.rename(directory)
    shutil.rmtree(old)
