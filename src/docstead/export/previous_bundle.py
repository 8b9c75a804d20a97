"""Bundles of completed exports, from which the next export of a deployment copies.

    exports/ID/bundle.tar.gz          the bundle
    exports/ID/next/index             its segments, files and pages, and the code that wrote it
    exports/ID/next/results.sqlite    what its pages add to the search and the full text

Only exports of all pages have `next`, and only the newest of a deployment. It is optional: if it is
missing or damaged, or written by other code, the next export writes everything, with the same
bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from docstead.base.decoders import msgpack_decoder
from docstead.base.errors import NotFound
from docstead.base.files import sha256_of_file
from docstead.export.last_files import LastFiles, WrittenPages, export_code
from docstead.export.page_results import StoredResults
from docstead.export.parts import bundle_key, folder_key
from docstead.export.records import Export, ExportRecords, ExportStatus
from docstead.export.segments import ArchiveIndex, SegmentArchive
from docstead.storage.objects import ObjectStore


class _BundleIndex(msgspec.Struct, frozen=True):
    code: str
    pages: WrittenPages
    archive: ArchiveIndex


_BUNDLE_INDEX = msgpack_decoder(_BundleIndex)


@dataclass(frozen=True)
class PreviousBundle:
    """The newest bundle of a deployment with all pages."""

    export_id: str
    index: ArchiveIndex
    written: LastFiles


class PreviousBundles:
    """Bundles that can be copied from, of all deployments."""

    def __init__(self, objects: ObjectStore, records: ExportRecords) -> None:
        self._objects = objects
        self._records = records

    def before(self, export: Export) -> PreviousBundle | None:
        """Return the bundle that an export of all pages may copy from."""
        for each in self._complete_before(export):
            with suppress(NotFound, msgspec.DecodeError):
                stored = _BUNDLE_INDEX.decode(self._objects.get(_index_key(each.id)))
                if stored.code != export_code():
                    return None
                written = LastFiles(stored.archive.files, stored.pages)
                return PreviousBundle(each.id, stored.archive, written)
        return None

    def download(self, previous: PreviousBundle, folder: Path) -> SegmentArchive | None:
        """Return the archive, unless it is damaged or gone."""
        path = folder / "previous.tar.gz"
        try:
            self._objects.download(bundle_key(previous.export_id), path)
        except NotFound:
            return None
        is_sound = sha256_of_file(path) == previous.index.sha256
        return SegmentArchive(path, previous.index) if is_sound else None

    @contextmanager
    def results(
        self, export_id: str, previous: PreviousBundle | None, folder: Path
    ) -> Iterator[StoredResults]:
        """Yield the results of pages, which are stored for the next export at the end."""
        path = folder / "results.sqlite"
        if previous is not None:
            with suppress(NotFound):
                self._objects.download(_results_key(previous.export_id), path)
        results = StoredResults(path, export_code())
        try:
            yield results
        finally:
            results.close()
        if path.exists():
            self._objects.put(_results_key(export_id), path)

    def store(self, export_id: str, pages: WrittenPages, archive: ArchiveIndex) -> None:
        """Store facts about a bundle for the next export."""
        stored = _BundleIndex(export_code(), pages, archive)
        self._objects.put(_index_key(export_id), msgspec.msgpack.encode(stored))

    def forget_before(self, export_id: str) -> None:
        """Delete what only this export needed, if the next one can copy from it."""
        export = self._records.get(export_id)
        if not _is_complete(export):
            return
        for each in self._complete_before(export):
            for key in list(self._objects.keys(_folder(each.id))):
                self._objects.delete(key)

    def _complete_before(self, export: Export) -> list[Export]:
        """Return other exports of all pages of the deployment, newest first."""
        found = self._records.of_deployment(export.deployment_id)
        return [each for each in found if _is_complete(each) and each.id != export.id]


def _is_complete(export: Export) -> bool:
    return export.status is ExportStatus.COMPLETED and export.paths is None


def _folder(export_id: str) -> str:
    return f"{folder_key(export_id)}/next"


def _index_key(export_id: str) -> str:
    return f"{_folder(export_id)}/index"


def _results_key(export_id: str) -> str:
    return f"{_folder(export_id)}/results.sqlite"
