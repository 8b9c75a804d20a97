"""Sorting and encoding of millions of postings, with numpy."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from docstead.outputs.search_bundle.postings import DIGITS, GROUP, MORE

# Bits of a posting as one number: its word, section and weight.
_SECTION_BITS, _WEIGHT_BITS = 28, 6
_WORD_SHIFT = _SECTION_BITS + _WEIGHT_BITS
_AT_ONCE = 500_000  # postings, because each step takes several times their memory
_DIGITS = np.frombuffer(DIGITS, np.uint8)

_Integers = np.ndarray[Any, np.dtype[np.int64]]


def sorted_together(
    ranks: array[int], numbers: array[int], weights: bytearray, counts: array[int]
) -> tuple[list[bytes], list[int]]:
    """Return the postings of each word by rank, and how many they are.

    `ranks` are those of words by number. A posting has a word of `numbers` and a weight; `counts`
    are the postings of each section.
    """
    keys = _keys(ranks, numbers, weights, counts)
    keys.sort()
    postings: list[bytes] = []
    found: list[int] = []
    for part in _parts(keys):
        starts = np.flatnonzero(np.diff(part >> _WORD_SHIFT, prepend=-1))
        found += np.diff(starts, append=len(part)).tolist()
        postings += _encoded(part, starts)
    return postings, found


def _keys(
    ranks: array[int], numbers: array[int], weights: bytearray, counts: array[int]
) -> _Integers:
    """Return the numbers by which postings are sorted."""
    keys = np.empty(len(numbers), np.int64)
    rank_of, words = np.frombuffer(ranks, np.uint32), np.frombuffer(numbers, np.uint32)
    weight_of = np.frombuffer(weights, np.uint8)
    sections = np.repeat(np.arange(len(counts), dtype=np.uint32), np.frombuffer(counts, np.uint32))
    for start in range(0, len(keys), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        keys[part] = rank_of[words[part]]
        keys[part] <<= _SECTION_BITS
        keys[part] |= sections[part]
        keys[part] <<= _WEIGHT_BITS
        keys[part] |= weight_of[part]
    return keys


def _parts(keys: _Integers) -> Iterator[_Integers]:
    """Yield sorted postings in parts; those of a word are in one of them."""
    start = 0
    while start < len(keys):
        last = int(keys[min(start + _AT_ONCE, len(keys)) - 1]) >> _WORD_SHIFT
        end = int(np.searchsorted(keys, (last + 1) << _WORD_SHIFT))
        yield keys[start:end]
        start = end


def _encoded(keys: _Integers, starts: Any) -> Iterator[bytes]:
    """Yield the encoded postings of each word; the first of a word is at one of `starts`."""
    sections = (keys >> _WEIGHT_BITS) % (1 << _SECTION_BITS)
    rest = np.diff(sections, prepend=0)
    rest[starts] = sections[starts]
    lengths = _lengths(rest)
    ends = np.cumsum(lengths)
    data = np.empty(ends[-1], np.uint8)
    data[ends - 1] = _DIGITS[keys % (1 << _WEIGHT_BITS)]
    bounds = (ends - lengths)[starts].tolist()
    at = ends - lengths
    while len(rest):
        more = rest >= MORE
        data[at] = _DIGITS[rest % MORE + MORE * more]
        at, rest = at[more] + 1, rest[more] >> GROUP
    text = data.tobytes()
    return (text[start:end] for start, end in pairwise((*bounds, len(text))))


def _lengths(distances: _Integers) -> _Integers:
    """Return the number of digits of each posting."""
    lengths = np.full(len(distances), 2)
    least = MORE
    while least <= distances.max():
        lengths += distances >= least
        least <<= GROUP
    return lengths
