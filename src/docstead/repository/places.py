"""Positions in files, and the collector of diagnostics."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

from docstead.content.diagnostics import Diagnostic, Severity


class Place(NamedTuple):
    """A position in a file of the repository. Lines and columns count from 1, 0 is unknown."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Lines:
    """Turns offsets into a text to places; `first_line` is the line that offset 0 stands on."""

    def __init__(self, file: str, text: str, first_line: int = 1) -> None:
        self.file = file
        self._text = text
        self._first_line = first_line
        self._starts: list[int] | None = None

    def place(self, offset: int) -> Place:
        if self._starts is None:
            lengths = (len(line) for line in self._text.split("\n"))
            self._starts = [0, *accumulate(length + 1 for length in lengths)]
        line = bisect_right(self._starts, offset) - 1
        return Place(self.file, line + self._first_line, offset - self._starts[line] + 1)


class Faults:
    """Collects the diagnostics of one reading of a repository."""

    def __init__(self) -> None:
        self._found: list[Diagnostic] = []

    def error(self, place: Place, code: str, message: str, hint: str = "") -> None:
        self._add(place, Severity.ERROR, code, message, hint)

    def warning(self, place: Place, code: str, message: str, hint: str = "") -> None:
        self._add(place, Severity.WARNING, code, message, hint)

    def info(self, place: Place, code: str, message: str, hint: str = "") -> None:
        self._add(place, Severity.INFO, code, message, hint)

    def add(self, found: Iterable[Diagnostic]) -> None:
        self._found += found

    def sorted(self) -> tuple[Diagnostic, ...]:
        """Each fault once, by file and place."""
        unique = dict.fromkeys(self._found)
        return tuple(sorted(unique, key=lambda fault: (fault.file, fault.line, fault.column)))

    def _add(self, place: Place, severity: Severity, code: str, message: str, hint: str) -> None:
        file, line, column = place
        self._found.append(Diagnostic(file, line, column, severity, code, message, hint))
