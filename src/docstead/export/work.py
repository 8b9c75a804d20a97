"""Steps of an export, each of which is idempotent."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from docstead.base.errors import NotFound
from docstead.export.bundle import write_bundle
from docstead.export.files import StaticSite
from docstead.export.options import ExportOptions
from docstead.export.parts import ExportParts, bundle_key
from docstead.export.records import Export, ExportRecords, ExportStatus
from docstead.export.static_file import StaticFile
from docstead.export.temp_files import TempFiles
from docstead.publishing.editions import EditionStore
from docstead.publishing.storage_quota import StorageQuota
from docstead.storage.objects import ObjectStore

BATCH_PAGES = 32

# progress fractions of pages and bundle; the rest is the upload
_PAGES_PERCENT, _BUNDLE_PERCENT = 70.0, 25.0


class ExportWork:
    """Runs one unfinished export."""

    def __init__(
        self,
        export: Export,
        options: ExportOptions,
        *,
        records: ExportRecords,
        editions: EditionStore,
        objects: ObjectStore,
        filename: str,
        quota: StorageQuota | None = None,
    ) -> None:
        self._quota = quota
        self._export = export
        self._filename = filename
        self._options = options
        self._records = records
        self._editions = editions
        self._objects = objects
        self._parts = ExportParts(objects, export.id)

    def begin(self) -> int:
        """Mark the export as running; return the number of its batches."""
        if self._records.get(self._export.id).status is ExportStatus.QUEUED:
            self._records.advance(self._export.id, ExportStatus.RUNNING)
        return -(-len(self._site.slugs) // BATCH_PAGES)

    def write_batch(self, number: int) -> int:
        """Store the pages of a batch, if missing; return the number of pages stored so far."""
        slugs = self._site.slugs
        batch = slugs[number * BATCH_PAGES : (number + 1) * BATCH_PAGES]
        if not self._parts.has(number):
            self._parts.store(number, self._site.page_files(batch))
        done = number * BATCH_PAGES + len(batch)
        self._report(done, _PAGES_PERCENT * done / len(slugs))
        return done

    def write_bundle(self, batches: int) -> int:
        """Build the bundle and complete the export; return its size in bytes."""
        with (
            tempfile.TemporaryDirectory(prefix="docstead-export-") as name,
            TempFiles() as temp_files,
        ):
            target = Path(name) / "bundle.tar.gz"
            size = write_bundle(self._files(temp_files, batches), target, self._bundling())
            if self._quota is not None:
                self._quota.check(self._export.organization_id, size)
            self._objects.put(bundle_key(self._export.id), target, filename=self._filename)
        self._records.advance(
            self._export.id,
            ExportStatus.COMPLETED,
            progress=100.0,
            page_count=len(self._site.slugs),
            object_key=bundle_key(self._export.id),
            size_bytes=size,
        )
        return size

    def clear(self) -> None:
        """Delete intermediate data."""
        self._parts.delete()

    def _bundling(self) -> Callable[[int, int], None]:
        """Return a function that reports whole percents only."""
        pages, reported = len(self._site.slugs), 0

        def bundled(done: int, total: int) -> None:
            nonlocal reported
            percent = int(_BUNDLE_PERCENT * done / total) if total else 0
            if percent > reported:
                reported = percent
                self._report(pages, _PAGES_PERCENT + percent)

        return bundled

    def _report(self, pages: int, percent: float) -> None:
        self._records.report(self._export.id, pages, round(percent, 1))

    def _files(self, temp_files: TempFiles, batches: int) -> list[StaticFile]:
        files = list(temp_files.keep(self._site.other_files(temp_files)))
        for number in range(batches):
            files += temp_files.add_all(self._part(number))
        return files

    def _part(self, number: int) -> dict[str, bytes]:
        """Return the files of a batch, written again if they are lost."""
        try:
            return self._parts.load(number)
        except NotFound:
            self.write_batch(number)
            return self._parts.load(number)

    @cached_property
    def _site(self) -> StaticSite:
        edition = self._editions.open(self._export.edition_id)
        return StaticSite(edition, self._options)
