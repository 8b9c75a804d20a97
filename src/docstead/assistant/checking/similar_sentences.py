"""Sentences of passages that are about the same as a sentence of a model."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from docstead.assistant.checking.facts import TextFacts
from docstead.assistant.checking.spans import ExcerptSpans

_LEAST_SHARED = 2  # words of two sentences that are about the same
_LEAST_SHARE = 0.3  # of the words of the sentence
_MOST_NEAR = 8


@dataclass(frozen=True, slots=True)
class SimilarSentence:
    """A sentence about the same, with the words that the two share."""

    facts: TextFacts
    shared: frozenset[str]
    share: float  # of the words of the claim
    back: float  # of its own words

    @property
    def likeness(self) -> float:
        return 2 * self.share * self.back / (self.share + self.back)


#: Returns why sentences that are about the same speak against one; "" where none does.
Rule = Callable[[TextFacts, Sequence[SimilarSentence]], str]


def nearest(claim: TextFacts, materials: Sequence[ExcerptSpans]) -> list[SimilarSentence]:
    """The sentences that share most with a claim, headings among them, best first."""
    words, found = claim.subjects, {}
    for facts in (sentence for material in materials for sentence in material.sentences):
        shared = words & facts.subjects
        if len(shared) >= max(_LEAST_SHARED, _LEAST_SHARE * len(words)):
            back = len(shared) / len(facts.subjects)
            found[facts.bare] = SimilarSentence(facts, shared, len(shared) / len(words), back)
    return sorted(found.values(), key=lambda each: -each.likeness)[:_MOST_NEAR]


def whole_words(alternatives: str) -> re.Pattern[str]:
    """Return a pattern of words, in capitals or not, that are no part of a longer word."""
    return re.compile(rf"(?<![\w-])(?:{alternatives})(?![\w-])", re.IGNORECASE)
