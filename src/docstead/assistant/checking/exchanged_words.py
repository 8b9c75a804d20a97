"""Detection of two words of a sentence that have changed places."""

from __future__ import annotations

from collections.abc import Sequence

from docstead.assistant.checking.facts import TextFacts
from docstead.assistant.checking.spans import SpanWindow
from docstead.search.stop_words import STOP_WORDS

_PAIR = 2
_MOVED = 3  # neighbors that must have been swapped


def exchanged(claim: TextFacts, window: SpanWindow) -> str:
    """Return a contradiction if two things are swapped."""
    for span in filter(lambda each: each.is_prose, window.spans):
        if moved := _moved(claim.tokens, span.facts.tokens):
            return f"{moved[0]} and {moved[1]} have changed places"
        own, theirs = _neighbors_of(claim.tokens), _neighbors_of(span.facts.tokens)
        text = span.facts.text.lower()
        shared = [token for token in own if token in theirs and token not in STOP_WORDS]
        for position, one in enumerate(shared):
            for other in shared[position + 1 :]:
                if f"{other} {one}" in text or f"{one} {other}" in text:
                    continue  # "in-flight work" is "work in flight"
                if _is_exchange((own[one], own[other]), (theirs[one], theirs[other])):
                    return f"{one} and {other} have changed places"
    return ""


def _moved(own: Sequence[str], theirs: Sequence[str]) -> tuple[str, str] | None:
    """Return the two words by which otherwise equal sentences differ."""
    if len(own) != len(theirs) or sorted(own) != sorted(theirs):
        return None
    moved = [one for one, other in zip(own, theirs, strict=True) if one != other]
    return (moved[0], moved[1]) if len(moved) == _PAIR else None


NeighborTokens = frozenset[tuple[int, str]]


def _neighbors_of(tokens: Sequence[str]) -> dict[str, NeighborTokens]:
    """Return the neighbors of each word that occurs once, with their side."""
    return {
        token: frozenset(
            (direction, tokens[position + direction * distance])
            for direction in (-1, 1)
            for distance in (1, 2)
            if 0 <= position + direction * distance < len(tokens)
        )
        for position, token in enumerate(tokens)
        if tokens.count(token) == 1 and len(token) > 1
    }


def _is_exchange(
    own: tuple[NeighborTokens, NeighborTokens], theirs: tuple[NeighborTokens, NeighborTokens]
) -> bool:
    """Report whether each of two words has the other's neighbors rather than its own."""
    stayed = [len(mine & there) for mine, there in zip(own, theirs, strict=True)]
    moved = [len(mine & there) for mine, there in zip(own, reversed(theirs), strict=True)]
    return all(m > s for m, s in zip(moved, stayed, strict=True)) and sum(moved) >= _MOVED
