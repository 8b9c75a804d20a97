"""Ranges of sorted words that share a file: forms of a word stand together.

So a query reads one file for each of its words, although it looks for other forms, too.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import compress, groupby
from operator import itemgetter

_FILE_BYTES = 10_000
_MOST_BYTES = 32_000  # of a file that is larger because of forms of a word
_MOST_APART = 20_000  # bytes from the first form of a word to the last

# As in engine/browser/search/words.ts.
ENDING = re.compile(r"(?:izations?|ations?|ments?|ings?|ions?|ies|ied|ers?|ed|es|ly|s|e|y)$")
_LAST_LETTERS = frozenset("degnrsty")  # of endings
_SHORTEST_STEM = 3
_FIRST_LETTERS = itemgetter(slice(_SHORTEST_STEM))


def stem_of(word: str) -> str:
    """Return what the forms of an English word share."""
    stem = ENDING.sub("", word)
    return stem if len(stem) >= _SHORTEST_STEM else word


def word_groups(words: Sequence[str], ends: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the range of words in each file; a very frequent word may fill a file.

    `ends` are the bytes of each word and of all before it.
    """
    cuts = _cuts(words, ends)
    start = before = 0
    while start < len(ends):
        usual = max(start + 1, bisect_right(ends, before + _FILE_BYTES))
        most = bisect_right(ends, before + _MOST_BYTES)
        end = _best_cut(cuts, start, usual, most)
        yield start, end
        start, before = end, ends[end - 1]


def _best_cut(cuts: Sequence[int], start: int, usual: int, most: int) -> int:
    """Return the cut before or at `usual`, else the next; if that is too far, `usual`."""
    after = bisect_right(cuts, usual)
    if after and cuts[after - 1] > start:
        return cuts[after - 1]
    return cuts[after] if after < len(cuts) and cuts[after] <= most else usual


def _cuts(words: Sequence[str], ends: Sequence[int]) -> array[int]:
    """Return the positions between two words that do not separate forms of a word."""
    is_cut = bytearray(b"\1") * (len(words) + 1)
    for first, last in _forms(words):
        if ends[last] - ends[first] <= _MOST_APART:
            is_cut[first + 1 : last + 1] = bytes(last - first)
    return array("Q", compress(range(1, len(is_cut)), is_cut[1:]))


def _forms(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last form of each word that has several, by position.

    Forms begin with their stem, so no words but those that begin with it are between them, and
    only words with the same first letters are held at once.
    """
    start = 0
    for _, alike in groupby(words, key=_FIRST_LETTERS):
        stems = [stem_of(word) if word[-1:] in _LAST_LETTERS else word for word in alike]
        lasts = {stem: at for at, stem in enumerate(stems, start)}
        if len(lasts) < len(stems):
            firsts: dict[str, int] = {}
            for at, stem in enumerate(stems, start):
                if lasts[stem] != at:
                    firsts.setdefault(stem, at)
            yield from ((first, lasts[stem]) for stem, first in firsts.items())
        start += len(stems)
