"""`check` and `export`: a source built in a temporary folder, without a database."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from docstead.base.errors import InvalidRequest
from docstead.cli.memory import PeakMemory
from docstead.cli.progress import progress_bar
from docstead.cli.report import Report, print_report, unreadable_told
from docstead.export.bundle import write_bundle
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
from docstead.settings import load_settings
from docstead.site.engine import Engine


def run_check(source: str, *, ref: str | None, root: str, as_json: bool) -> None:
    started, memory = time.monotonic(), PeakMemory()
    with _building(Source(source, ref, root), started, memory, as_json=as_json) as built:
        pass
    _tell(built[1], started, memory, as_json=as_json, done="checked")


def run_export(
    source: Source, output: Path, options: ExportOptions, paths: Sequence[str], *, as_json: bool
) -> None:
    """`paths` are the pages wanted, all of them where there are none."""
    started, memory = time.monotonic(), PeakMemory()
    _check_output(output)
    with _building(source, started, memory, as_json=as_json) as built:
        edition, report = built
        slugs = checked_paths(paths, frozenset(edition.slugs())) if paths else None
        _write(edition, output, replace(options, slugs=slugs))
    _tell(report, started, memory, as_json=as_json, done=f"exported to {output}")


@contextmanager
def _building(
    source: Source, started: float, memory: PeakMemory, *, as_json: bool
) -> Iterator[tuple[Edition, BuildReport]]:
    told = unreadable_told(memory, started, as_json=as_json)
    with told, memory, _built(source, quiet=as_json) as built:
        yield built


@contextmanager
def _built(source: Source, *, quiet: bool) -> Iterator[tuple[Edition, BuildReport]]:
    with tempfile.TemporaryDirectory(prefix="docstead-") as name, Engine(_workers()) as engine:
        folder = Path(name)
        found = checkout(source, folder / "sources")
        with progress_bar("Rendering", quiet=quiet) as progress:
            report = build_edition(found, engine, None, folder / "edition.sqlite", progress)
        edition = Edition("local", folder / "edition.sqlite", FolderContents(found.path), folder)
        yield edition, report


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
    built: BuildReport, started: float, memory: PeakMemory, *, as_json: bool, done: str
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
