"""Sentences of passages on the same topic as a sentence of a model."""

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
    """A sentence on the same topic, with the shared words."""

    facts: TextFacts
    shared: frozenset[str]
    share: float  # fraction of the claim's words
    back: float  # fraction of its own words

    @property
    def similarity(self) -> float:
        return 2 * self.share * self.back / (self.share + self.back)


#: Returns a contradiction by similar sentences, or "".
Rule = Callable[[TextFacts, Sequence[SimilarSentence]], str]


def nearest(claim: TextFacts, materials: Sequence[ExcerptSpans]) -> list[SimilarSentence]:
    """Return the sentences and headings that share most words with a claim, best first."""
    words, found = claim.subjects, {}
    for facts in (sentence for material in materials for sentence in material.sentences):
        shared = words & facts.subjects
        if len(shared) >= max(_LEAST_SHARED, _LEAST_SHARE * len(words)):
            back = len(shared) / len(facts.subjects)
            found[facts.bare] = SimilarSentence(facts, shared, len(shared) / len(words), back)
    return sorted(found.values(), key=lambda each: -each.similarity)[:_MOST_NEAR]


def whole_words(alternatives: str) -> re.Pattern[str]:
    """Return a case-insensitive pattern of whole words."""
    return re.compile(rf"(?<![\w-])(?:{alternatives})(?![\w-])", re.IGNORECASE)
