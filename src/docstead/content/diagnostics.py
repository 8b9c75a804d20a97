"""Diagnostics: problems in a repository, with their position and what to do about them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from docstead.base.texts import counted, printable


class Severity(StrEnum):
    """Severity of a diagnostic."""

    ERROR = "error"  #: The page, or the whole source, could not be published as written.
    WARNING = "warning"  #: It was published, but not as its author meant it.
    INFO = "info"  #: Worth knowing.


def number_of(severity: str, number: int) -> str:
    """ "1 error", "22 warnings", "4 info"."""
    return f"{number:,} {severity}" if severity == Severity.INFO else counted(number, severity)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem. `line` and `column` count from 1; 0 where only the file is known.

    `file` is "" for what is in no file: a command's own options.
    """

    file: str
    line: int
    column: int
    severity: Severity
    code: str  # kebab-case, stable: "broken-link", "unknown-component", …
    message: str
    hint: str = ""

    def __str__(self) -> str:
        hint = f" ({self.hint})" if self.hint else ""
        position = f"{self.file}:{self.line}:{self.column}: " if self.file else ""
        return printable(f"{position}{self.severity} {self.code}: {self.message}{hint}")
