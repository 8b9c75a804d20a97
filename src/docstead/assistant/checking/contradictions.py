"""Contradictions between sentences on the same topic in different words.

Both sentences share content words. Each rule detects a kind of disagreement that can be explained
to a maintainer with words of both sentences.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from docstead.assistant.checking import scopes
from docstead.assistant.checking.denials import denied
from docstead.assistant.checking.facts import TextFacts
from docstead.assistant.checking.opposites import means, opposed
from docstead.assistant.checking.similar_sentences import (
    Rule,
    SimilarSentence,
    nearest,
    whole_words,
)
from docstead.assistant.checking.spans import ExcerptSpans
from docstead.assistant.checking.units import other_unit

_ABOUT_THE_SAME = 0.5  # share of a sentence that decides
_NEARLY_ALL = 0.8
_WISH = re.compile(
    r"\b(?:if|when|where|whenever|what|as|all)(?: [\w'’]+){1,3} needs?\b", re.IGNORECASE
)
_DENYING = whole_words(r"not|never|cannot|no longer|\w+n['’]t")
_NECESSARY = whole_words(
    r"must|(?:have|has|had) to|needs?|requires?|required|mandatory|necessary|compulsory"
)
_UNNECESSARY = whole_words(
    r"optional(?:ly)?|without|not (?:required|necessary|needed)|no need|need not|unnecessary"
    r"|(?:do|does)(?: not|n['’]t) (?:need|have to|require|matter)|no \w+ (?:needed|required)"
    r"|drop-in"
)
_FREE = whole_words(
    r"optional|(?:is|are) enough|not (?:required|necessary|needed)|no need|need not|unnecessary"
    r"|(?:do|does)(?: not|n['’]t) (?:need|have to|require)|no \w+ (?:needed|required)"
    r"|on (?:its|their) own|by (?:itself|themselves)"
)
_BEFORE = re.compile(r"(.+?)[,;]? (?:before|and then|then) (.+)", re.IGNORECASE)
_AFTER = re.compile(r"(.+?)[,;]? after (.+)", re.IGNORECASE)
_FIRST_THEN = re.compile(r".*?\bfirst,? (.+?),? (?:and )?then (.+)", re.IGNORECASE)
_FIRST = re.compile(r"(.+?) first\b[,;]? (?:(?:and|then) )*(.+)", re.IGNORECASE)
_DEFAULT = whole_words(r"defaults?")
_DEFAULT_IS = re.compile(r"\bdefault(?: value)? is (?!true|on|enabled)", re.IGNORECASE)
_UNSET = whole_words(r"false|disabled|off|none|empty|not (?:set|enabled|included|used|active)")


def contradiction(claim: TextFacts, materials: Sequence[ExcerptSpans]) -> str:
    """Return a contradiction by the most similar sentences, or ""."""
    if claim.text.rstrip().endswith(":"):
        return ""
    near = nearest(claim, materials)
    reasons = (rule(claim, near) for rule in _RULES) if near else ()
    return next(filter(None, reasons), "")


def _demanded(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction about requirements, or ""."""
    text = _WISH.sub("", claim.text)
    needs, frees = _NECESSARY.search(text), _FREE.search(text)
    if bool(needs) == bool(frees) or (needs and _DENYING.search(text[: needs.start()])):
        return ""
    for each in near:
        theirs = _WISH.sub("", each.facts.text)
        spared, needed = _UNNECESSARY.search(theirs), _NECESSARY.search(theirs)
        if needs and needed and not spared and each.share >= _ABOUT_THE_SAME:
            return ""  # the nearest one that speaks of it agrees
        if needs and spared and not needed:
            return f"it says {spared[0].lower()} there, not {needs[0].lower()}"
        if frees and needed and not spared:
            return f"it says {needed[0].lower()} there, not {frees[0].lower()}"
    return ""


def _preset(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction about defaults, or ""."""
    is_off = _DENYING.search(claim.text) or _UNSET.search(claim.text)
    if is_off or not _DEFAULT.search(claim.text) or _DEFAULT_IS.search(claim.text):
        return ""
    for each in near:
        if claim.identifiers and not claim.identifiers & each.facts.identifiers:
            continue  # the default of something else
        unset, default = _UNSET.search(each.facts.text), _DEFAULT.search(each.facts.text)
        if unset and default:
            return f"the default is {unset[0].lower()} there"
        if default and each.share >= _NEARLY_ALL:
            return ""  # the nearest one that speaks of it agrees
    return ""


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
    _preset,
    _demanded,
    denied,
    other_unit,
    *scopes.RULES,
)
