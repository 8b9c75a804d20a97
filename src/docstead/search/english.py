"""Common English words and their frequency, which indicates how little they distinguish.

`english_words.txt` lists them by frequency in books and encyclopedias, the most common first. It is
the list of whole words of the tokenizer in `models/minilm/`, under its license.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from pathlib import Path

from docstead.search.stop_words import STOP_WORDS

_FILE = Path(__file__).with_name("english_words.txt")
_COMMON_UP_TO = 2_000  # position up to which words count as most common
_DISTINCTIVE_FROM = 14_000
_LEAST = 0.15
_MOST_COMMON = 12_000  # beyond are names, syllables and foreign words


@lru_cache(maxsize=1)
def _ranks() -> Mapping[str, int]:
    return {word: rank for rank, word in enumerate(_FILE.read_text().split(), _COMMON_UP_TO)}


@lru_cache(maxsize=32)
def common_words(letter: str) -> tuple[str, ...]:
    """Return the common words and stop words with this first letter."""
    known = dict.fromkeys((*islice(_ranks(), _MOST_COMMON), *sorted(STOP_WORDS)))
    return tuple(word for word in known if word[0] == letter and word.isalpha())


def is_common(word: str) -> bool:
    """Report whether this is an English word that is too common to be a misspelling."""
    return _ranks().get(word, _DISTINCTIVE_FROM) < _COMMON_UP_TO + _MOST_COMMON


def is_english(word: str) -> bool:
    return word in _ranks()


def distinctiveness(word: str) -> float:
    """Return 0.15 for the most common words to 1 for rare ones, names and terms."""
    rank = _ranks().get(word, _DISTINCTIVE_FROM)
    position = math.log(rank / _COMMON_UP_TO) / math.log(_DISTINCTIVE_FROM / _COMMON_UP_TO)
    return min(1.0, max(_LEAST, position))
