"""What `check`, `export` and `publish` tell: one line for each diagnostic, or one JSON object."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import msgspec
import typer
from rich.console import Console
from rich.text import Text

from docstead.content.diagnostics import Diagnostic, Severity

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}


@dataclass(frozen=True, slots=True)
class Report:
    """The object that `--json` prints (docs: reference/cli)."""

    pages: int
    rendered: int
    failed: int
    diagnostics: tuple[Diagnostic, ...]
    seconds: float
    peak_memory_bytes: int

    @property
    def exit_status(self) -> int:
        """1 where a page failed, else 0."""
        return 1 if self.failed else 0


def print_report(report: Report, *, as_json: bool, done: str) -> None:
    """Tell a report and leave with its exit status; `done` says what was achieved."""
    if as_json:
        sys.stdout.write(msgspec.json.encode(_wire(report)).decode() + "\n")
    else:
        print_diagnostics(report.diagnostics)
        Console(stderr=True, highlight=False).print(_summary(report, done), soft_wrap=True)
    raise typer.Exit(report.exit_status)


def print_diagnostics(diagnostics: Sequence[Diagnostic]) -> None:
    """One line each, `file:line:column: severity code: message (hint)`, on standard output."""
    console = Console(highlight=False, soft_wrap=True)
    for diagnostic in diagnostics:
        line = Text(str(diagnostic))
        line.highlight_words([f" {diagnostic.severity} "], _STYLES[diagnostic.severity])
        console.print(line)


def _wire(report: Report) -> dict[str, object]:
    return {
        "pages": report.pages,
        "rendered": report.rendered,
        "failed": report.failed,
        "diagnostics": [asdict(diagnostic) for diagnostic in report.diagnostics],
        "seconds": round(report.seconds, 3),
        "peakMemoryBytes": report.peak_memory_bytes,
    }


def _summary(report: Report, done: str) -> str:
    counts = Counter(diagnostic.severity for diagnostic in report.diagnostics)
    faults = (
        ", ".join(f"{counts[kind]} {kind}s" for kind in Severity if counts[kind]) or "no faults"
    )
    return (
        f"{done}: {report.rendered} of {report.pages} pages rendered, {report.failed} failed, "
        f"{faults}, {report.seconds:.1f} s, {report.peak_memory_bytes / 1e6:.0f} MB at most"
    )
