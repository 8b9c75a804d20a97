"""Rows of Markdown tables."""

from __future__ import annotations

import re
from collections.abc import Sequence

_BAR = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"[\s|:-]+")
_TICKS = frozenset("✓✔✅☑")
_CROSSES = frozenset("✗✘✖❌☒")


def cells(row: str) -> list[str]:
    return [cell.strip() for cell in _BAR.split(row.strip().strip("|"))]


def read_rows(table: Sequence[str]) -> list[list[str]]:
    """Return the cells of each row, with marks for yes and no as words."""
    rows = [cells(row) for row in table]
    has_ticks = any(cell in _TICKS for row in rows for cell in row)
    crosses = _CROSSES | {"x", "X"} if has_ticks else _CROSSES
    words = {**dict.fromkeys(_TICKS, "yes"), **dict.fromkeys(crosses, "no")}
    return [[words.get(cell.rstrip("\ufe0f"), cell) for cell in row] for row in rows]


def is_rule(row: Sequence[str]) -> bool:
    """Report whether these cells are the line below a table's head, or empty."""
    return _RULE.fullmatch("|".join(row) + "|") is not None
