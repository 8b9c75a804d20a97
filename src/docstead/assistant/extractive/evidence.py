"""Coverage of a question's words by a passage."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

Stems = Callable[[str], frozenset[str]]

_CODE_CREDIT = 0.7  # weight of a word only in code, which may be part of an example
_SYNONYM_CREDIT = 0.7
_GUESS_CREDIT = 0.5  # weight of a word that was corrected
# Weight of a near-synonym: at a similarity of .62, and per further 1.
_NEAR_CREDIT = 0.4
_NEAR_FROM = 0.62
_NEAR_SLOPE = 1.3

_NEAR_BEST = 0.8  # of the best paragraph's coverage
_BLANK = re.compile(r"\n\s*\n")
_FENCE = re.compile(r" *(`{3,}|~{3,})(.*)")


@dataclass(frozen=True, slots=True)
class QuestionWord:
    """A word of the question: its stems, weight, and whether its spelling was corrected."""

    stems: tuple[str, ...]
    rarity: float
    also: tuple[str, ...] = ()  # stems of synonyms
    guessed: bool = False
    is_name: bool = False  # whether it looks like a product or protocol, or is no English word
    near: tuple[tuple[str, float], ...] = ()  # stems of near-synonyms, with similarity

    def credit(self, stems: frozenset[str]) -> float:
        """Return how well these stems contain the word or a substitute, 0 to 1."""
        if not stems.isdisjoint(self.stems):
            return _GUESS_CREDIT if self.guessed else 1.0
        alike = _SYNONYM_CREDIT if not stems.isdisjoint(self.also) else 0.0
        near = (c for stem, c in self.near if stem in stems)
        return max(alike, *(_NEAR_CREDIT + _NEAR_SLOPE * (c - _NEAR_FROM) for c in near), 0.0)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A candidate passage. `score` is 0 to 1."""

    link: str
    title: str
    heading_path: tuple[str, ...]
    markdown: str
    score: float
    share: float = 0.0  # relative to the maximum score of a text
    cosine: float | None = None  # semantic similarity, if known
    is_aside: bool = False  # whether it is an operation or changelog, which rarely contain answers
    language: str | None = None  # None fits every language

    @property
    def page(self) -> str:
        """URL of its page."""
        return self.link.partition("#")[0]

    def is_for_readers_of(self, language: str | None) -> bool:
        """Report whether it is not a translation for readers of other languages."""
        return None in (self.language, language) or self.language == language

    @property
    def name(self) -> str:
        """Title and headings; a repeated title is omitted."""
        path = self.heading_path
        return " › ".join((self.title, *path[path[:1] == (self.title,) :]))


@dataclass(frozen=True, slots=True)
class Evidence:
    """Coverage of the question's words by an excerpt; rare words weigh more."""

    coverage: float  # fraction, 0 to 1
    together: float  # like coverage, within one paragraph and its heading
    near: str  # paragraphs with the best coverage
    missed: float  # weight of the most important missing word


def remembering(stems: Callable[[str], Iterable[str]]) -> Stems:
    """Cache a function for the duration of one answer, because texts are reused."""
    return cache(lambda text: frozenset(stems(text)))


def evidence_in(excerpt: Excerpt, words: Sequence[QuestionWord], stems: Stems) -> Evidence:
    name = stems(excerpt.name)
    prose = name | stems(prose_and_code(excerpt.markdown)[0])
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
    )


def prose_and_code(markdown: str) -> tuple[str, str]:
    """Return the text without and within fences. A fence that is never closed is text."""
    lines = markdown.split("\n")
    marks = [_FENCE.match(line) for line in lines]
    last = {mark[1]: number for number, mark in enumerate(marks) if mark and not mark[2].strip(" ")}
    prose: list[str] = []
    code: list[str] = []
    opened: str | None = None
    for number, (line, mark) in enumerate(zip(lines, marks, strict=True)):
        if opened is None and mark and last.get(mark[1], -1) > number:
            opened = mark[1]
            code.append(line)
        elif opened is None:
            prose.append(line)
        else:
            code.append(line)
            if mark and mark[1] == opened and not mark[2].strip(" "):
                opened = None
    return "\n".join(prose), "\n".join(code)


def share_of(words: Sequence[QuestionWord], stems: frozenset[str]) -> float:
    """Return the share of the words, by weight, that these stems contain."""
    return _weight(words, stems) / (sum(word.rarity for word in words) or 1.0)


def _weight(words: Sequence[QuestionWord], stems: frozenset[str]) -> float:
    return sum(word.rarity * word.credit(stems) for word in words)


def _credit(word: QuestionWord, prose: frozenset[str], anywhere: frozenset[str]) -> float:
    """Return a word's credit, lower if it occurs in code only."""
    return max(word.credit(prose), _CODE_CREDIT * word.credit(anywhere))
