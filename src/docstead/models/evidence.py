"""What a passage has of a question's words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

Stems = Callable[[str], frozenset[str]]

_CODE_CREDIT = 0.7  # a word that stands in code alone may be part of an example
_SYNONYM_CREDIT = 0.7
_GUESS_CREDIT = 0.5  # a word that was taken for a misspelling of another

_FENCE = re.compile(r"^ *(`{3,}|~{3,}).*?^ *\1 *$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the question: its stems, how much it tells, whether spelling was guessed."""

    stems: tuple[str, ...]
    rarity: float
    also: tuple[str, ...] = ()  # stems of words that mean the same
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
    share: float = 0.0  # of what a text full of the question's words could score
    cosine: float | None = None  # how near its meaning is, where that is known

    @property
    def name(self) -> str:
        return " › ".join((self.title, *self.heading_path))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an excerpt holds of the question's words; telling ones weigh more."""

    coverage: float  # the share of them, 0 to 1
    missed: float  # the weight of the heaviest word that it lacks
    lacking: frozenset[Word]  # what stands in it in no form


def remembering(stems: Callable[[str], Iterable[str]]) -> Stems:
    """The same function for as long as one answer takes: its texts are read again and again."""
    return cache(lambda text: frozenset(stems(text)))


def evidence_in(excerpt: Excerpt, words: Sequence[Word], stems: Stems) -> Evidence:
    heading = stems(excerpt.name)
    prose = heading | stems(_FENCE.sub("", excerpt.markdown))
    anywhere = heading | stems(excerpt.markdown)
    total = sum(word.rarity for word in words) or 1.0
    credited = [(word, _credit(word, prose, anywhere)) for word in words]
    return Evidence(
        coverage=sum(word.rarity * credit for word, credit in credited) / total,
        missed=max((_missed(word, anywhere) for word in words), default=0.0),
        lacking=frozenset(word for word in words if not anywhere.intersection(word.stems)),
    )


def _credit(word: Word, prose: frozenset[str], anywhere: frozenset[str]) -> float:
    if not anywhere.intersection(word.stems):
        return _SYNONYM_CREDIT if anywhere.intersection(word.also) else 0.0
    credit = 1.0 if prose.intersection(word.stems) else _CODE_CREDIT
    return credit * _GUESS_CREDIT if word.guessed else credit


def _missed(word: Word, anywhere: frozenset[str]) -> float:
    if anywhere.intersection(word.stems) and not word.guessed:
        return 0.0
    return word.rarity * (1 - _SYNONYM_CREDIT * bool(anywhere.intersection(word.also)))
