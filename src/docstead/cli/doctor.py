"""The `doctor` command: checks this machine and the settings."""

from __future__ import annotations

import json
import sys

import typer

from docstead.cli.doctor_checks import CHECKS, CheckLevel, ReportLine
from docstead.cli.errors import FAILED
from docstead.settings import Settings, load_settings

_SIGNS = {CheckLevel.OK: "ok", CheckLevel.WARNING: "warning", CheckLevel.FAILED: "failed"}


def run(*, as_json: bool) -> None:
    """Print one line per finding. Exit with status 1 if a check failed."""
    findings = examine(load_settings())
    if as_json:
        print(json.dumps([_as_json(each) for each in findings], indent=2))
    else:
        sys.stdout.writelines(f"{_line(each)}\n" for each in findings)
    if any(each.level is CheckLevel.FAILED for each in findings):
        raise typer.Exit(FAILED)


def examine(settings: Settings) -> list[ReportLine]:
    """Return the findings of all checks, in order."""
    return [finding for check in CHECKS for finding in check(settings)]


def _line(finding: ReportLine) -> str:
    advice = f" {finding.advice}" if finding.advice else ""
    return f"{_SIGNS[finding.level]:8} {finding.name}: {finding.message}.{advice}"


def _as_json(finding: ReportLine) -> dict[str, str]:
    found = {"name": finding.name, "level": finding.level.value, "message": finding.message}
    return found | ({"advice": finding.advice} if finding.advice else {})
