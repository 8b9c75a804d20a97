"""Near-synonyms, by similarity in the sentence model without context.

`near_words.txt` has a line per stem with similar stems, nearest first, each with its cosine in
hundredths (`seller sale76 merchant68`). `evals/runners/near_words.py` creates it from
`english_words.txt`; this one predates 8-bit quantization, which changes values by one or two
hundredths. Opposites are similar as well, which helps: who asks how to disable something can use
instructions for enabling it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

_FILE = Path(__file__).with_name("near_words.txt")
_DIGITS = 2


def near_words(stem: str) -> tuple[tuple[str, float], ...]:
    """Return similar stems with their similarity below 1."""
    line = _lines().get(stem, "")
    return tuple((each[:-_DIGITS], int(each[-_DIGITS:]) / 100) for each in line.split())


@lru_cache(maxsize=1)
def _lines() -> Mapping[str, str]:
    parts = (line.partition(" ") for line in _FILE.read_text().splitlines())
    return {stem: near for stem, _, near in parts}
