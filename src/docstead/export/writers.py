"""Processes that write pages and assets of an export in parallel to the main process.

Before that, each computes the additions of a part of the pages to the files of all pages. After
that, one removes the folder that was replaced.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

import msgspec

from docstead.base.decoders import json_decoder
from docstead.base.errors import DocsteadError
from docstead.base.exit_status import exit_name, killed, was_killed
from docstead.export.manifest import FileFact
from docstead.export.options import ExportOptions
from docstead.export.page_additions import PageAddition, stored_additions
from docstead.export.replacing import FolderRemoval
from docstead.export.work_queue import WorkQueue

if TYPE_CHECKING:
    from docstead.publishing.assets import AssetContents

# Modules must not be imported from the working directory, which may contain untrusted content.
_PROGRAM = (sys.executable, "-P", "-m", "docstead.export.writer")
_FACTS = json_decoder(dict[str, FileFact])
ADDED = b"\n"  # printed when all additions are stored
FEW_FILES = 200  # pages that are written faster than a process starts


@dataclass(frozen=True, slots=True)
class WriterTask:
    """Task of a writer. `queue` is the pipe from which it takes numbers.

    It stores the additions of one of the `parts` of the pages, if there are several, as
    `additions`.
    """

    edition: Path
    contents: AssetContents
    options: ExportOptions
    queue: int
    root: Path
    additions: Path
    part: int = 0
    parts: int = 1


class WriterProcesses:
    """Writer processes of one export; at most `most` in addition to the caller."""

    def __init__(self, most: int = 1) -> None:
        self._most = max(1, most)
        self._running: list[_WriterProcess] = []
        self._removals: list[FolderRemoval] = []
        self.work_queue = WorkQueue()

    def prepare(self, pages: int) -> None:
        """Start a process for this many pages ahead of time, because it takes a while."""
        if pages >= FEW_FILES and not self._running:
            self._running.append(_WriterProcess(self.work_queue.queue))

    def share(self, task: WriterTask, files: int, *, additions: bool) -> int:
        """Let processes write this many files, taking the next few when they are free.

        Return in how many parts the `additions` of pages are made: the first by the caller, the
        others by the processes.
        """
        requested = min(self._most, files // FEW_FILES)
        while len(self._running) < requested:
            self._running.append(_WriterProcess(self.work_queue.queue))
        parts = len(self._running) + 1 if additions else 1
        for part, writer in enumerate(self._running, 1):
            own = task.additions.with_suffix(f".{part}")
            writer.begin(replace(task, additions=own, part=part, parts=parts))
        self.work_queue.fill(files)
        return parts

    def additions(self) -> Iterator[PageAddition]:
        """Yield the additions that the processes made, in order.

        Raises:
            DocsteadError: a process failed.
        """
        for writer in self._running:
            yield from writer.additions()

    def wait(self) -> dict[str, FileFact]:
        """Wait for the processes; return the files that they wrote.

        Raises:
            DocsteadError: a process failed.
        """
        return {path: fact for writer in self._running for path, fact in writer.wait().items()}

    def remove(self, folder: Path) -> None:
        """Let a process remove a folder until this object is closed."""
        self._removals.append(FolderRemoval(folder))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for writer in self._running:
            writer.stop()
        self.work_queue.close()
        for removal in self._removals:
            removal.wait()


class _WriterProcess:
    """One process: `docstead.export.writer`."""

    def __init__(self, queue: int) -> None:
        self._additions = Path()
        self._process = subprocess.Popen(
            _PROGRAM,
            bufsize=0,  # of what it prints, `communicate` reads only what is in no buffer
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=[queue],
        )

    def begin(self, task: WriterTask) -> None:
        self._additions = task.additions
        if (task_pipe := self._process.stdin) is None:
            return
        self._process.stdin = None  # `communicate` expects it to be open
        with suppress(BrokenPipeError), task_pipe:  # if it has ended, `wait` reports why
            pickle.dump(task, task_pipe, pickle.HIGHEST_PROTOCOL)

    def additions(self) -> Iterator[PageAddition]:
        if self._process.stdout is None or self._process.stdout.read(len(ADDED)) != ADDED:
            self.wait()
        yield from stored_additions(self._additions)
        self._additions.unlink()

    def wait(self) -> dict[str, FileFact]:
        """Return the files that it wrote.

        Raises:
            DocsteadError: it failed or was killed, or ended without the files.
        """
        answer, said = self._process.communicate()
        if self._process.returncode == 0:
            with suppress(msgspec.DecodeError):
                return _FACTS.decode(answer)
        raise DocsteadError(f"files could not be written: {_cause(self._process.returncode, said)}")

    def stop(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
            self._process.communicate()


def _cause(status: int, said: bytes) -> str:
    """Return why a process ended: its signal, or its status and the last line of its errors."""
    if was_killed(status):
        return killed("a writer process", status)
    last = said.decode(errors="replace").strip().rpartition("\n")[2]
    what = "ended before it listed them" if status == 0 else f"failed ({exit_name(status)})"
    return f"a writer process {what}" + (f": {last}" if last else "")
