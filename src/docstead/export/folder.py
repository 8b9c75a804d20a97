"""Output of an export as a folder, for the command line."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from docstead.export.files import StaticSite
from docstead.export.manifest import MANIFEST, ManifestWriter
from docstead.export.options import ExportOptions
from docstead.export.replacing import check_replaceable, put_in_place
from docstead.export.temp_files import TempFiles
from docstead.export.work_queue import taken
from docstead.export.writers import WriterProcesses, WriterTask
from docstead.export.writing import write_file, write_files
from docstead.publishing.edition import Edition


def write_folder(
    edition: Edition,
    directory: Path,
    writers: WriterProcesses,
    options: ExportOptions | None = None,
) -> int:
    """Write an edition with its manifest to `directory`; return the number of files.

    Raises:
        Conflict: the directory contains something other than an export.
    """
    directory = directory.absolute()
    check_replaceable(directory)
    directory.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{directory.name}-", dir=directory.parent))
    try:
        count = _write_all(StaticSite(edition, options or ExportOptions()), fresh, writers)
        fresh.chmod(0o755)
        check_replaceable(directory)
        put_in_place(fresh, directory)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    return count


def _write_all(site: StaticSite, root: Path, writers: WriterProcesses) -> int:
    """Write all files and return their number."""
    manifest, edition, queue = ManifestWriter(), site.edition, writers.work_queue.queue
    task = WriterTask(edition.path, edition.contents, site.options, queue, root)
    writers.begin(task)
    writers.share(task, site.shared)
    with TempFiles() as temp_files:
        write_files(site.gathered_files(temp_files), root, manifest)
    write_files(site.shared_files(taken(queue, site.shared)), root, manifest)
    manifest.files.update(writers.wait())
    write_file(root / MANIFEST, iter((manifest.json(),)))
    return len(manifest.files) + 1
