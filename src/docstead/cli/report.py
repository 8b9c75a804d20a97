"""Output of `check`, `export` and `publish`: one line per diagnostic, or one JSON object."""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Protocol

import msgspec

from docstead.base.errors import SourceUnreadable
from docstead.base.memory import PeakMemory
from docstead.base.texts import counted
from docstead.content.diagnostics import Diagnostic, Severity, number_of

_FIX = "Fix this first; nothing else can be read."
_POSITION = re.compile(
    r"(?P<file>[^:\s]+):(?P<line>\d+):(?P<column>\d+): (?P<message>.*)", re.DOTALL
)
_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}


class BuildResult(Protocol):
    """Result of a build, for reports."""

    @property
    def pages(self) -> int: ...
    @property
    def failed(self) -> int: ...
    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]: ...


@dataclass(frozen=True, slots=True)
class JsonReport:
    """JSON object printed by `--json` (docs: reference/cli)."""

    pages: int
    rendered: int
    failed: int
    diagnostics: tuple[Diagnostic, ...]
    seconds: float
    peak_memory_bytes: int
    failing: frozenset[Severity] = frozenset()  # number of diagnostics that cause status 1

    @classmethod
    def of(
        cls,
        built: BuildResult,
        started: float,
        memory: PeakMemory,
        *,
        failing: frozenset[Severity] = frozenset(),
    ) -> JsonReport:
        """Create a report of a build that started at `started` on the monotonic clock."""
        return cls(
            pages=built.pages,
            rendered=built.pages - built.failed,
            failed=built.failed,
            diagnostics=built.diagnostics,
            seconds=time.monotonic() - started,
            peak_memory_bytes=memory.peak_bytes,
            failing=failing,
        )

    @property
    def exit_status(self) -> int:
        """Return 1 if a page failed, there is no page, or a diagnostic is `failing`; else 0."""
        has_failing = any(each.severity in self.failing for each in self.diagnostics)
        return 1 if self.failed or has_failing or not self.pages else 0


def print_report(report: JsonReport, *, as_json: bool, done: str, hides_info: bool = False) -> None:
    """Print a report and exit with its status; `done` describes the result.

    With `hides_info`, diagnostics of that severity are only counted.
    """
    if as_json:
        _print_json(report)
    else:
        hidden = {Severity.INFO} if hides_info else frozenset()
        shown = [each for each in report.diagnostics if each.severity not in hidden]
        print_diagnostics(shown)
        from rich.console import Console

        summary = _summary(report, done)
        if len(shown) < len(report.diagnostics):
            summary += "\nRun docstead check to see those of severity info."
        Console(stderr=True, highlight=False).print(summary, soft_wrap=True)
    sys.exit(report.exit_status)


@contextmanager
def reported_unreadable(memory: PeakMemory, started: float, *, as_json: bool) -> Iterator[None]:
    """With `--json`, print an unreadable source as an object with one diagnostic.

    The error is raised again, so that the message and the exit status are as usual.
    """
    try:
        yield
    except SourceUnreadable as error:
        if as_json:
            diagnostic = _diagnostic(error.message)
            seconds = time.monotonic() - started
            _print_json(JsonReport(0, 0, 0, (diagnostic,), seconds, memory.peak_bytes))
        raise


def _diagnostic(message: str) -> Diagnostic:
    code = "source-unreadable"
    if found := _POSITION.fullmatch(message):
        position = found["file"], int(found["line"]), int(found["column"])
        return Diagnostic(*position, Severity.ERROR, code, found["message"], _FIX)
    return Diagnostic("", 0, 0, Severity.ERROR, code, message, _FIX)


def _print_json(report: JsonReport) -> None:
    sys.stdout.write(msgspec.json.encode(_wire(report)).decode() + "\n")


def print_diagnostics(diagnostics: Sequence[Diagnostic]) -> None:
    """Print one line per diagnostic: `file:line:column: severity code: message (hint)`."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    for diagnostic in diagnostics:
        line = Text(str(diagnostic))
        line.highlight_words(
            [f"{diagnostic.severity} {diagnostic.code}"], _STYLES[diagnostic.severity]
        )
        console.print(line)


def _wire(report: JsonReport) -> dict[str, object]:
    return {
        "pages": report.pages,
        "rendered": report.rendered,
        "failed": report.failed,
        "diagnostics": [asdict(diagnostic) for diagnostic in report.diagnostics],
        "seconds": round(report.seconds, 3),
        "peakMemoryBytes": report.peak_memory_bytes,
    }


def _summary(report: JsonReport, done: str) -> str:
    counts = Counter(diagnostic.severity for diagnostic in report.diagnostics)
    counted_diagnostics = ", ".join(
        number_of(kind, counts[kind]) for kind in Severity if counts[kind]
    )
    memory = f"peak memory {report.peak_memory_bytes / 1e6:.0f} MB"
    return (
        f"{done}: {counted(report.pages, 'page')}, {report.failed:,} failed, "
        f"{counted_diagnostics or 'no problems'}, {report.seconds:.1f} s ({memory})"
    )
