"""`export`: a source built in a temporary folder, without a database."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from docstead.base.errors import InvalidRequest
from docstead.cli.memory import PeakMemory
from docstead.cli.progress import progress_bar
from docstead.cli.report import Report, print_report, unreadable_told
from docstead.content.diagnostics import Diagnostic
from docstead.export.bundle import write_bundle
from docstead.export.cache import ExportCache, Last
from docstead.export.files import static_files
from docstead.export.folder import check_replaceable, write_folder
from docstead.export.launcher import write_offline_zip
from docstead.export.options import ExportOptions
from docstead.export.selection import checked_paths
from docstead.export.spool import Spool
from docstead.export.static_file import StaticFile
from docstead.publishing.assets import FolderContents
from docstead.publishing.build import BuildReport, build_edition
from docstead.publishing.edition import Edition
from docstead.publishing.sources import Source, checkout
from docstead.publishing.values import Checkout
from docstead.settings import load_settings
from docstead.site.engine import Engine

_EDITION = "edition.sqlite"


def run_export(
    source: Source,
    output: Path,
    options: ExportOptions,
    paths: Sequence[str],
    *,
    cache: Path | None,
    as_json: bool,
) -> None:
    """`paths` are the pages wanted, all of them where there are none."""
    started, memory = time.monotonic(), PeakMemory()
    _check_output(output)
    told = unreadable_told(memory, started, as_json=as_json)
    with told, memory, tempfile.TemporaryDirectory(prefix="docstead-") as name:
        folder = Path(name)
        found = checkout(source, folder / "sources")
        job = _Export(found, output, options, paths, _cache(cache, source), quiet=as_json)
        report = job.run(folder)
    _tell(report, started, memory, as_json=as_json, done=f"exported to {output}")


def _cache(folder: Path | None, source: Source) -> ExportCache | None:
    return None if folder is None else ExportCache(folder, f"{source.shown} {source.root}")


class _Export:
    """One export of a checkout; with a cache, only of what has changed since the last."""

    def __init__(
        self,
        found: Checkout,
        output: Path,
        options: ExportOptions,
        paths: Sequence[str],
        cache: ExportCache | None,
        *,
        quiet: bool,
    ) -> None:
        self._found = found
        self._output = output
        self._options = replace(options, slugs=tuple(paths) or None)
        self._cache = cache
        self._quiet = quiet

    def run(self, folder: Path) -> _Outcome:
        if self._cache is None:
            return self._made(folder, None)
        fingerprint = self._cache.fingerprint(self._found, self._options)
        last = self._cache.unchanged(fingerprint, self._output)
        if last is not None:
            edition = self._cache.edition(self._found)
            if edition is not None:
                return _Outcome(last.pages, last.failed, edition.diagnostics)
        made = self._made(folder, self._cache.edition(self._found))
        last = Last(fingerprint, made.pages, made.failed)
        self._cache.keep(folder / _EDITION, last, self._output)
        return made

    def _made(self, folder: Path, previous: Edition | None) -> _Outcome:
        edition, report = _built(self._found, folder, previous, quiet=self._quiet)
        wanted = self._options.slugs
        slugs = checked_paths(wanted, frozenset(edition.slugs())) if wanted else None
        _write(edition, self._output, replace(self._options, slugs=slugs))
        return _Outcome(report.pages, report.failed, report.diagnostics)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What is told of a build."""

    pages: int
    failed: int
    diagnostics: tuple[Diagnostic, ...]


def _built(
    found: Checkout, folder: Path, previous: Edition | None, *, quiet: bool
) -> tuple[Edition, BuildReport]:
    target = folder / _EDITION
    with Engine(_workers()) as engine, progress_bar("Rendering", quiet=quiet) as progress:
        report = build_edition(found, engine, previous, target, progress)
    return Edition("local", target, FolderContents(found.path), folder), report


def _workers() -> int:
    return load_settings().render_workers


def _check_output(output: Path) -> None:
    """Refuse before the work, not after it."""
    if _writer(output) is None:
        check_replaceable(output)
    if output.suffix in {".tar", ".gz", ".tgz"} and _writer(output) is None:
        raise InvalidRequest(f"--output: {output.name}: an archive ends in .tar.gz or .zip")


def _writer(output: Path) -> Callable[[Iterable[StaticFile], Path], int] | None:
    """What writes an archive of this name; None for a folder."""
    if output.name.endswith(".tar.gz"):
        return write_bundle
    return write_offline_zip if output.suffix == ".zip" else None


def _write(edition: Edition, output: Path, options: ExportOptions) -> None:
    write = _writer(output)
    if write is None:
        write_folder(edition, output, options)
        return
    # The archive appears whole or not at all.
    output.parent.mkdir(parents=True, exist_ok=True)
    partial = output.with_name(f".{output.name}.partial")
    try:
        with Spool() as spool:
            write(spool.keep(static_files(edition, options, spool)), partial)
        partial.replace(output)
    finally:
        partial.unlink(missing_ok=True)


def _tell(
    built: BuildReport | _Outcome, started: float, memory: PeakMemory, *, as_json: bool, done: str
) -> None:
    report = Report(
        pages=built.pages,
        rendered=built.pages - built.failed,
        failed=built.failed,
        diagnostics=built.diagnostics,
        seconds=time.monotonic() - started,
        peak_memory_bytes=memory.peak_bytes,
    )
    print_report(report, as_json=as_json, done=done)
