"""Share of a question's words that a passage contains."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

Stems = Callable[[str], frozenset[str]]

_CODE_CREDIT = 0.7  # a word that stands in code alone may be part of an example
_SYNONYM_CREDIT = 0.7
_GUESS_CREDIT = 0.5  # a word that was taken for a misspelling of another
# Of a word that means nearly the same: at a closeness of .62, and how much more for each 1.
_NEAR_CREDIT = 0.4
_NEAR_FROM = 0.62
_NEAR_SLOPE = 1.3

_NEAR_BEST = 0.8  # of the best paragraph's words
_BLANK = re.compile(r"\n\s*\n")
FENCE = re.compile(r"^ *(`{3,}|~{3,}).*?^ *\1 *$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class QuestionWord:
    """A word of the question: its stems, its weight, whether its spelling was guessed."""

    stems: tuple[str, ...]
    rarity: float
    also: tuple[str, ...] = ()  # stems of words that mean the same
    guessed: bool = False
    is_name: bool = False  # as of a product or a protocol: written like one, or no English word
    near: tuple[tuple[str, float], ...] = ()  # stems that mean nearly the same, with closeness

    def credit(self, stems: frozenset[str]) -> float:
        """Return how far a text with these stems contains the word or a substitute, 0 to 1."""
        if not stems.isdisjoint(self.stems):
            return _GUESS_CREDIT if self.guessed else 1.0
        alike = _SYNONYM_CREDIT if not stems.isdisjoint(self.also) else 0.0
        near = (c for stem, c in self.near if stem in stems)
        return max(alike, *(_NEAR_CREDIT + _NEAR_SLOPE * (c - _NEAR_FROM) for c in near), 0.0)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A passage that may hold the answer. `score` is 0 to 1."""

    link: str
    title: str
    heading_path: tuple[str, ...]
    markdown: str
    score: float
    share: float = 0.0  # of what a text full of the question's words could score
    cosine: float | None = None  # how near its meaning is, where that is known
    is_aside: bool = False  # of an operation or a changelog, where answers are rarely looked for

    @property
    def page(self) -> str:
        """Address of its page."""
        return self.link.partition("#")[0]

    @property
    def name(self) -> str:
        """Title and headings; one that repeats the title is left out."""
        path = self.heading_path
        return " › ".join((self.title, *path[path[:1] == (self.title,) :]))


@dataclass(frozen=True, slots=True)
class Evidence:
    """Words of a question in an excerpt; rare words weigh more."""

    coverage: float  # the share of them, 0 to 1
    together: float  # as coverage, in one paragraph and the heading above it
    near: str  # the paragraphs that have most of them
    missed: float  # the weight of the heaviest word that it lacks
    lacking: frozenset[QuestionWord]  # what stands in it in no form


def remembering(stems: Callable[[str], Iterable[str]]) -> Stems:
    """The same function for as long as one answer takes: its texts are read again and again."""
    return cache(lambda text: frozenset(stems(text)))


def evidence_in(excerpt: Excerpt, words: Sequence[QuestionWord], stems: Stems) -> Evidence:
    name = stems(excerpt.name)
    prose = name | stems(FENCE.sub("", excerpt.markdown))
    anywhere = name | stems(excerpt.markdown)
    heading = stems((excerpt.title, *excerpt.heading_path)[-1])
    total = sum(word.rarity for word in words) or 1.0
    parts = [each for each in _BLANK.split(excerpt.markdown) if each.strip()]
    shares = [_weight(words, heading | stems(part)) / total for part in parts]
    together = max(shares, default=0.0)
    near = (p for p, share in zip(parts, shares, strict=True) if share >= _NEAR_BEST * together)
    return Evidence(
        coverage=sum(word.rarity * _credit(word, prose, anywhere) for word in words) / total,
        together=together,
        near="\n\n".join(near),
        missed=max((word.rarity * (1 - word.credit(anywhere)) for word in words), default=0.0),
        lacking=frozenset(word for word in words if anywhere.isdisjoint(word.stems)),
    )


def _weight(words: Sequence[QuestionWord], stems: frozenset[str]) -> float:
    return sum(word.rarity * word.credit(stems) for word in words)


def _credit(word: QuestionWord, prose: frozenset[str], anywhere: frozenset[str]) -> float:
    """A word only in code counts for less than in prose, where it may have another's place."""
    return max(word.credit(prose), _CODE_CREDIT * word.credit(anywhere))
