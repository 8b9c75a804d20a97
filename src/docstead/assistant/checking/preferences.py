"""Preferences and comparisons that are turned round: "A instead of B" for "B instead of A"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from docstead.assistant.checking.facts import TextFacts
from docstead.assistant.checking.similar_sentences import SimilarSentence

_COMPARISON = r"(?:fast|quick|slow|bett|high|low|cheap|larg|small|saf|strict)er"
_PREFERRED = re.compile(
    r"(.*?)\b(instead of|rather than|in favou?r of|(?:take|have|get)s? (?:precedence|priority) over"
    rf"|wins? over|(?:overrid|supersed)es?|{_COMPARISON} than|(?:more|less) \w+ than|preferred to)"
    r"\b(.*)",
    re.IGNORECASE,
)
# What follows the second of both things: "rather than `bin` so that …".
_OBJECT_END = re.compile(
    r"[,;.]|\b(?:so|because|since|as|when|if|for|that|which|to)\b", re.IGNORECASE
)
_PRECEDENCE = re.compile(r"precedence|priority|wins?\b|overrid|supersed")
_WINS = re.compile(r"(.*?)\b(?:takes? (?:precedence|priority)|wins?)\b(?! over)", re.IGNORECASE)
_CLAUSE_START = re.compile(r"[,;]| then ")


class _Preference(NamedTuple):
    preferred: frozenset[str]
    other: frozenset[str]
    word: str


def turned_preference(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if a near sentence prefers the other one of two things."""
    own = _preference(claim)
    if not (own and own.preferred and own.other):
        return ""
    for each in near:
        theirs = _preference(each.facts)
        if theirs and own.preferred & theirs.preferred and own.other & theirs.other:
            return ""
        if theirs and _is_turned(own, theirs):
            return f"it is the other way round there: {own.word}"
        winner = _winner(each.facts, own.word)
        if winner & own.other and not winner & own.preferred:
            return f"{min(winner & own.other)} comes first there"
    return ""


def _is_turned(own: _Preference, theirs: _Preference) -> bool:
    is_same = theirs.other <= own.preferred | theirs.preferred
    return bool(is_same and own.preferred & theirs.other and own.other & theirs.preferred)


def _preference(facts: TextFacts) -> _Preference | None:
    """Return the words of the preferred thing and of the other one."""
    found = _PREFERRED.match(" ".join(facts.text.split()))
    if found is None:
        return None
    before = _words(re.split(r"[,;]", found[1])[-1], facts)
    after = _words(_OBJECT_END.split(found[3], maxsplit=1)[0], facts)
    word = found[2].lower()
    first, second = (after, before) if word.startswith("in fav") else (before, after)
    return _Preference(first - second, second - first, word)


def _winner(facts: TextFacts, word: str) -> frozenset[str]:
    """Return the words of what wins in a sentence that does not name the other thing."""
    text = " ".join(facts.text.split())
    found = _WINS.match(text) if _PRECEDENCE.search(word) else None
    if found is None and re.fullmatch(f"{_COMPARISON} than", word):
        comparison = word.removesuffix(" than")
        found = re.match(rf"(.*?)\b(?:is|are) {comparison}\b(?! than)", text, re.IGNORECASE)
    return _words(_CLAUSE_START.split(found[1])[-1], facts) if found else frozenset()


def _words(text: str, like: TextFacts) -> frozenset[str]:
    facts = TextFacts(text, like.analyser)
    return facts.word_set | facts.identifiers
