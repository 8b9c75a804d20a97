"""File positions, and the collector of diagnostics."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

from docstead.content.diagnostics import Diagnostic, Severity


class FilePosition(NamedTuple):
    """A position in a file of the repository. Lines and columns count from 1; 0 is unknown."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class LineIndex:
    """Converts offsets in a text to positions; `first_line` is the line of offset 0."""

    def __init__(self, file: str, text: str, first_line: int = 1) -> None:
        self.file = file
        self._text = text
        self._first_line = first_line
        self._starts: list[int] | None = None

    def position(self, offset: int) -> FilePosition:
        if self._starts is None:
            lengths = (len(line) for line in self._text.split("\n"))
            self._starts = [0, *accumulate(length + 1 for length in lengths)]
        line = bisect_right(self._starts, offset) - 1
        return FilePosition(self.file, line + self._first_line, offset - self._starts[line] + 1)


class Diagnostics:
    """Collects the diagnostics of one reading of a repository."""

    def __init__(self) -> None:
        self._found: list[Diagnostic] = []

    def error(self, position: FilePosition, code: str, message: str, hint: str = "") -> None:
        self._add(position, Severity.ERROR, code, message, hint)

    def warning(self, position: FilePosition, code: str, message: str, hint: str = "") -> None:
        self._add(position, Severity.WARNING, code, message, hint)

    def info(self, position: FilePosition, code: str, message: str, hint: str = "") -> None:
        self._add(position, Severity.INFO, code, message, hint)

    def add(self, found: Iterable[Diagnostic]) -> None:
        self._found += found

    def sorted(self) -> tuple[Diagnostic, ...]:
        """Return unique diagnostics by file and position."""
        unique = dict.fromkeys(self._found)
        return tuple(
            sorted(
                unique, key=lambda diagnostic: (diagnostic.file, diagnostic.line, diagnostic.column)
            )
        )

    def _add(
        self, position: FilePosition, severity: Severity, code: str, message: str, hint: str
    ) -> None:
        file, line, column = position
        self._found.append(Diagnostic(file, line, column, severity, code, message, hint))
