"""Sentences that affirm what passages deny, or deny what they affirm."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docstead.assistant.checking.facts import TextFacts
from docstead.assistant.checking.opposites import says_no
from docstead.assistant.checking.similar_sentences import SimilarSentence

_ABOUT_THE_SAME = 0.5  # share from which a denial is of what the sentence says
#: Verbs that lead to the one that a denial is about ("is not used for"), and "no longer".
_LIGHT_TEXT = """
use work need be do make get let allow set longer support current avail possibl yet offer provid
compat subject
"""
LIGHT = frozenset(_LIGHT_TEXT.split())

#: What is denied of the subject before it: "caching isn't advised".
_JUDGING = frozenset(["advis", "recommend", "suitabl", "support", "avail", "possibl", "permit"])
_WORD = re.compile(r"[\w'’]+")
_AFFIRMED = {"cannot": "can", "can't": "can", "won't": "will"}
_CONDITION = re.compile(r"\b(?:if|unless)\b[^,;.]*(?:[,;.]|$)", re.IGNORECASE)


def denied(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if the most similar sentence denies a word and the claim does not."""
    nearest = near[0]
    for denial in _statement(nearest.facts).denials if nearest.share >= _ABOUT_THE_SAME else ():
        head = next((word for word in denial.words if word not in LIGHT), "")
        if not denial.of_verb or says_no(_without(claim, head)):
            continue
        if denial.words[0:1] and denial.words[0] in _JUDGING:
            return f"{denial.words[0]} is denied there"
        if head in nearest.shared:
            return f"{head} is denied there"
    return ""


def denied_verbatim(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if a sentence has the same words, and "not" once more or less."""
    own, denials = _affirmed(claim)
    for each in near:
        theirs, others = _affirmed(each.facts)
        if own == theirs and (denials - others) % 2:
            return f"it is {'not ' * (denials > others)}denied there"
    return ""


def _affirmed(facts: TextFacts) -> tuple[list[str], int]:
    """Return the words of a sentence without "not", and how often it has "not"."""
    words, denials = [], 0
    for word in _WORD.findall(facts.text.lower().replace("’", "'")):
        bare = _AFFIRMED.get(word, word.removesuffix("n't"))
        denials += word == "not" or bare != word
        words += [bare] if word != "not" else []
    return words, denials


def _statement(facts: TextFacts) -> TextFacts:
    """Return a sentence without its conditions, which deny nothing."""
    if not facts.denials:
        return facts
    return TextFacts(_CONDITION.sub(" ", facts.text), facts.analyser)


def _without(claim: TextFacts, stem: str) -> str:
    """Return the text without a word, which may itself be negative, such as `blocked`."""
    return re.sub(
        r"\w+", lambda found: "" if claim.analyser.stem(found[0]) == stem else found[0], claim.text
    )
