"""Processes that write the pages of an export, beside the one that writes the rest.

`python -m docstead.export.page_process` is given its task on the standard input, and
answers with the digest of every file that it wrote.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from docstead.base.errors import DocsteadError
from docstead.export.files import StaticSite
from docstead.export.manifest import FileFact, Manifest
from docstead.export.options import ExportOptions
from docstead.export.shared_pages import SharedPages
from docstead.export.writing import write_files
from docstead.publishing.assets import FolderContents
from docstead.publishing.edition import Edition

# Nothing of the folder that we happen to run in may be imported: it may be content.
_PROGRAM = (sys.executable, "-P", "-m", "docstead.export.page_process")
_FACTS = dict[str, FileFact]


@dataclass(frozen=True, slots=True)
class _Task:
    edition: Path
    options: ExportOptions
    pages: SharedPages
    root: Path


class PageProcess:
    """Writes pages of the edition in a file below `root`, from now on, as long as there are any."""

    def __init__(
        self, edition: Path, options: ExportOptions, pages: SharedPages, root: Path
    ) -> None:
        with tempfile.TemporaryFile() as task:
            pickle.dump(_Task(edition, options, pages, root), task, pickle.HIGHEST_PROTOCOL)
            task.seek(0)
            self._process = subprocess.Popen(
                _PROGRAM,
                stdin=task,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=[pages.queue],
            )

    def wait(self) -> dict[str, FileFact]:
        """The files that it wrote, when all are written. Raises `DocsteadError`."""
        answer, said = self._process.communicate()
        if self._process.returncode:
            last = said.decode(errors="replace").strip().rpartition("\n")[2]
            reason = last or f"the process ended with status {self._process.returncode}"
            raise DocsteadError(f"the pages could not be written: {reason}")
        return msgspec.json.decode(answer, type=_FACTS)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.returncode is None:
            self._process.kill()
            self._process.communicate()


def main() -> None:
    """Carry out the task on the standard input."""
    task: _Task = pickle.load(sys.stdin.buffer)  # noqa: S301 - from the process that started this
    manifest = Manifest()
    with tempfile.TemporaryDirectory(prefix="docstead-pages-") as scratch:
        edition = Edition("pages", task.edition, FolderContents(task.root), Path(scratch))
        site = StaticSite(edition, task.options)
        write_files(site.page_files(task.pages.taken()), task.root, manifest)
    sys.stdout.buffer.write(msgspec.json.encode(manifest.files))


if __name__ == "__main__":
    main()
