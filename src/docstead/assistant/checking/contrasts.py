"""Contrasts whose parts are exchanged: what a passage says of one thing is said of the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from docstead.assistant.checking.facts import TextFacts
from docstead.assistant.checking.spans import ExcerptSpans, PassageSpan

_CONTRAST = re.compile(
    r",? (?:while|whereas|but|and)(?: then)?(?: not)?\b,?|, not\b|; (?:however, )?", re.IGNORECASE
)
_COMMA = re.compile(r", (?!(?:and|or)\b)")
_PREPOSITION = re.compile(r"\b(?:by|for|in|on|to|at|as|with|from|via)\b")
_PART = re.compile(rf"{_CONTRAST.pattern}|, (?:however,)?|: ", re.IGNORECASE)
_MOST_PARTS = 6  # of a sentence of a passage
_LEAST_WORDS = 2  # of each part
_LEAST_SHARED = 4  # words of one sentence that has both parts
_FARTHEST = 2  # sentences between both parts, such as items of a list
_COVERED = 0.65  # share of the words of both parts
_DENIED = "not"  # no stem of a content word

_Words = frozenset[str]


class _PartComparison(NamedTuple):
    covered: float
    agrees: bool
    exchanged: tuple[str, str] = ("", "")


def exchanged_parts(claim: TextFacts, materials: Sequence[ExcerptSpans]) -> str:
    """Return a contradiction if the parts of a contrast are the other way round in a passage."""
    parts = _contrast(claim)
    if parts is None:
        return ""
    found = (
        _comparison(parts, pair) for each in materials for pair in _part_pairs(claim, each.spans)
    )
    best = max(filter(None, found), default=None)
    if best is None or best.agrees or best.covered < _COVERED:
        return ""
    return f"{best.exchanged[0]} and {best.exchanged[1]} have changed places"


def _contrast(claim: TextFacts) -> tuple[Sequence[str], Sequence[str]] | None:
    """Return the words that only the first part of a claim has, and those of its second part."""
    text = " ".join(claim.text.split())
    if text.startswith("|"):
        return None  # a row of a table
    borders = list(_CONTRAST.finditer(text)) or list(_COMMA.finditer(text))
    if len(borders) != 1 or text.count(",") > borders[0][0].count(","):
        return None
    parts = _split(text, borders[0])
    if borders[0][0] == " and" and not _are_parallel(*parts):
        return None
    first, second = (_words(part, claim) for part in parts)
    own = [word for word in first if word not in second]
    others = [word for word in second if word not in first]
    return (own, others) if min(len(own), len(others)) >= _LEAST_WORDS else None


def _are_parallel(first: str, second: str) -> bool:
    """Report whether both sides of "and" have the same preposition: "by name and by number"."""
    one, other = ({*_PREPOSITION.findall(each.lower())} for each in (first, second))
    return bool(one & other)


def _split(text: str, border: re.Match[str]) -> tuple[str, str]:
    """Return both sides of a border; a "not" of the border belongs to the second one."""
    denial = f"{_DENIED} " if _DENIED in border[0].lower().split() else ""
    return text[: border.start()], denial + text[border.end() :]


def _words(part: str, like: TextFacts) -> Sequence[str]:
    """Return the words of a part in their order, and whether it denies anything."""
    facts = TextFacts(part, like.analyser)
    return [*dict.fromkeys(facts.words), *([_DENIED] if facts.denials else [])]


def _part_pairs(claim: TextFacts, spans: Sequence[PassageSpan]) -> Iterator[tuple[_Words, _Words]]:
    """Yield the parts of sentences about the same, and pairs of close sentences."""
    sentences = [
        (span, len(span.facts.word_set & claim.word_set))
        for span in spans
        if (span.is_prose or span.is_row) and len(span.facts.word_set) > 1
    ]
    for span, shared in sentences:
        if shared >= _LEAST_SHARED and span.is_prose:
            text = " ".join(span.facts.text.split())
            for border in islice(_PART.finditer(text), _MOST_PARTS):
                parts = (frozenset(_words(each, claim)) for each in _split(text, border))
                yield next(parts), next(parts)
    for distance in range(1, _FARTHEST + 1):
        for (one, shared), (other, also) in zip(sentences, sentences[distance:], strict=False):
            if min(shared, also) >= _LEAST_WORDS:
                yield _words_of(one), _words_of(other)


def _words_of(span: PassageSpan) -> _Words:
    """Return the words of a sentence, or of a row, whose "no" denies one cell."""
    facts = span.facts
    return facts.word_set if span.is_row else frozenset(_words(facts.text, facts))


def _comparison(
    parts: tuple[Sequence[str], Sequence[str]], pair: tuple[_Words, _Words]
) -> _PartComparison | None:
    """Report whether two parts of a passage agree with those of a claim; None if it is unclear."""
    here, there = pair[0] - pair[1], pair[1] - pair[0]
    (first, second), both = parts, {*parts[0], *parts[1]}
    in_order = [[word in there for word in each if word in here | there] for each in parts]
    covered = sum(map(len, in_order)) / len(both)
    if all(len(set(each)) == 1 for each in in_order) and in_order[0][0] is not in_order[1][0]:
        return _PartComparison(covered, agrees=True)
    # Each part has the beginning of one and the end of the other.
    if all(sum(one is not other for one, other in pairwise(each)) == 1 for each in in_order):
        moved = next(word for word in first if word in there)
        return _PartComparison(
            covered, False, (moved, next(word for word in second if word in here))
        )
    return None
