"""Contradictions with the cells of tables: yes or no, and numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docstead.assistant.checking.facts import TextFacts
from docstead.assistant.checking.measures import measures
from docstead.assistant.checking.read_tables import TableRow
from docstead.assistant.checking.spans import ExcerptSpans

_ALL_OF = re.compile(r"\b(?:both|all|every|each|any)((?: \w+){1,4})", re.I)
_LIMITED = re.compile(
    r"\b(?:no|not|never|cannot|without|only|except|unless|none|neither|nor|\w+n['’]t|exclud\w+"
    r"|unavailable|lacks?)\b",
    re.I,
)
_LEAST_KEY = 2  # words that name a row


def other_cell(claim: TextFacts, materials: Sequence[ExcerptSpans]) -> str:
    """Return a contradiction if the row that a claim is about has another value."""
    rows = (row for each in materials for row in each.rows)
    reasons = (
        _other_answer(claim, row) or _not_in_all(claim, row) or _other_number(claim, row)
        for row in rows
    )
    return next(filter(None, reasons), "")


def _other_answer(claim: TextFacts, row: TableRow) -> str:
    """Return a contradiction if the only column that is named has "no", or "yes" if denied."""
    if not row.answers or len(row.key) < _LEAST_KEY or not row.key <= claim.word_set:
        return ""
    named = [(name, answer) for name, answer in row.answers if _is_named(name, claim)]
    if len(named) != 1:
        return ""
    ((name, is_yes),) = named
    if claim.denials if is_yes else not _LIMITED.search(claim.text):
        return f"the table says {'yes' if is_yes else 'no'} for {name.text}"
    return ""


def _not_in_all(claim: TextFacts, row: TableRow) -> str:
    """Return a contradiction if a row has "no" in one of the columns that a claim says all of."""
    if not row.answers or not _is_named(row.cells[0][1], claim):
        return ""
    every = None if _LIMITED.search(claim.text) else _ALL_OF.search(claim.text)
    if every is None:
        return ""
    for noun in TextFacts(every[1], claim.analyser).words:
        denied = next((n for n, is_yes in row.answers if not is_yes and noun in n.word_set), None)
        if denied and sum(noun in name.word_set for name, _ in row.cells) > 1:
            return f"the table says no for {denied.text}"
    return ""


def _other_number(claim: TextFacts, row: TableRow) -> str:
    """Return a contradiction if the cell has another number than the only one of a claim."""
    if len(claim.numbers) != 1 or not row.cells or not _is_named(row.cells[0][1], claim):
        return ""
    for name, cell in row.cells[1:]:
        is_other = cell.numbers and not cell.numbers & claim.numbers
        if is_other and _is_named(name, claim) and not any(measures(cell.text)):
            return f"the table says {cell.text} for {name.text}"
    return ""


def _is_named(name: TextFacts, claim: TextFacts) -> bool:
    """Report whether a claim has all words of a heading or of the first cell."""
    return bool(name.word_set) and name.word_set <= claim.word_set
