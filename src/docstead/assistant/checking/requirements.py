"""Contradictions about what is required: needed or optional, with something or without it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docstead.assistant.checking.facts import TextFacts
from docstead.assistant.checking.opposites import says_no
from docstead.assistant.checking.similar_sentences import SimilarSentence

_ABOUT_THE_SAME = 0.5
_NEARLY_THE_SAME = 0.6
_NEAREST = 3
_NEAREST_WITHOUT = 4

_REQUIRED = re.compile(
    r"(?<!when )(?<!you )(?<!if )\b(?:must|ha(?:ve|s) to|needs? to|requires?|required|mandatory)\b"
    r"|\byou (?:must|have to|need to)\b(?= \w)",
    re.IGNORECASE,
)
_NOT_REQUIRED = re.compile(
    r"\b(?:optional|unnecessary|(?:not|\w+n't|no longer) (?:be )?(?:required|necessary|needed)"
    r"|(?:don't|doesn't|do not|does not|needn't|need not|no) (?:need|have to|require)\w*"
    r"|(?:doesn't|does not) matter|no (?:\w+ ){1,3}(?:required|needed|necessary)"
    r"|without (?:having|needing|requiring)|can (?:also )?omit)\b",
    re.IGNORECASE,
)
_THING = r"(?:an? |any |the )?((?:[\w-]+ ?){1,3})"
_NEEDS = re.compile(rf"\b(?:needs?|requires?|must have)\s+{_THING}", re.IGNORECASE)
_WITHOUT = re.compile(rf"\bwithout\s+{_THING}", re.IGNORECASE)


def other_requirement(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if only the claim, or only a near sentence, requires something."""
    own = _is_required(claim.text)
    for each in near[:_NEAREST] if own is not None else ():
        theirs = _is_required(each.facts.text)
        if each.share < _ABOUT_THE_SAME or theirs is None:
            continue
        if own is theirs:
            return ""
        if not own or not says_no(_REQUIRED.sub("", claim.text)):
            return f"it is {'' if theirs else 'not '}required there"
    return ""


def _is_required(text: str) -> bool | None:
    """Report whether a sentence requires something, or says that it is not required."""
    text = text.replace("’", "'")
    is_free = bool(_NOT_REQUIRED.search(text))
    is_required = bool(_REQUIRED.search(_NOT_REQUIRED.sub(" ", text)))
    return is_required if is_free is not is_required else None


def needed_or_not(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if one says "needs a vector" and the other "without a vector"."""
    for own, other in ((_NEEDS, _WITHOUT), (_WITHOUT, _NEEDS)):
        thing = next(_things(own, claim), frozenset[str]())
        if not thing or says_no(own.sub(" ", claim.text)):
            continue
        for each in near[:_NEAREST_WITHOUT]:
            if each.share < _NEARLY_THE_SAME:
                continue
            if any(thing & same for same in _things(own, each.facts)):
                return ""
            for theirs in _things(other, each.facts):
                if 2 * len(thing & theirs) >= len(thing):
                    return f"{min(thing & theirs)} is {'not ' * (own is _NEEDS)}needed there"
    return ""


def _things(pattern: re.Pattern[str], facts: TextFacts) -> Iterator[frozenset[str]]:
    for found in pattern.finditer(facts.text):
        yield TextFacts(found[1], facts.analyser).word_set
