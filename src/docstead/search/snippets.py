"""Snippets: excerpts of a passage around the matched words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from docstead.search.analyser import Analyser
from docstead.search.query import QueryTerm

_LENGTH = 240
_LEAD = 40  # characters before the first match
_ELLIPSIS = "…"
_REMEMBERED = 2_000  # cached passages of about 1 kB, because searches find the same ones

# Each fails at once at most characters, and reads no further than its line or the next bracket.
_FENCE_LINE = re.compile(r"^[ \t]*+(?:`{3,}|~{3,}).*$", re.MULTILINE)
_LINE_MARK = re.compile(
    r"^[ \t]*+(?:(?:>\s?)*(?:#{1,6}\s+|[-*+]\s+)|(?:>\s?)+|\|?[ \t:|-]+\|[ \t]*$)", re.MULTILINE
)
_TARGET = r"\([^()]*(?:\([^()]*\)[^()]*)*\)"
_IMAGE = re.compile(rf"!\[([^\[\]]*)\]{_TARGET}")
_LINK = re.compile(rf"\[([^\[\]]*)\]{_TARGET}")
# A single character class first makes it fast.
_MARKS = re.compile(r"[`*_](?:(?<=`)|(?<=\*)\*|(?<=_)_|(?<!\w[*_])(?=\w)|(?<=\w[*_])(?!\w))")


@dataclass(frozen=True, slots=True)
class Snippet:
    """Plain text; `highlights` are the matched words as (start, end) in characters."""

    text: str
    highlights: tuple[tuple[int, int], ...]


def snippet(markdown: str, terms: Sequence[QueryTerm], analyser: Analyser) -> Snippet:
    """Return the part of at most `_LENGTH` characters with the best coverage of the query."""
    text = plain(markdown)
    rarities = {stem: term.rarity for term in terms for stem in (*term.also, *term.stems)}
    found = list(analyser.spans(text, frozenset(rarities)))
    begin = _best_start(found, rarities)
    begin = 0 if begin <= _LEAD or len(text) <= _LENGTH else text.find(" ", begin - _LEAD) + 1
    stop = len(text) if len(text) - begin <= _LENGTH else text.rfind(" ", begin, begin + _LENGTH)
    stop = stop if stop > begin else begin + _LENGTH
    head = _ELLIPSIS if begin else ""
    tail = _ELLIPSIS if stop < len(text) else ""
    shift = len(head) - begin
    inside = [(s + shift, e + shift) for s, e, _ in found if s >= begin and e <= stop]
    return Snippet(f"{head}{text[begin:stop].rstrip()}{tail}", tuple(_joined(inside)))


@lru_cache(_REMEMBERED)
def plain(markdown: str) -> str:
    """Convert Markdown to one line of plain text."""
    text = _FENCE_LINE.sub("", markdown) if "```" in markdown or "~~~" in markdown else markdown
    text = _LINE_MARK.sub("", text)
    if "](" in text:
        text = _LINK.sub(r"\1", _IMAGE.sub(r"\1", text))
    return " ".join(_MARKS.sub("", text).replace("|", " ").split())


def _joined(positions: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Merge overlapping ranges."""
    joined: list[tuple[int, int]] = []
    for start, end in positions:
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _best_start(
    found: Sequence[tuple[int, int, frozenset[str]]], rarities: Mapping[str, float]
) -> int:
    """Return the start of the part with the rarest words, each counted once."""

    def score(first: int) -> float:
        start = found[first][0]
        within = (stems for s, e, stems in found[first:] if e - start <= _LENGTH - _LEAD)
        met = frozenset().union(*within)
        return sum(rarity for stem, rarity in rarities.items() if stem in met)

    starts = range(len(found))
    return found[max(starts, key=lambda start: (score(start), -start))][0] if found else 0
