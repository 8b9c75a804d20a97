"""Writer process of an export: `python -m docstead.export.writer`.

It prepares itself and reads its task from standard input. It prints a newline when its additions to
files of all pages are stored, and then the digest of every file that it wrote.
"""

from __future__ import annotations

import pickle
import sys
import tempfile
from pathlib import Path

import msgspec

from docstead.base.heap import tune_gc
from docstead.export.files import StaticSite
from docstead.export.manifest import ManifestWriter
from docstead.export.page_additions import store_additions
from docstead.export.work_queue import taken
from docstead.export.writers import ADDED, WriterTask
from docstead.export.writing import write_files
from docstead.publishing.edition import Edition


def main() -> None:
    """Run the task on standard input."""
    tune_gc()
    task: WriterTask = pickle.load(sys.stdin.buffer)  # noqa: S301 - from the process that started this
    manifest = ManifestWriter()
    with tempfile.TemporaryDirectory(prefix="docstead-writer-") as scratch:
        edition = Edition("written", task.edition, task.contents, Path(scratch))
        site = StaticSite(edition, task.options)
        if task.parts > 1:
            store_additions(site.additions(site.part(task.part, task.parts)), task.additions)
            sys.stdout.buffer.write(ADDED)
            sys.stdout.buffer.flush()
        write_files(site.shared_files(taken(task.queue, site.shared)), task.root, manifest)
    sys.stdout.buffer.write(msgspec.json.encode(manifest.files))


if __name__ == "__main__":
    main()
