"""Diagnostics: problems in a repository, with position and hint."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from docstead.base.texts import counted, printable


class Severity(StrEnum):
    """Severity of a diagnostic."""

    ERROR = "error"  #: The page, or the whole source, could not be published as written.
    WARNING = "warning"  #: It was published, but probably not as intended.
    INFO = "info"  #: For information.


def number_of(severity: str, number: int) -> str:
    """Return a count, such as "1 error", "22 warnings" or "4 info"."""
    return f"{number:,} {severity}" if severity == Severity.INFO else counted(number, severity)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A problem. `line` and `column` count from 1; 0 if only the file is known.

    `file` is "" for problems outside of files, such as options of a command.
    """

    file: str
    line: int
    column: int
    severity: Severity
    code: str  # stable, in kebab case: "broken-link", "unknown-component", …
    message: str
    hint: str = ""

    def __str__(self) -> str:
        hint = f" ({self.hint})" if self.hint else ""
        position = f"{self.file}:{self.line}:{self.column}: " if self.file else ""
        return printable(f"{position}{self.severity} {self.code}: {self.message}{hint}")
