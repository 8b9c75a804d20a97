"""An export of which nothing has changed since the last one. It needs no builder."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from docstead.base.memory import PeakMemory
from docstead.cli.export_options import left_out, without_url
from docstead.cli.report import BuildResult, JsonReport, print_report, reported_unreadable
from docstead.cli.source_trees import SourceTree
from docstead.export.cache import ExportCache
from docstead.export.options import ExportOptions
from docstead.publishing.sources import DocumentationSource


def report_unchanged(
    source: DocumentationSource,
    output: Path,
    options: ExportOptions,
    paths: Sequence[str],
    *,
    cache: Path,
    as_json: bool,
) -> None:
    """Report the last export and exit, if neither its inputs nor its output have changed."""
    from docstead.settings import load_settings

    started, memory = time.monotonic(), PeakMemory()
    options = replace(options, slugs=tuple(paths) or None)
    last = None
    with (
        reported_unreadable(memory, started, as_json=as_json),
        memory,
        tempfile.TemporaryDirectory(prefix="docstead-") as name,
    ):
        kept = export_cache(cache, source)
        found = SourceTree(source, Path(name), load_settings(), kept.files.memory)
        last = kept.unchanged(kept.fingerprint(found.tree, options), output)
    if last is not None:
        print_export(last, output, options, started, memory, as_json=as_json)


def export_cache(folder: Path, source: DocumentationSource) -> ExportCache:
    return ExportCache(folder, f"{source.shown} {source.root}")


def print_export(
    built: BuildResult,
    output: Path,
    options: ExportOptions,
    started: float,
    memory: PeakMemory,
    *,
    as_json: bool,
) -> None:
    """Print the report of an export and exit with its status."""
    report = JsonReport.of(built, started, memory)
    about = (*left_out(options), *without_url(options))
    report = replace(report, diagnostics=(*about, *report.diagnostics))
    print_report(report, as_json=as_json, done=f"exported to {output}")
