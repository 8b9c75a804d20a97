"""Recognition of answers that repeat the rules given to a model."""

from __future__ import annotations

import re

_WORDS = 9  # so many consecutive words of the rules are a repetition
_SENTENCE_WORDS = 4  # minimum words of a repeated sentence
_LETTERS = 20  # consecutive letters of the rules, backwards
_SENTENCE_END = re.compile(r"(?<=[.!?:;])\s+|\n+")


class RuleText:
    """Rules of a model, which answers must not repeat."""

    def __init__(self, rules: str) -> None:
        self._shingles = _shingles(rules)
        self._sentences = _sentences(rules)
        self._backwards = _runs(rules[::-1])

    def is_repeated_in(self, text: str) -> bool:
        """Report whether a text repeats a part of the rules, also backwards."""
        return bool(
            self._shingles & _shingles(text)
            or self._sentences & _sentences(text)
            or self._backwards & _runs(text)
        )


def _sentences(text: str) -> frozenset[tuple[str, ...]]:
    """Return sentences that are long enough to be recognized, as words."""
    found = (tuple(re.findall(r"\w+", each.lower())) for each in _SENTENCE_END.split(text))
    return frozenset(words for words in found if len(words) >= _SENTENCE_WORDS)


def _shingles(text: str) -> frozenset[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return frozenset(
        tuple(words[start : start + _WORDS]) for start in range(len(words) - _WORDS + 1)
    )


def _runs(text: str) -> frozenset[str]:
    letters = re.sub(r"\W+", "", text.lower())
    starts = range(len(letters) - _LETTERS + 1)
    return frozenset(letters[start : start + _LETTERS] for start in starts)
