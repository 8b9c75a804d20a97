"""`check` and `export`: a source built in a temporary folder, without a database."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from docstead.base.errors import InvalidRequest
from docstead.cli.memory import PeakMemory
from docstead.cli.progress import progress_bar
from docstead.cli.report import Report, print_report, unreadable_told
from docstead.export.bundle import write_bundle
from docstead.export.files import static_files
from docstead.export.folder import check_replaceable, write_folder
from docstead.publishing.assets import FolderContents
from docstead.publishing.build import BuildReport, build_edition
from docstead.publishing.edition import Edition
from docstead.publishing.sources import Source, checkout
from docstead.settings import load_settings
from docstead.site.engine import Engine

_ARCHIVE_SUFFIX = ".tar.gz"


def run_check(source: str, *, ref: str | None, root: str, as_json: bool) -> None:
    started, memory = time.monotonic(), PeakMemory()
    with _building(Source(source, ref, root), started, memory, as_json=as_json) as built:
        pass
    _tell(built[1], started, memory, as_json=as_json, done="checked")


def run_export(
    source: str, output: Path, *, ref: str | None, root: str, base_url: str, as_json: bool
) -> None:
    started, memory = time.monotonic(), PeakMemory()
    _check_output(output)
    with _building(Source(source, ref, root), started, memory, as_json=as_json) as built:
        edition, report = built
        _write(edition, output, base_url)
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
    if not _is_archive(output):
        check_replaceable(output)
    if output.suffix in {".zip", ".tar", ".gz", ".tgz"} and not _is_archive(output):
        raise InvalidRequest(f"--output: {output.name}: an archive ends in {_ARCHIVE_SUFFIX}")


def _is_archive(output: Path) -> bool:
    return output.name.endswith(_ARCHIVE_SUFFIX)


def _write(edition: Edition, output: Path, base_url: str) -> None:
    if not _is_archive(output):
        write_folder(edition, output, base_url)
        return
    # The archive appears whole or not at all.
    output.parent.mkdir(parents=True, exist_ok=True)
    partial = output.with_name(f".{output.name}.partial")
    try:
        write_bundle(static_files(edition, None, base_url), partial)
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
