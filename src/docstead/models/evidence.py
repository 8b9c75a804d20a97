"""Whether the documentation holds an answer at all: the gate before anything is quoted.

The weights were fitted on real questions over three documentation sets against questions
from elsewhere. Long questions never have all of their words in one place; short ones must.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

Stems = Callable[[str], frozenset[str]]

ENOUGH = 1.85

_CONSIDERED = 6
_WHOLE = 0.999  # all of the words, but for rounding
_SCORE_WEIGHT = 1.4
_HEADING_WEIGHT = 0.3
_LENGTH_WEIGHT = 0.45
_CODE_CREDIT = 0.6  # a word that stands in code alone may be part of an example
_GUESS_CREDIT = 0.5  # a word that was taken for a misspelling of another

_FENCE = re.compile(r"^ *(`{3,}|~{3,}).*?^ *\1 *$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the question: its stems, how rare they are, whether spelling was guessed."""

    stems: tuple[str, ...]
    rarity: float
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A passage that may hold the answer. `score` is 0 to 1."""

    link: str
    title: str
    heading_path: tuple[str, ...]
    markdown: str
    score: float

    @property
    def name(self) -> str:
        return " › ".join((self.title, *self.heading_path))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What share, 0 to 1, of the question's words an excerpt holds; rare words weigh more."""

    coverage: float
    heading: float  # the same for title and headings alone


def remembering(stems: Callable[[str], Iterable[str]]) -> Stems:
    """The same function for as long as one answer takes: its texts are read again and again."""
    return cache(lambda text: frozenset(stems(text)))


def evidence_in(excerpt: Excerpt, words: Sequence[Word], stems: Stems) -> Evidence:
    heading = stems(excerpt.name)
    prose = heading | stems(_FENCE.sub("", excerpt.markdown))
    anywhere = heading | stems(excerpt.markdown)
    total = sum(word.rarity for word in words) or 1.0
    covered = sum(word.rarity * _credit(word, prose, anywhere) for word in words)
    named = sum(w.rarity for w in words if not w.guessed and heading.intersection(w.stems))
    return Evidence(covered / total, named / total)


def is_covered(excerpts: Sequence[Excerpt], words: Sequence[Word], stems: Stems) -> bool:
    """Whether the best of these excerpts, given best first, speak of what is asked.

    In a handful of pages no word is rare and no score high; one passage that has every
    word of the question is evidence enough, however small the documentation.
    """
    considered = excerpts[:_CONSIDERED]
    if words and any(evidence_in(each, words, stems).coverage >= _WHOLE for each in considered):
        return True
    return strength(considered, words, stems) > ENOUGH


def strength(excerpts: Sequence[Excerpt], words: Sequence[Word], stems: Stems) -> float:
    if not excerpts or not words:
        return 0.0
    found = [evidence_in(each, words, stems) for each in excerpts]
    return (
        max(each.coverage for each in found)
        + _SCORE_WEIGHT * excerpts[0].score
        + _HEADING_WEIGHT * max(each.heading for each in found)
        + _LENGTH_WEIGHT * math.log(len(words))
    )


def _credit(word: Word, prose: frozenset[str], anywhere: frozenset[str]) -> float:
    if not anywhere.intersection(word.stems):
        return 0.0
    credit = 1.0 if prose.intersection(word.stems) else _CODE_CREDIT
    return credit * _GUESS_CREDIT if word.guessed else credit
