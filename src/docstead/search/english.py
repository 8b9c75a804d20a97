"""Common English words and their frequency: they say little about a question.

`english_words.txt` has them by how often books and encyclopedias use them, the commonest
first. It is the list of whole words of the tokenizer in `models/minilm/`, under its licence.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from pathlib import Path

from docstead.search.stop_words import STOP_WORDS

_FILE = Path(__file__).with_name("english_words.txt")
_COMMON_UP_TO = 2_000  # how far down the list words count as common as the first
_TELLING_FROM = 14_000
_LEAST = 0.15
_MOST_COMMON = 12_000  # the rest has names, syllables and words of other languages


@lru_cache(maxsize=1)
def _ranks() -> Mapping[str, int]:
    return {word: rank for rank, word in enumerate(_FILE.read_text().split(), _COMMON_UP_TO)}


@lru_cache(maxsize=32)
def common_words(letter: str) -> tuple[str, ...]:
    """Return the common words and stop words that begin with this letter."""
    known = dict.fromkeys((*islice(_ranks(), _MOST_COMMON), *sorted(STOP_WORDS)))
    return tuple(word for word in known if word[0] == letter and word.isalpha())


def is_common(word: str) -> bool:
    """Whether this is an English word that is common enough to be no slip."""
    return _ranks().get(word, _TELLING_FROM) < _COMMON_UP_TO + _MOST_COMMON


def is_english(word: str) -> bool:
    return word in _ranks()


def distinctiveness(word: str) -> float:
    """From 0.15 for the commonest words to 1 for rare ones, names and terms."""
    rank = _ranks().get(word, _TELLING_FROM)
    place = math.log(rank / _COMMON_UP_TO) / math.log(_TELLING_FROM / _COMMON_UP_TO)
    return min(1.0, max(_LEAST, place))
