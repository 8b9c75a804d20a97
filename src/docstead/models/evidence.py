"""Whether the documentation holds an answer at all: the gate before anything is quoted.

It weighs what share of the question's telling words one passage has, which of them it lacks
(names above all), how near its meaning is, and by how much the nearest passage stands out
from the rest. The weights were fitted on half of `evals/facts.jsonl` and
`evals/not_covered.jsonl` and on real questions of users; the threshold was chosen with both
halves in view. `evals/answers.py` prints how good they are.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

Stems = Callable[[str], frozenset[str]]

_CONSIDERED = 6
_WHOLE = 0.999  # all of the words, but for rounding
_MOST_MISSED = 9.0  # a word's weight beyond which it makes no difference
_CODE_CREDIT = 0.7  # a word that stands in code alone may be part of an example
_GUESS_CREDIT = 0.5  # a word that was taken for a misspelling of another

_FENCE = re.compile(r"^ *(`{3,}|~{3,}).*?^ *\1 *$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Weights:
    """Above 0 in all, a question counts as covered."""

    coverage: float
    words: float  # by the logarithm of their number: long questions are never met whole
    missed: float  # by the weight of the heaviest word that a passage lacks
    missed_name: float
    cosine: float
    lead: float
    bias: float


_BY_MEANING = _Weights(3.56, 1.10, -0.083, -0.24, 2.27, 5.3, -5.53)
_BY_WORDS = _Weights(4.06, 1.30, -0.088, -0.254, 0.0, 0.0, -3.52)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the question: its stems, how much it tells, whether spelling was guessed."""

    stems: tuple[str, ...]
    rarity: float
    guessed: bool = False
    is_name: bool = False  # written like one: a product, a protocol, an identifier


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A passage that may hold the answer. `score` is 0 to 1."""

    link: str
    title: str
    heading_path: tuple[str, ...]
    markdown: str
    score: float
    cosine: float | None = None  # how near its meaning is, where that is known

    @property
    def name(self) -> str:
        return " › ".join((self.title, *self.heading_path))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What share, 0 to 1, of the question's words an excerpt holds; telling ones weigh more."""

    coverage: float
    heading: float  # the same for title and headings alone
    missed: float  # the weight of the heaviest word that it lacks
    missed_name: float  # the same among names


def remembering(stems: Callable[[str], Iterable[str]]) -> Stems:
    """The same function for as long as one answer takes: its texts are read again and again."""
    return cache(lambda text: frozenset(stems(text)))


def evidence_in(excerpt: Excerpt, words: Sequence[Word], stems: Stems) -> Evidence:
    heading = stems(excerpt.name)
    prose = heading | stems(_FENCE.sub("", excerpt.markdown))
    anywhere = heading | stems(excerpt.markdown)
    total = sum(word.rarity for word in words) or 1.0
    credited = [(word, _credit(word, prose, anywhere)) for word in words]
    named = sum(w.rarity for w in words if not w.guessed and heading.intersection(w.stems))
    names = (w.rarity for w, credit in credited if w.is_name and (w.guessed or not credit))
    return Evidence(
        coverage=sum(word.rarity * credit for word, credit in credited) / total,
        heading=named / total,
        missed=max((word.rarity * (1 - credit) for word, credit in credited), default=0.0),
        missed_name=max(names, default=0.0),
    )


def is_covered(
    excerpts: Sequence[Excerpt], words: Sequence[Word], stems: Stems, lead: float | None = None
) -> bool:
    """Whether the best of these excerpts, given best first, speak of what is asked.

    `lead` is by how much the nearest passage is nearer than those after it. In a handful of
    pages no word is rare; by words alone, one passage that has every word of the question is
    evidence enough, however small the documentation.
    """
    considered = excerpts[:_CONSIDERED]
    if not considered or not words:
        return False
    found = [evidence_in(each, words, stems) for each in considered]
    if lead is None and any(each.coverage >= _WHOLE for each in found):
        return True
    return strength(considered, found, len(words), lead) > 0


def strength(
    excerpts: Sequence[Excerpt], found: Sequence[Evidence], words: int, lead: float | None
) -> float:
    weights = _BY_WORDS if lead is None else _BY_MEANING
    best = max(found, key=lambda each: each.coverage)
    cosine = max((each.cosine or 0.0 for each in excerpts), default=0.0)
    return (
        weights.bias
        + weights.coverage * best.coverage
        + weights.words * math.log(words)
        + weights.missed * min(_MOST_MISSED, *(each.missed for each in found))
        + weights.missed_name * best.missed_name
        + weights.cosine * cosine
        + weights.lead * (lead or 0.0)
    )


def _credit(word: Word, prose: frozenset[str], anywhere: frozenset[str]) -> float:
    if not anywhere.intersection(word.stems):
        return 0.0
    credit = 1.0 if prose.intersection(word.stems) else _CODE_CREDIT
    return credit * _GUESS_CREDIT if word.guessed else credit
