"""Cache between exports: the last edition and facts about its outputs.

    edition.sqlite   rendered pages, from which the next build copies unchanged ones
    reading/         what the builder parsed; only builders, in their sandbox, read and write it
    results.sqlite   what pages add to the search and the full text
    last.json        fingerprint of the export, and its outputs
    files            times and digests of source files and of the code
    written.json     the folder that was written last, from which unchanged files are linked
    archive          the tar.gz that was written last, from which segments are copied

The cache is optional: if it is missing, damaged or of another version, the export is made from
scratch with identical bytes.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from docstead.base.decoders import json_decoder, msgpack_decoder
from docstead.base.errors import DocsteadError, InvalidRequest
from docstead.base.files import files_below, replacing, sha256_of_file
from docstead.content.diagnostics import Diagnostic
from docstead.export.archive import PreviousArchive, WrittenArchive
from docstead.export.known_files import KnownFiles
from docstead.export.last_files import WrittenPages
from docstead.export.manifest import MANIFEST, read_manifest
from docstead.export.options import ExportOptions
from docstead.export.page_results import StoredResults, StoredRows, rows_ahead
from docstead.export.previous_folder import PreviousFolder
from docstead.export.writing import link_or_copy
from docstead.publishing.folders import files_of
from docstead.publishing.values import GitCheckout
from docstead.repository.remote_assets import was_not_fetched

if TYPE_CHECKING:
    from docstead.export.folder import WrittenFolder
    from docstead.publishing.edition import Edition
    from docstead.publishing.frames import ShellInputs

_EDITION, _LAST = "edition.sqlite", "last.json"
_READING = "reading"
_RESULTS, _FILES = "results.sqlite", "files"
_WRITTEN, _ARCHIVE = "written.json", "archive"
_FILES_IN_ARCHIVE = 1


class OutputFacts(msgspec.Struct, frozen=True):
    """Size and number of files of an output, to detect changes."""

    size_bytes: int
    files: int
    newest_ns: int


class LastExport(msgspec.Struct, frozen=True):
    """The last export, with the `fingerprint` of its inputs."""

    fingerprint: str
    pages: int
    failed: int
    diagnostics: tuple[Diagnostic, ...] = ()
    outputs: dict[str, OutputFacts] = {}


@dataclass(frozen=True, slots=True)
class CachedReading:
    """A folder of builders, the code that its contents are from, and the engine's version."""

    folder: Path
    code: str
    engine: str


class LastFolder(msgspec.Struct, frozen=True):
    """The folder that the last export wrote, by code of a version."""

    code: str
    folder: str
    facts: OutputFacts
    pages: WrittenPages


class LastArchive(msgspec.Struct, frozen=True):
    """The tar.gz that the last export wrote, by code of a version."""

    code: str
    path: str
    archive: WrittenArchive


_LAST_EXPORT = json_decoder(LastExport)
_LAST_FOLDER = json_decoder(LastFolder)
_LAST_ARCHIVE = msgpack_decoder(LastArchive)


class ExportCache:
    """Cache of one source, in its own folder below `root`."""

    def __init__(self, root: Path, source: str) -> None:
        self._folder = root / hashlib.sha256(source.encode()).hexdigest()[:16]
        self.files = KnownFiles(self._folder / _FILES)
        self.chrome: ShellInputs | None = None  # of the last export
        self._prepared: PreviousFolder | None = None
        self._rows: StoredRows = {}
        self._linked: PreviousFolder | None = None  # with links that may have to be removed

    def fingerprint(self, found: GitCheckout, options: ExportOptions) -> str:
        """Return a fingerprint of everything that an export's files depend on."""
        digest = hashlib.sha256(f"{self.files.code} {found.revision.commit}\n".encode())
        digest.update(msgspec.json.encode(options))
        if found.revision.is_content:  # a commit does not cover files that git ignores
            return digest.hexdigest()
        for path, file in files_of(found).items():
            digest.update(f"{path}\0{file.sha256}\n".encode(errors="surrogateescape"))
        return digest.hexdigest()

    def unchanged(self, fingerprint: str, output: Path) -> LastExport | None:
        """Return the last export if its inputs and the `output` are unchanged."""
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

    @property
    def reading(self) -> CachedReading:
        """The folder for what builders of this code parse."""
        return CachedReading(self._folder / _READING, self.files.code, self.files.engine)

    def edition(self, found: GitCheckout) -> Edition | None:
        """Return the last edition, from which pages may be copied."""
        from docstead.publishing.assets import FolderContents
        from docstead.publishing.edition import Edition

        try:
            return Edition("last", self.edition_file, FolderContents(found.path), self._folder)
        except (DocsteadError, OSError, sqlite3.Error):
            return None

    @contextmanager
    def results(self) -> Iterator[StoredResults]:
        """Yield results that were derived from pages by this code."""
        rows, self._rows = self._rows, {}
        results = StoredResults(self._folder / _RESULTS, self.files.code, rows)
        try:
            yield results
        finally:
            results.close()

    def prepare(self, previous: Edition, options: ExportOptions, output: Path) -> None:
        """Read the last folder and results, render the chrome, link the files next to `output`.

        That is done while the next pages are rendered. `discard` must follow.
        """
        from docstead.export.files import StaticSite
        from docstead.publishing.browser_search import CONTRIBUTIONS

        self._prepared = self.previous_folder()
        if self._prepared is not None:  # written by this code
            site = StaticSite(previous, options)
            deque(site.page_files(site.slugs[:1]), maxlen=0)
            self.chrome = site.chrome
            self._linked = self._prepared
            self._linked.link_ahead(output.absolute())
            self._rows = rows_ahead(self._folder / _RESULTS, except_for=CONTRIBUTIONS)

    def discard(self) -> None:
        """Remove links that were made ahead and not used."""
        if self._linked is not None:
            self._linked.discard_linked()

    def previous_folder(self) -> PreviousFolder | None:
        """Return the folder that the last export wrote, unless it has changed since."""
        prepared, self._prepared = self._prepared, None
        return prepared or self._read_folder()

    def _read_folder(self) -> PreviousFolder | None:
        try:
            last = _LAST_FOLDER.decode((self._folder / _WRITTEN).read_bytes())
            folder = Path(last.folder)
            files = read_manifest((folder / MANIFEST).read_bytes())
        except (OSError, InvalidRequest, msgspec.DecodeError):
            return None
        if last.code != self.files.code or last.facts != _measured(folder, len(files) + 1):
            return None
        return PreviousFolder(folder, files, last.pages)

    def previous_archive(self) -> PreviousArchive | None:
        """Return the tar.gz that the last export wrote, unless it has changed since.

        Its digest decides: a torn or exchanged file may have the same size and time.
        """
        try:
            last = _LAST_ARCHIVE.decode((self._folder / _ARCHIVE).read_bytes())
            path = Path(last.path)
            is_same = last.code == self.files.code and (
                sha256_of_file(path) == last.archive.index.sha256
            )
        except (OSError, msgspec.DecodeError):
            return None
        return PreviousArchive.of(path, last.archive) if is_same else None

    def keep(
        self,
        edition: Path,
        last: LastExport,
        output: Path,
        written: WrittenFolder | WrittenArchive | None = None,
    ) -> None:
        """Store facts about an export, and about the output that it has `written`."""
        self._folder.mkdir(parents=True, exist_ok=True)
        before = self._last()
        same = before is not None and before.fingerprint == last.fingerprint
        others = before.outputs if before is not None and same else {}
        files = None if written is None or isinstance(written, WrittenArchive) else written.files
        measured = _measured(output, files)
        outputs = {**others, **({str(output.absolute()): measured} if measured else {})}
        _put(
            self._folder / _LAST,
            msgspec.json.encode(msgspec.structs.replace(last, outputs=outputs)),
        )
        if measured and written is not None:
            self._keep_written(str(output.absolute()), measured, written)
        self.files.store()
        with replacing(self.edition_file) as fresh:
            link_or_copy(edition, fresh)

    def _keep_written(
        self, output: str, facts: OutputFacts, written: WrittenFolder | WrittenArchive
    ) -> None:
        code = self.files.code
        if isinstance(written, WrittenArchive):
            archive = LastArchive(code, output, written)
            _put(self._folder / _ARCHIVE, msgspec.msgpack.encode(archive))
        elif written.pages is not None:
            folder = LastFolder(code, output, facts, written.pages)
            _put(self._folder / _WRITTEN, msgspec.json.encode(folder))
            self.chrome = written.chrome

    def _last(self) -> LastExport | None:
        try:
            return _LAST_EXPORT.decode((self._folder / _LAST).read_bytes())
        except (OSError, msgspec.DecodeError):
            return None


def _measured(output: Path, files: int | None = None) -> OutputFacts | None:
    """Return facts about an output; None if it is incomplete.

    A folder has this many `files`, by default as many as its manifest lists.
    """
    if output.is_file():
        found = output.stat()
        return OutputFacts(found.st_size, _FILES_IN_ARCHIVE, found.st_mtime_ns)
    if files is None:
        try:
            files = len(read_manifest((output / MANIFEST).read_bytes())) + 1
        except (OSError, InvalidRequest):
            return None
    stats = [entry.stat(follow_symlinks=False) for _, entry in files_below(output)]
    if len(stats) != files:
        return None
    newest = max(each.st_mtime_ns for each in stats)
    return OutputFacts(sum(each.st_size for each in stats), len(stats), newest)


def _put(path: Path, data: bytes) -> None:
    with replacing(path) as fresh:
        fresh.write_bytes(data)
