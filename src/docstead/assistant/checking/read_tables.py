"""Rows of tables in passages, as sentences are compared with them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from docstead.assistant.checking.facts import TextFacts

_NO = re.compile(
    r"\W*(?:no|x|✗|❌|✖|n/a|none|not (?:supported|available)|unsupported|—|-)\W*", re.I
)
_YES = re.compile(r"\W*(?:yes|✓|✅|✔️?|true|supported|available)\W*", re.I)


class TableRow:
    """A row, analyzed once for all sentences. `cells` have the names of their columns."""

    def __init__(self, cells: Sequence[tuple[TextFacts, TextFacts]]) -> None:
        self.cells = cells

    @cached_property
    def answers(self) -> Sequence[tuple[TextFacts, bool]]:
        """The columns with "yes" or "no"."""
        read = [(name, _is_yes(cell)) for name, cell in self.cells]
        return [(name, answer) for name, answer in read if answer is not None]

    @cached_property
    def key(self) -> frozenset[str]:
        """The words of all other cells without numbers."""
        names = (cell for _, cell in self.cells if _is_yes(cell) is None and not cell.numbers)
        return frozenset[str]().union(*(cell.word_set for cell in names))


def _is_yes(cell: TextFacts) -> bool | None:
    if _NO.fullmatch(cell.text):
        return False
    return True if _YES.fullmatch(cell.text) else None
