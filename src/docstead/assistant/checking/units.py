"""Contradictions about values with units: seconds or milliseconds, an hour or a day."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docstead.assistant.checking.facts import TextFacts
from docstead.assistant.checking.measures import Measure, measures, unit_of
from docstead.assistant.checking.similar_sentences import SimilarSentence

_ABOUT_THE_SAME = 0.6  # share of the other words
_UNIT = (
    r"milliseconds?|seconds?|minutes?|hours?|days?|ms|bytes|kilobytes|megabytes|gigabytes|[kmg]b"
)
# "in seconds", "(ms)", "a number of minutes", "Milliseconds to wait".
_BARE_UNIT = re.compile(
    rf"\b(?:in|of) \(?({_UNIT})\b|\(({_UNIT})\)|(?:^|: )({_UNIT})\b", re.IGNORECASE
)
# "A week" is one.
_ARTICLE = re.compile(r"\ban? (?=(?:second|minute|hour|day|week|month|year)\b)", re.IGNORECASE)
_ABOUT_AN_AMOUNT = 0.33  # share of the words of the claim
_NEAREST = 2
_RAW = re.compile(r"\d{4,}(ms|s)")


def other_unit(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if values of the same thing have another unit."""
    own = _units(claim.text)
    if len(own) != 1 or any(measures(claim.text)):
        return ""
    ((name, (kind, factor)),) = own.items()
    others = claim.subjects - frozenset(claim.analyser.terms(name))
    for each in near:
        if each.facts.identifiers - claim.identifiers:
            continue  # the unit of something else
        units = _units(each.facts.text) | _raw_units(each.facts.text)
        theirs = {other: size for other, (of, size) in units.items() if of == kind}
        is_about = len(others & each.facts.subjects) >= _ABOUT_THE_SAME * len(others)
        if theirs and factor not in theirs.values() and is_about:
            return f"it says {min(theirs)} there, not {name}"
    return ""


def other_amount(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if the nearest sentences have another duration or size."""
    own = list(measures(_ARTICLE.sub("one ", claim.text)))
    if len(own) != 1 or " or " in claim.text:
        return ""
    (claimed,) = own
    if any(_is_same(claimed, given) for each in near for given in measures(each.facts.text)):
        return ""
    for each in near[:_NEAREST]:
        theirs = [given for given in measures(each.facts.text) if given.kind == claimed.kind]
        if len(theirs) == 1 and each.share >= _ABOUT_AN_AMOUNT and " ; " not in each.facts.source:
            return f"it says {theirs[0].text} there, not {claimed.text}"
    return ""


def _is_same(claimed: Measure, given: Measure) -> bool:
    return (claimed.kind, claimed.amount) == (given.kind, given.amount)


def _units(text: str) -> dict[str, tuple[str, float]]:
    """Return units without a number, with what they measure and their size."""
    found = (next(filter(None, each.groups())).lower() for each in _BARE_UNIT.finditer(text))
    return {name: unit for name in found if (unit := unit_of(name))}


def _raw_units(text: str) -> dict[str, tuple[str, float]]:
    """Return the unit of values that nobody writes for readers, such as 3600000ms."""
    found = (_RAW.fullmatch(each.text) for each in measures(text))
    return {each[1]: unit for each in found if each and (unit := unit_of(each[1]))}
