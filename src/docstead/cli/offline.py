"""The `export` command: builds a source in a temporary folder, without a database."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from docstead.base.features import DeploymentType
from docstead.base.memory import PeakMemory
from docstead.cli.builders import command_builders
from docstead.cli.export_options import check_counting, excluded_pages, own_output
from docstead.cli.report import BuildResult, reported_unreadable
from docstead.cli.source_trees import SourceTree
from docstead.cli.unchanged_export import export_cache, print_export
from docstead.export.cache import ExportCache, LastExport
from docstead.export.options import ExportOptions
from docstead.export.writers import WriterProcesses
from docstead.publishing.builders import BuilderPool, WarmParent

if TYPE_CHECKING:
    from docstead.cli.building import BuilderOf
    from docstead.cli.export_command import ExportCommand
    from docstead.export.archive import WrittenArchive
    from docstead.export.cache import CachedReading
    from docstead.export.folder import WrittenFolder
    from docstead.publishing.build import BuildReport
    from docstead.publishing.edition import Edition


def run_export(
    command: ExportCommand, *, parent: WarmParent | None = None, ahead: bool = True
) -> None:
    """Run an export, print its report, and exit.

    With `ahead`, a V8 worker starts while the source is read and modules are imported.
    """
    started, memory = time.monotonic(), PeakMemory()
    error_report = reported_unreadable(memory, started, as_json=command.as_json)
    source, output, settings = command.source, Path(command.output), command.settings
    with (
        error_report,
        memory,
        tempfile.TemporaryDirectory(prefix="docstead-") as name,
        command_builders(settings, Path(name), parent, ahead=ahead) as builders,
        WriterProcesses(settings.render_workers - 1) as writers,
    ):
        folder = Path(name)
        kept = None if command.cache is None else export_cache(Path(command.cache), source)
        known = kept.files.memory if kept else None
        found = SourceTree(source, folder / "sources", settings, known)
        job = FolderExport(
            builders,
            writers,
            found,
            output,
            command.options,
            command.paths,
            kept,
            quiet=command.as_json,
        )
        report = job.run(folder)
    print_export(report, output, command.options, started, memory, as_json=command.as_json)


class FolderExport:
    """An export of a checkout; with a cache, only changes since the last are rendered."""

    def __init__(
        self,
        builders: BuilderPool,
        writers: WriterProcesses,
        found: SourceTree,
        output: Path,
        options: ExportOptions,
        paths: Sequence[str],
        cache: ExportCache | None,
        *,
        quiet: bool,
        builder_of: BuilderOf | None = None,
        on_written: Callable[[], object] = lambda: None,
    ) -> None:
        """`on_written` is called when the output is complete, before the cache is."""
        self._builder_of = builder_of
        self._on_written = on_written
        self._builders = builders
        self._writers = writers
        self._found = found
        self._output = output
        self._options = replace(options, slugs=tuple(paths) or None)
        self._cache = cache
        self._quiet = quiet

    def run(self, folder: Path) -> BuildResult:
        if self._cache is None:
            return self._made(folder, None)[0]
        fingerprint = self._cache.fingerprint(self._found.tree, self._options)
        last = self._cache.unchanged(fingerprint, self._output)
        if last is not None:
            return last
        from docstead.cli.building import EDITION

        made, written = self._made(folder, self._cache.edition(self._found.tree))
        self._on_written()
        ended = LastExport(fingerprint, made.pages, made.failed, made.diagnostics)
        self._cache.keep(folder / EDITION, ended, self._output, written)
        return made

    def _made(
        self, folder: Path, previous: Edition | None
    ) -> tuple[BuildResult, WrittenFolder | WrittenArchive | None]:
        from docstead.cli.building import check_output, is_archive

        check_output(self._output)
        if self._cache is None or self._builder_of is not None:  # a kept builder has what it parsed
            return self._written(*self._built(folder, previous, self._builder_of))
        from docstead.cli.cached_reading import prepared_meanwhile, saved_meanwhile

        path, reading = self._found.tree.path.resolve(), self._cache.reading
        with self._builders.builder(path, write=(reading.folder,)) as builder:
            builder.begin()  # before any threads start
            preparing: AbstractContextManager[None] = nullcontext()
            if previous is not None and not is_archive(self._output):
                preparing = prepared_meanwhile(self._cache, previous, self._options, self._output)
            try:
                with preparing:
                    made = self._built(folder, previous, lambda _: nullcontext(builder), reading)
                with saved_meanwhile(builder, reading):
                    return self._written(*made)
            finally:
                self._cache.discard()

    def _built(
        self,
        folder: Path,
        previous: Edition | None,
        builder_of: BuilderOf | None,
        reading: CachedReading | None = None,
    ) -> tuple[Edition, BuildReport]:
        from docstead.cli.building import built
        from docstead.publishing.build import without_pages

        edition, report = built(
            self._builders,
            self._found,
            folder,
            previous,
            quiet=self._quiet,
            kept=self._cache is not None,
            meanwhile=partial(self._prepare_writing, changes=previous is not None),
            is_air_gapped=self._options.deployment_type is DeploymentType.AIR_GAPPED,
            builder_of=builder_of,
            reading=reading,
        )
        if not report.pages:
            raise without_pages(report)
        return edition, report

    def _written(
        self, edition: Edition, report: BuildReport
    ) -> tuple[BuildResult, WrittenFolder | WrittenArchive | None]:
        from docstead.cli.building import write

        options = self._checked_options(edition)
        written = write(edition, self._output, options, self._writers, self._cache)
        pages = len(options.slugs) if options.slugs else report.pages
        diagnostics = (
            *report.diagnostics,
            *excluded_pages(self._options, edition.site),
            *own_output(self._output, self._found.tree.path, edition),
        )
        return replace(report, pages=pages, diagnostics=diagnostics), written

    def _prepare_writing(self, pages: int, *, changes: bool) -> None:
        """Load what writes the files; start processes unless only `changes` are written."""
        from docstead.cli.building import is_archive

        if not self._quiet:
            import rich.console  # noqa: F401 - will be needed, and there is time now
        if not is_archive(self._output):
            import docstead.export.folder  # noqa: F401 - the same
            from docstead.theme.markup import compile_templates

            if changes:
                compile_templates()
            else:
                self._writers.prepare(pages)

    def _checked_options(self, edition: Edition) -> ExportOptions:
        from docstead.export.selection import checked_paths

        check_counting(self._options, edition.site.config)
        requested = self._options.slugs
        slugs = checked_paths(requested, frozenset(edition.slugs())) if requested else None
        return replace(self._options, slugs=slugs)
