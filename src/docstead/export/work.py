"""Steps of an export, each of which is idempotent."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from docstead.base.errors import NotFound
from docstead.export.bundle import write_bundle
from docstead.export.files import StaticSite
from docstead.export.last_files import WrittenPages
from docstead.export.options import ExportOptions
from docstead.export.page_results import StoredResults
from docstead.export.parts import ExportParts, bundle_key
from docstead.export.previous_bundle import PreviousBundle, PreviousBundles
from docstead.export.records import Export, ExportRecords, ExportStatus
from docstead.export.segments import SegmentArchive
from docstead.export.static_file import StaticFile
from docstead.export.temp_files import TempFiles
from docstead.publishing.editions import EditionStore
from docstead.publishing.storage_quota import StorageQuota
from docstead.storage.objects import ObjectStore

BATCH_PAGES = 32

# progress fractions of pages and bundle; the rest is the upload
_PAGES_PERCENT, _BUNDLE_PERCENT = 70.0, 25.0


@dataclass(frozen=True, slots=True)
class _PageChanges:
    """Pages of an export: those that are copied from the `previous` bundle, and those written."""

    previous: PreviousBundle | None
    unchanged: frozenset[str]
    changed: tuple[str, ...]

    @classmethod
    def of(cls, site: StaticSite, previous: PreviousBundle | None) -> _PageChanges:
        unchanged = previous.written.unchanged_pages(site) if previous else frozenset()
        return cls(previous, unchanged, tuple(slug for slug in site.slugs if slug not in unchanged))

    @property
    def batches(self) -> int:
        return -(-len(self.changed) // BATCH_PAGES)

    def batch(self, number: int) -> tuple[str, ...]:
        return self.changed[number * BATCH_PAGES : (number + 1) * BATCH_PAGES]


class ExportWork:
    """Runs one unfinished export.

    Pages that have not changed since the last export of the deployment are copied from its bundle.
    """

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
        self._bundles = PreviousBundles(objects, records)

    def begin(self) -> int:
        """Mark the export as running; return the number of its batches."""
        if self._records.get(self._export.id).status is ExportStatus.QUEUED:
            self._records.advance(self._export.id, ExportStatus.RUNNING)
        return self._pages.batches

    def write_batch(self, number: int) -> int:
        """Store the pages of a batch, if missing; return the number of pages exported so far."""
        if not self._parts.has(number):
            self._parts.store(number, self._site.page_files(self._pages.batch(number)))
        pages = len(self._site.slugs)
        waiting = len(self._pages.changed) - (number + 1) * BATCH_PAGES
        done = pages - max(0, waiting)
        self._report(done, _PAGES_PERCENT * done / pages)
        return done

    def write_bundle(self) -> int:
        """Build the bundle and complete the export; return its size in bytes."""
        with tempfile.TemporaryDirectory(prefix="docstead-export-") as name:
            size = self._write_bundle(Path(name))
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
        ExportParts(self._objects, self._export.id).delete()
        self._bundles.forget_before(self._export.id)

    def _write_bundle(self, folder: Path) -> int:
        previous = self._pages.previous
        archive = self._bundles.download(previous, folder) if previous else None
        if previous is not None and archive is None:
            self._pages = _PageChanges.of(self._site, None)
        with self._results(folder) as results, TempFiles() as temp_files:
            site = StaticSite(self._site.edition, self._options, results, self._site.chrome)
            files = self._files(site, temp_files, archive)
            target = folder / "bundle.tar.gz"
            index = write_bundle(files.values(), target, self._bundling(), archive)
            if self._quota is not None:
                self._quota.check(self._export.organization_id, index.size_bytes)
            self._objects.put(bundle_key(self._export.id), target, filename=self._filename)
        if results is not None:
            self._bundles.store(self._export.id, WrittenPages.of(site), index)
        return index.size_bytes

    def _results(self, folder: Path) -> AbstractContextManager[StoredResults | None]:
        """Yield the results of pages that this export keeps for the next one."""
        if self._export.paths is not None:
            return nullcontext()
        return self._bundles.results(self._export.id, self._pages.previous, folder)

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

    def _files(
        self, site: StaticSite, temp_files: TempFiles, archive: SegmentArchive | None
    ) -> dict[str, StaticFile]:
        """Return all files by path: unchanged ones in the last archive, and others."""
        files: dict[str, StaticFile] = {}
        previous = self._pages.previous
        if archive is not None and previous is not None:
            paths = previous.written.unchanged_paths(site, self._pages.unchanged)
            files = {path: archive.file(path) for path in paths}
        for number in range(self._pages.batches):
            files |= {file.path: file for file in temp_files.add_all(self._part(number))}
        return files | {file.path: file for file in temp_files.keep(site.other_files(temp_files))}

    def _part(self, number: int) -> dict[str, bytes]:
        """Return the files of a batch, written again if they are lost."""
        try:
            return self._parts.load(number)
        except NotFound:
            self.write_batch(number)
            return self._parts.load(number)

    @cached_property
    def _pages(self) -> _PageChanges:
        is_whole = self._export.paths is None
        return _PageChanges.of(self._site, self._bundles.before(self._export) if is_whole else None)

    @property
    def _parts(self) -> ExportParts:
        previous = self._pages.previous
        since = previous.export_id if previous else None
        return ExportParts(self._objects, self._export.id, since)

    @cached_property
    def _site(self) -> StaticSite:
        edition = self._editions.open(self._export.edition_id)
        return StaticSite(edition, self._options)
