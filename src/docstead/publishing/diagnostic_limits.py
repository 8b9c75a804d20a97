"""Limit of the diagnostics that an edition and the report of its update keep.

The service reads them as a whole, for each request of a report.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from docstead.base.texts import shortened
from docstead.content.diagnostics import Diagnostic, Severity

_MOST = 5_000
_MOST_CHARACTERS = 2_000_000
_LONGEST_TEXT = 2_000  # characters of a message or a hint
_SEVERITIES = tuple(Severity)


def limited_diagnostics(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return unique diagnostics by file and position, and how many were left out.

    The first of each code is kept, then errors before warnings.
    """
    unique = sorted(map(_shortened, set(found)), key=_position)
    kept: list[Diagnostic] = []
    left = _MOST_CHARACTERS
    for each in _by_importance(unique):
        left -= len(each.file) + len(each.message) + len(each.hint)
        if len(kept) == _MOST or left < 0:
            break
        kept.append(each)
    kept.sort(key=_position)
    if number := len(unique) - len(kept):
        kept.append(_left_out(number))
    return tuple(kept)


def _by_importance(unique: list[Diagnostic]) -> list[Diagnostic]:
    first = {each.code: each for each in reversed(unique)}
    return sorted(
        unique, key=lambda each: (first[each.code] is not each, _SEVERITIES.index(each.severity))
    )


def _shortened(diagnostic: Diagnostic) -> Diagnostic:
    message = shortened(diagnostic.message, _LONGEST_TEXT)
    hint = shortened(diagnostic.hint, _LONGEST_TEXT)
    if message is diagnostic.message and hint is diagnostic.hint:
        return diagnostic
    return replace(diagnostic, message=message, hint=hint)


def _left_out(number: int) -> Diagnostic:
    message = f"{number:,} more diagnostics are not listed"
    hint = "Correct those that are listed first."
    return Diagnostic("", 0, 0, Severity.WARNING, "more-diagnostics", message, hint)


def _position(diagnostic: Diagnostic) -> tuple[str, int, int, str, str]:
    return (
        diagnostic.file,
        diagnostic.line,
        diagnostic.column,
        diagnostic.code,
        diagnostic.message,
    )
