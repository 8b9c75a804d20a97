"""Output of an export as a folder, for the command line.

The folder is complete before it replaces the previous one. After an edit, files that have not
changed are linked from the folder of the last export, instead of being written again.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Set
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from docstead.export.files import StaticSite
from docstead.export.last_files import WrittenPages
from docstead.export.manifest import MANIFEST, ManifestWriter
from docstead.export.options import ExportOptions
from docstead.export.previous_folder import PreviousFolder, new_folder
from docstead.export.replacing import check_replaceable, put_in_place
from docstead.export.temp_files import TempFiles
from docstead.export.work_queue import taken
from docstead.export.writers import FEW_FILES, WriterProcesses, WriterTask
from docstead.export.writing import write_file, write_files
from docstead.publishing.browser_search import PageResults
from docstead.publishing.edition import Edition
from docstead.publishing.frames import ShellInputs


@dataclass(frozen=True, slots=True)
class WrittenFolder:
    """Number of files of a folder, its chrome, and its pages if results of pages are kept."""

    files: int
    chrome: ShellInputs
    pages: WrittenPages | None


def write_folder(
    edition: Edition,
    directory: Path,
    writers: WriterProcesses,
    options: ExportOptions | None = None,
    *,
    previous: PreviousFolder | None = None,
    results: PageResults | None = None,
    chrome: ShellInputs | None = None,
) -> WrittenFolder:
    """Write an edition with its manifest to `directory`.

    `previous` is the folder of the last export, `results` what was derived from its pages, and
    `chrome` their chrome.

    Raises:
        Conflict: the directory contains something other than an export.
    """
    directory = directory.absolute()
    check_replaceable(directory)
    site = StaticSite(edition, options or ExportOptions(), results, chrome)
    unchanged = previous.unchanged_pages(site) if previous else frozenset()
    if previous is not None and len(site.slugs) - len(unchanged) >= FEW_FILES:
        previous.discard_linked()
        previous = None
    fresh = (previous.take_linked() if previous else None) or new_folder(directory)
    try:
        count = _write_all(site, fresh, writers, previous, unchanged)
        fresh.chmod(0o755)
        check_replaceable(directory)
        replaced = put_in_place(fresh, directory)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    if replaced is not None:
        writers.remove(replaced)
    pages = None if results is None else WrittenPages.of(site)
    return WrittenFolder(count, site.chrome, pages)


def _write_all(
    site: StaticSite,
    root: Path,
    writers: WriterProcesses,
    previous: PreviousFolder | None,
    unchanged: Set[str],
) -> int:
    """Write all files and return their number."""
    manifest = ManifestWriter()
    if previous is not None:
        _write_changes(site, root, manifest, previous, unchanged)
    else:
        _write_everything(site, root, manifest, writers)
    write_file(root / MANIFEST, iter((manifest.json(),)))
    return len(manifest.files) + 1


def _write_everything(
    site: StaticSite, root: Path, manifest: ManifestWriter, writers: WriterProcesses
) -> None:
    edition, queue = site.edition, writers.work_queue.queue
    with (
        tempfile.TemporaryDirectory(prefix="docstead-additions-") as name,
        TempFiles() as temp_files,
    ):
        additions = Path(name) / "additions"
        task = WriterTask(edition.path, edition.contents, site.options, queue, root, additions)
        parts = writers.share(task, site.shared, additions=not site.keeps_results)
        made = chain(site.additions(site.part(0, parts)), writers.additions() if parts > 1 else ())
        write_files(site.gathered_files(temp_files, made), root, manifest)
    write_files(site.shared_files(taken(queue, site.shared)), root, manifest)
    manifest.files.update(writers.wait())


def _write_changes(
    site: StaticSite,
    root: Path,
    manifest: ManifestWriter,
    previous: PreviousFolder,
    unchanged: Set[str],
) -> None:
    """Write changed files, and link the others."""
    previous.link_framed(site, root, manifest)
    for slug in unchanged:
        previous.link_page(site, slug, root, manifest)
    slugs = site.slugs
    for file in site.shared_files(
        n for n in range(site.shared) if n >= len(slugs) or slugs[n] not in unchanged
    ):
        previous.link_or_write(file, root, manifest)
    with TempFiles() as temp_files:
        for file in site.gathered_files(temp_files):
            previous.link_or_write(file, root, manifest)
    previous.remove_others(root, manifest)
