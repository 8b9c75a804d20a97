"""Order of diagnostics that shows likely causes first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from docstead.content.diagnostics import Diagnostic, Severity

_RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}
_SHOWN_OF_A_KIND = 5
# Parts that vary between diagnostics of one cause: quoted names, paths, methods, numbers.
_DETAILS = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|\b[A-Z]{3,7} /\S*|/\S+|\d+")


def by_cause(diagnostics: Iterable[Diagnostic]) -> list[str]:
    """Return diagnostics as lines: errors first, rare kinds before frequent ones.

    Many diagnostics of a kind usually follow from one error elsewhere, such as an unreadable file.
    A few of each kind are shown, with the number of the others.
    """
    kinds: dict[tuple[Severity, str, str], list[Diagnostic]] = {}
    for each in diagnostics:
        kind = each.severity, each.code, _DETAILS.sub("", each.message)
        kinds.setdefault(kind, []).append(each)
    ordered = sorted(kinds.values(), key=lambda found: (_RANK[found[0].severity], len(found)))
    return [line for found in ordered for line in _lines(found)]


def _lines(found: Sequence[Diagnostic]) -> list[str]:
    lines = [str(each) for each in found[:_SHOWN_OF_A_KIND]]
    left = len(found) - len(lines)
    more = f"[and {left:,} more of this kind: {found[0].severity} {found[0].code}]"
    return [*lines, more] if left else lines
