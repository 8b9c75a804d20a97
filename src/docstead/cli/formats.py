"""Machine-readable formats of diagnostics."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from docstead import __version__
from docstead.base.texts import stopped
from docstead.content.diagnostics import Diagnostic, Severity

_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


class OutputFormat(StrEnum):
    """Output format of `check`."""

    TEXT = "text"  #: One line per diagnostic.
    JSON = "json"  #: One object with counts and diagnostics.
    GITHUB = "github"  #: Workflow commands, shown as annotations of a pull request.
    SARIF = "sarif"  #: SARIF 2.1.0, for code scanning.


def github_line(diagnostic: Diagnostic, folder: str = "") -> str:
    """Return a workflow command; `folder` is the path from the repository root to the source."""
    properties = {
        "file": folder + diagnostic.file,
        "line": max(diagnostic.line, 1),
        "col": max(diagnostic.column, 1),
        "title": diagnostic.code,
    }
    given = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{_COMMANDS[diagnostic.severity]} {given}::{_data(_words(diagnostic))}"


def sarif(diagnostics: Iterable[Diagnostic], folder: str = "") -> dict[str, object]:
    """Return a SARIF log with one run and a rule for each code."""
    found = list(diagnostics)
    codes = sorted({diagnostic.code for diagnostic in found})
    driver = {
        "name": "docstead",
        "version": __version__,
        "rules": [{"id": code} for code in codes],
    }
    results = [_result(diagnostic, codes, folder) for diagnostic in found]
    return {
        "$schema": _SARIF,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }


def _result(diagnostic: Diagnostic, codes: list[str], folder: str) -> dict[str, object]:
    region = {"startLine": max(diagnostic.line, 1), "startColumn": max(diagnostic.column, 1)}
    artifact = {"uri": folder + diagnostic.file}
    location = {"physicalLocation": {"artifactLocation": artifact, "region": region}}
    return {
        "ruleId": diagnostic.code,
        "ruleIndex": codes.index(diagnostic.code),
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": _words(diagnostic)},
        "locations": [location],
    }


def _words(diagnostic: Diagnostic) -> str:
    if not diagnostic.hint:
        return diagnostic.message
    hint = diagnostic.hint[:1].upper() + diagnostic.hint[1:]
    return f"{stopped(diagnostic.message)} {stopped(hint)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
