"""Whether the documentation holds an answer at all: the gate before anything is quoted.

It weighs what one passage has of the question's telling words and how near its meaning is,
both at once; which words the best passage lacks, names above all; and by how much the nearest
passage stands out from the rest. A word that another stands for counts by how near they are.
`evals/gate.py` fits the weights, and prints how good they are on documentation that they were not
fitted to; `evals/answers.py` prints what becomes of each set of questions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass

from docstead.models.evidence import Evidence, Excerpt, Stems, Word, evidence_in

CONSIDERED = 6  # passages
_FOR_NAMES = 3  # of them: names that none of these has are missed
_MEANING_SHARE = 1.5  # of a passage's cosine beside the share of words that it has
_LEAST = 0.1  # of the words; below it a long question would be covered by its length
_SEARCH_CREDIT = 0.7
_WHOLE = 0.999  # all of the words, but for rounding
_SHORT = 4  # words; that a question has fewer says nothing
_MOST_MISSED = 9.0  # a word's weight beyond which it makes no difference


@dataclass(frozen=True, slots=True)
class Traits:
    """What the gate goes by."""

    fit: float  # the share of words and the nearness in meaning of the best passage
    together: float  # as fit, of the words in one paragraph
    share: float  # of what a text full of the words could score; where meaning is not known
    missed: float  # the weight of the heaviest word that the passage with most words lacks
    missed_name: float
    words: float  # the logarithm of their number: long questions are never met whole
    weight: float  # the logarithm of what they weigh together
    lead: float  # by how much the nearest passage is nearer than those after it


@dataclass(frozen=True, slots=True)
class _Weights:
    """Above 0 in all, a question counts as covered."""

    traits: Traits
    bias: float

    def strength(self, traits: Traits) -> float:
        pairs: Iterable[tuple[float, float]] = zip(
            astuple(self.traits), astuple(traits), strict=True
        )
        return self.bias + sum(weight * value for weight, value in pairs)


_BY_MEANING = _Weights(Traits(1.833, 0.996, 0.0, -0.19, -0.236, 2.406, 0.257, 8.543), -9.634)
_BY_WORDS = _Weights(Traits(2.021, 1.563, 1.995, -0.196, -0.195, 3.172, 0.426, 0.0), -8.091)


def is_covered(
    excerpts: Sequence[Excerpt],
    words: Sequence[Word],
    stems: Stems,
    lead: float | None = None,
    *,
    asks: bool = True,
) -> bool:
    """Whether the best of these excerpts, given best first, speak of what is asked.

    `lead` is None where meaning is not known. Whoever asks nothing, and writes words as for a
    search, is shown what is near sooner (`asks`). In a handful of pages no word is rare; by words
    alone, one passage that has every word of the question is evidence enough, however small
    the documentation.
    """
    considered = excerpts[:CONSIDERED]
    if not considered or not words:
        return False
    found = [evidence_in(each, words, stems) for each in considered]
    coverage = max(each.coverage for each in found)
    if coverage < _LEAST or (lead is None and coverage >= _WHOLE):
        return coverage >= _WHOLE
    weights = _BY_WORDS if lead is None else _BY_MEANING
    least = 0.0 if asks else -_SEARCH_CREDIT
    return weights.strength(traits_of(considered, words, found, lead)) > least


def traits_of(
    excerpts: Sequence[Excerpt],
    words: Sequence[Word],
    found: Sequence[Evidence],
    lead: float | None,
) -> Traits:
    """`found` is the evidence in each of the excerpts, of which there is at least one."""
    best = max(found, key=lambda each: each.coverage)
    pairs = [
        (each, _MEANING_SHARE * (e.cosine or 0.0)) for e, each in zip(excerpts, found, strict=True)
    ]
    return Traits(
        fit=max(each.coverage + meaning for each, meaning in pairs),
        together=max(each.together + meaning for each, meaning in pairs),
        share=max(each.share for each in excerpts) if lead is None else 0.0,
        missed=min(_MOST_MISSED, best.missed),
        missed_name=_missed_name(found[:_FOR_NAMES]),
        words=math.log(max(_SHORT, len(words))),
        weight=math.log1p(sum(word.rarity for word in words)),
        lead=lead or 0.0,
    )


def _missed_name(found: Sequence[Evidence]) -> float:
    lacking = frozenset.intersection(*(each.lacking for each in found))
    return max((word.rarity for word in lacking if word.is_name), default=0.0)
