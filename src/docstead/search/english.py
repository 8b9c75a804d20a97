"""Which words are common English, and how common: they tell little of what a question is about.

`english_words.txt` has them by how often books and encyclopedias use them, the commonest
first. It is the list of whole words of the tokenizer in `models/minilm/`, under its licence.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

_FILE = Path(__file__).with_name("english_words.txt")
_COMMON_UP_TO = 2_000  # how far down the list words count as common as the first
_TELLING_FROM = 14_000
_LEAST = 0.15


@lru_cache(maxsize=1)
def _ranks() -> Mapping[str, int]:
    return {word: rank for rank, word in enumerate(_FILE.read_text().split(), _COMMON_UP_TO)}


def is_english(word: str) -> bool:
    return word in _ranks()


def distinctiveness(word: str) -> float:
    """From 0.15 for the commonest words to 1 for rare ones, names and terms."""
    rank = _ranks().get(word, _TELLING_FROM)
    place = math.log(rank / _COMMON_UP_TO) / math.log(_TELLING_FROM / _COMMON_UP_TO)
    return min(1.0, max(_LEAST, place))
