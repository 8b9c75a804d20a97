"""Cache between exports: the edition of the last one, and its outputs.

    edition.sqlite   pages as they were rendered; the next build takes those that are the same
    last.json        what was exported, and the outputs that hold exactly that

Nothing here is needed: what is missing, damaged or of another version is made again, and
the result is the same bytes as without a cache.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from docstead.base.decoders import json_decoder
from docstead.base.errors import DocsteadError, InvalidRequest
from docstead.base.fingerprint import code_fingerprint
from docstead.content.diagnostics import Diagnostic
from docstead.export.manifest import MANIFEST, read_manifest
from docstead.export.options import ExportOptions
from docstead.publishing.folders import files_of
from docstead.publishing.values import Checkout
from docstead.repository.remote_assets import was_not_fetched

if TYPE_CHECKING:
    from docstead.publishing.edition import Edition

_EDITION, _LAST = "edition.sqlite", "last.json"
_FILES_IN_ARCHIVE = 1
# From a source to stored pages, and from those to files.
_ROOTS = ("docstead.publishing.build", "docstead.export")


class OutputFacts(msgspec.Struct, frozen=True):
    """Something that an export wrote: how many bytes and files, and not changed since."""

    size_bytes: int
    files: int
    newest_ns: int


class LastExport(msgspec.Struct, frozen=True):
    """The last export. `fingerprint` is of all that it was made of."""

    fingerprint: str
    pages: int
    failed: int
    diagnostics: tuple[Diagnostic, ...] = ()
    outputs: dict[str, OutputFacts] = {}


_LAST_EXPORT = json_decoder(LastExport)


class ExportCache:
    """One source's cache, in a folder of its own below `root`."""

    def __init__(self, root: Path, source: str) -> None:
        self._folder = root / hashlib.sha256(source.encode()).hexdigest()[:16]

    def fingerprint(self, found: Checkout, options: ExportOptions) -> str:
        """Of everything that the files of an export depend on."""
        digest = hashlib.sha256(f"{code_fingerprint(*_ROOTS)} {found.revision.commit}\n".encode())
        digest.update(msgspec.json.encode(options))
        if found.revision.is_content:  # a commit says nothing of files that git ignores
            return digest.hexdigest()
        for path, file in files_of(found).items():
            digest.update(f"{path}\0{file.sha256}\n".encode(errors="surrogateescape"))
        return digest.hexdigest()

    def unchanged(self, fingerprint: str, output: Path) -> LastExport | None:
        """The last export, if it was of the same and `output` still is what it wrote."""
        last = self._last()
        if last is None or last.fingerprint != fingerprint or not self.edition_file.is_file():
            return None
        if any(map(was_not_fetched, last.diagnostics)):
            return None  # the next attempt may succeed
        written = last.outputs.get(str(output.absolute()))
        return last if written is not None and written == _measured(output) else None

    @property
    def edition_file(self) -> Path:
        return self._folder / _EDITION

    def edition(self, found: Checkout) -> Edition | None:
        """The edition of the last export, to take pages from."""
        from docstead.publishing.assets import FolderContents
        from docstead.publishing.edition import Edition

        try:
            return Edition("last", self.edition_file, FolderContents(found.path), self._folder)
        except (DocsteadError, OSError, sqlite3.Error):
            return None

    def keep(self, edition: Path, last: LastExport, output: Path) -> None:
        """Remember an export that has been written."""
        self._folder.mkdir(parents=True, exist_ok=True)
        before = self._last()
        same = before is not None and before.fingerprint == last.fingerprint
        others = before.outputs if before is not None and same else {}
        measured = _measured(output)
        outputs = {**others, **({str(output.absolute()): measured} if measured else {})}
        _put(
            self._folder / _LAST,
            msgspec.json.encode(msgspec.structs.replace(last, outputs=outputs)),
        )
        partial = self.edition_file.with_suffix(".new")
        shutil.copyfile(edition, partial)
        partial.replace(self.edition_file)

    def _last(self) -> LastExport | None:
        try:
            return _LAST_EXPORT.decode((self._folder / _LAST).read_bytes())
        except (OSError, msgspec.DecodeError):
            return None


def _measured(output: Path) -> OutputFacts | None:
    """Return the current state of an output; None if it is not complete."""
    if output.is_file():
        found = output.stat()
        return OutputFacts(found.st_size, _FILES_IN_ARCHIVE, found.st_mtime_ns)
    try:
        listed: Mapping[str, object] = read_manifest((output / MANIFEST).read_bytes())
    except (OSError, InvalidRequest):
        return None
    sizes = list(_stats(output))
    if len(sizes) != len(listed) + 1:
        return None
    return OutputFacts(sum(size for size, _ in sizes), len(sizes), max(time for _, time in sizes))


def _stats(folder: Path) -> Iterator[tuple[int, int]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _stats(Path(entry.path))
            else:
                found = entry.stat(follow_symlinks=False)
                yield found.st_size, found.st_mtime_ns


def _put(path: Path, data: bytes) -> None:
    partial = path.with_suffix(".new")
    partial.write_bytes(data)
    partial.replace(path)
