"""An export as a folder, for the command line.

The folder appears whole or not at all. One that is there already is replaced only when
it is empty or an earlier export.
"""

from __future__ import annotations

import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path

from docstead.base.errors import Conflict
from docstead.export.files import StaticSite
from docstead.export.manifest import MANIFEST, MARKER, Manifest
from docstead.export.options import ExportOptions
from docstead.export.page_process import PageProcess
from docstead.export.shared_pages import shared_pages
from docstead.export.spool import Spool
from docstead.export.writing import write_file, write_files
from docstead.publishing.edition import Edition

_FEW_PAGES = 200  # are written sooner than another process has started


def write_folder(
    edition: Edition, directory: Path, options: ExportOptions | None = None, *, workers: int = 2
) -> int:
    """Write an edition to `directory`, with its manifest; how many files there are.

    So many `workers` do it: this process, and at least one other that writes pages.

    Raises:
        Conflict: the directory holds something that is no export.
    """
    directory = directory.absolute()
    check_replaceable(directory)
    directory.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{directory.name}-", dir=directory.parent))
    try:
        count = _write_all(StaticSite(edition, options or ExportOptions()), fresh, workers)
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


def _write_all(site: StaticSite, root: Path, workers: int) -> int:
    """How many files there are."""
    manifest = Manifest()
    with ExitStack() as stack:
        pages = stack.enter_context(shared_pages(site.slugs))
        running = [
            stack.enter_context(PageProcess(site.edition.path, site.options, pages, root))
            for _ in range(_page_processes(site, workers))
        ]
        write_files(site.other_files(stack.enter_context(Spool())), root, manifest)
        write_files(site.page_files(pages.taken()), root, manifest)
        for process in running:
            manifest.files.update(process.wait())
    write_file(root / MANIFEST, iter((manifest.json(),)))
    return len(manifest.files) + 1


def _page_processes(site: StaticSite, workers: int) -> int:
    return min(max(1, workers - 1), -(-len(site.slugs) // _FEW_PAGES))


def _put_in_place(fresh: Path, directory: Path) -> None:
    if not directory.exists():
        fresh.rename(directory)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{directory.name}-old-", dir=directory.parent))
    directory.rename(old / "export")
    fresh.rename(directory)
    shutil.rmtree(old)
