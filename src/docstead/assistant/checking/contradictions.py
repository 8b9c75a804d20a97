"""Contradictions between sentences on the same topic in different words.

Both sentences share content words. Each rule detects a kind of disagreement that can be explained
to a maintainer with words of both sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import chain

from docstead.assistant.checking import scopes
from docstead.assistant.checking.contrasts import exchanged_parts
from docstead.assistant.checking.defaults import other_default
from docstead.assistant.checking.denials import denied, denied_verbatim
from docstead.assistant.checking.denied_clauses import (
    affirmed_clause,
    denied_clause,
    unaffected,
)
from docstead.assistant.checking.facts import TextFacts
from docstead.assistant.checking.opposites import means, opposed
from docstead.assistant.checking.preferences import turned_preference
from docstead.assistant.checking.requirements import needed_or_not, other_requirement
from docstead.assistant.checking.similar_sentences import Rule, SimilarSentence, nearest
from docstead.assistant.checking.spans import ExcerptSpans
from docstead.assistant.checking.table_values import other_cell
from docstead.assistant.checking.units import other_amount, other_unit

_BEFORE = re.compile(r"(.+?)[,;]? (?:before|and then|then) (.+)", re.IGNORECASE)
_AFTER = re.compile(
    r"(.+?)[,;]? (?:after|upon|only (?:once|after|post|when)|following) (.+)", re.IGNORECASE
)
_FIRST_THEN = re.compile(r"(?>.*?\bfirst,? )(.+?),? (?:and )?then (.+)", re.IGNORECASE)
_FIRST = re.compile(r"(.+?) first\b[,;]? (?:(?:and|then) )*(.+)", re.IGNORECASE)


def contradiction(claim: TextFacts, materials: Sequence[ExcerptSpans]) -> str:
    """Return a contradiction by the most similar sentences, or ""."""
    if claim.text.rstrip().endswith(":"):
        return ""
    near = nearest(claim, materials)
    reasons = chain(
        (rule(claim, near) for rule in _RULES if near),
        (rule(claim, materials) for rule in _PASSAGE_RULES),
    )
    return next(filter(None, reasons), "")


def _opposed(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if the claim has the opposite of a word."""
    for each in near[:4]:
        pair = opposed(claim, each.facts)
        if pair and not any(means(pair, other.facts) for other in near):
            return f"it says {pair[1]} there, not {pair[0]}"
    return ""


def _sequence(facts: TextFacts) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return the words of the first and of the later step."""
    text = " ".join(facts.text.split())
    if _BEFORE.match(text) and re.search(r"\bafter\b", text, re.IGNORECASE):
        return None
    for pattern, turned in (
        (_FIRST_THEN, False),
        (_FIRST, False),
        (_BEFORE, False),
        (_AFTER, True),
    ):
        if found := pattern.match(text):
            one, other = (
                TextFacts(each, facts.analyser).word_set for each in found.groups() if each
            )
            return (other - one, one - other) if turned else (one - other, other - one)
    return None


def _reordered(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction about the order of steps, or ""."""
    own = _sequence(claim)
    for each in near if own else ():
        theirs = _sequence(each.facts)
        if own and theirs:
            crossed = own[0] & theirs[1], own[1] & theirs[0]
            straight = own[0] & theirs[0], own[1] & theirs[1]
            if all(straight):
                return ""  # the nearest one that speaks of it agrees
            if all(crossed) and sum(map(len, crossed)) >= 2 * sum(map(len, straight)):
                return "the order is the other way round there"
    return ""


_RULES: tuple[Rule, ...] = (
    _reordered,
    _opposed,
    denied,
    other_unit,
    other_amount,
    *scopes.RULES,
    denied_verbatim,
    denied_clause,
    affirmed_clause,
    unaffected,
    other_requirement,
    needed_or_not,
    turned_preference,
)
#: Rules that look at tables, lists and neighboring sentences.
_PASSAGE_RULES: tuple[Callable[[TextFacts, Sequence[ExcerptSpans]], str], ...] = (
    other_default,
    other_cell,
    exchanged_parts,
)
