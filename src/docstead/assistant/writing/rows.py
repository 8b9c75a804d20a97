"""Rows of Markdown tables."""

from __future__ import annotations

import re
from collections.abc import Sequence

_BAR = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"[\s|:-]+")


def cells(row: str) -> list[str]:
    return [cell.strip() for cell in _BAR.split(row.strip().strip("|"))]


def is_rule(row: Sequence[str]) -> bool:
    """Whether these cells are the line below a table's head, or empty."""
    return _RULE.fullmatch("|".join(row) + "|") is not None
