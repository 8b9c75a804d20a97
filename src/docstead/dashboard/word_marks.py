"""Highlighting of words that differ between a removed line and its replacement."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import takewhile

_WORDS = re.compile(r"\w+|\s+|.", re.DOTALL)
_PIECES = re.compile(r"<[^>]*>|&[^;\s]+;|.", re.DOTALL)
_MOST_COMPARISONS = 40_000  # word pairs of two lines; longer lines are marked as a whole
_NO_RANGE = (sys.maxsize, sys.maxsize)
_ALIKE = 0.4  # ratio of equal characters below which lines are unrelated

Ranges = tuple[tuple[int, int], ...]  # [start, end) in characters


def changed_words(old: str, new: str) -> tuple[Ranges, Ranges]:
    """Return the differing ranges of both lines; empty if the lines are unrelated."""
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    start = _common(before, after)
    end = _common(before[start:][::-1], after[start:][::-1])
    inner = (before[start : len(before) - end], after[start : len(after) - end])
    changes = _changes(*inner)
    removed = sum(len(word) for i1, i2, _, _ in changes for word in inner[0][i1:i2])
    added = sum(len(word) for _, _, j1, j2 in changes for word in inner[1][j1:j2])
    if removed + added > (1 - _ALIKE) * (len(old) + len(new)):
        return (), ()
    offset = sum(map(len, before[:start]))
    return (
        _ranges(inner[0], [change[:2] for change in changes], offset),
        _ranges(inner[1], [change[2:] for change in changes], offset),
    )


def marked(html: str, ranges: Ranges) -> str:
    """Wrap ranges of a line's text in `<mark>` elements of its HTML."""
    if not ranges:
        return html
    parts, at, is_open = [], 0, False
    rest = iter(ranges)
    start, end = next(rest)
    for piece in _PIECES.findall(html):
        if at >= end:
            start, end = next(rest, _NO_RANGE)
        inside = start <= at
        if is_open and (piece[0] == "<" or not inside):
            parts.append("</mark>")
            is_open = False
        if piece[0] == "<":
            parts.append(piece)
            continue
        if inside and not is_open:
            parts.append("<mark>")
            is_open = True
        parts.append(piece)
        at += 1
    return "".join(parts) + ("</mark>" if is_open else "")


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _changes(before: list[str], after: list[str]) -> list[tuple[int, int, int, int]]:
    if not before and not after:
        return []
    if len(before) * len(after) > _MOST_COMPARISONS:
        return [(0, len(before), 0, len(after))]
    codes = SequenceMatcher(str.isspace, before, after, autojunk=False).get_opcodes()
    return [code[1:] for code in codes if code[0] != "equal"]


def _ranges(words: list[str], changes: Sequence[tuple[int, ...]], offset: int) -> Ranges:
    starts = [offset]
    for word in words:
        starts.append(starts[-1] + len(word))
    found = ((starts[first], starts[last]) for first, last in changes if first < last)
    return tuple(_joined(found))


def _joined(ranges: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Merge ranges that are separated by at most one character."""
    current: tuple[int, int] | None = None
    for start, end in ranges:
        if current is None:
            current = (start, end)
        elif start - current[1] <= 1:
            current = (current[0], end)
        else:
            yield current
            current = (start, end)
    if current is not None:
        yield current
