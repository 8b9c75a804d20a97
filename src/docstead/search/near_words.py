"""Words that mean nearly the same, by how near the sentence model puts them without context.

`near_words.txt` has a line for each stem: the stems near it, the nearest first, each with its
closeness in hundredths (`seller sale76 merchant68`). `evals/runners/near_words.py` writes it from
`english_words.txt`; this one is from before the model multiplied numbers of 8 bits, which moves
a closeness by a hundredth or two. Opposites are near as well: who asks how to disable something
is helped by what says how it is enabled.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

_FILE = Path(__file__).with_name("near_words.txt")
_DIGITS = 2


def near_words(stem: str) -> tuple[tuple[str, float], ...]:
    """Stems near this one, each with its closeness below 1."""
    line = _lines().get(stem, "")
    return tuple((each[:-_DIGITS], int(each[-_DIGITS:]) / 100) for each in line.split())


@lru_cache(maxsize=1)
def _lines() -> Mapping[str, str]:
    parts = (line.partition(" ") for line in _FILE.read_text().splitlines())
    return {stem: near for stem, _, near in parts}
