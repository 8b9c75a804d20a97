"""The `check` command: renders a source in a temporary folder and prints diagnostics."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import msgspec
import typer

from docstead.assistant.expected_answers.task import CHECKED_BUILD
from docstead.base.memory import PeakMemory
from docstead.cli.builders import command_builders
from docstead.cli.building import built
from docstead.cli.formats import OutputFormat, github_line, sarif
from docstead.cli.report import JsonReport, print_report, reported_unreadable
from docstead.cli.source_trees import SourceTree
from docstead.content.diagnostics import Severity
from docstead.publishing.build import BuildReport
from docstead.publishing.builders import OwnProcess
from docstead.publishing.sources import DocumentationSource
from docstead.settings import load_settings


def run_check(source: DocumentationSource, *, requested: OutputFormat, strict: bool) -> None:
    """Check a source and exit with status 1 for errors or, if `strict`, for warnings."""
    started, memory = time.monotonic(), PeakMemory()
    as_json = requested is OutputFormat.JSON
    with reported_unreadable(memory, started, as_json=as_json), memory:
        found = _built(source, quiet=requested is not OutputFormat.TEXT)
    failing = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    report = JsonReport.of(found, started, memory, failing=frozenset(failing))
    if requested in (OutputFormat.TEXT, OutputFormat.JSON):
        print_report(report, as_json=as_json, done="checked")
    _print(report, requested, _folder_of(source))
    raise typer.Exit(report.exit_status)


def _built(source: DocumentationSource, *, quiet: bool) -> BuildReport:
    settings = load_settings()
    with (
        tempfile.TemporaryDirectory(prefix="docstead-") as name,
        command_builders(settings, Path(name), OwnProcess(), ahead=True) as builders,
    ):
        folder = Path(name)
        found = SourceTree(source, folder / "sources", settings)
        _, report = built(builders, found, folder, quiet=quiet, task=CHECKED_BUILD)
        return report


def _print(report: JsonReport, requested: OutputFormat, folder: str) -> None:
    # Notes are omitted, because GitHub shows only a few annotations.
    shown = [d for d in report.diagnostics if d.severity is not Severity.INFO]
    if requested is OutputFormat.GITHUB:
        sys.stdout.writelines(github_line(each, folder) + "\n" for each in shown)
    else:
        log = sarif(report.diagnostics, folder)
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(log), indent=2).decode() + "\n")


def _folder_of(source: DocumentationSource) -> str:
    """Return the path from the working directory, usually the repository root, to the source."""
    folder = Path(source.location)
    if not folder.is_dir():
        return f"{source.root}/" if source.root else ""
    way = os.path.relpath(folder / source.root)
    return "" if way == "." else f"{Path(way).as_posix()}/"
