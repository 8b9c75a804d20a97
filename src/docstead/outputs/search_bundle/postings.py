"""Postings of a word: section numbers and weights, encoded for scripts.

A posting is the distance from the previous section in groups of five bits, lowest first, each but
the last with the sixth bit set; then a digit for the weight. The digits are those of base64, which
need no escaping.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

MOST_WEIGHT = 63
MOST_POSTINGS = 4_000  # per word; of more frequent words only the heaviest are kept

_DIGITS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_VALUES = {digit: value for value, digit in enumerate(_DIGITS)}
_GROUP, _MORE = 5, 32


def _encoded(number: int) -> bytes:
    digits = bytearray()
    while number >= _MORE:
        digits.append(_DIGITS[number % _MORE + _MORE])
        number >>= _GROUP
    digits.append(_DIGITS[number])
    return bytes(digits)


# Encodings of common distances; complete encodings of common postings, by distance and weight.
_WEIGHTS = len(_DIGITS)
_NEAR, _USUAL_DISTANCE = 128, 4096
_DISTANCES = tuple(map(_encoded, range(_USUAL_DISTANCE)))
_USUAL = tuple(
    distance + _DIGITS[weight : weight + 1]
    for distance in _DISTANCES[:_NEAR]
    for weight in range(_WEIGHTS)
)


# Distance and weight. Digits of the upper half continue a distance.
_POSTING = re.compile(rb"([g-z0-9_-]*[A-Za-f])(.)")
# Postings without their distance, by weight: each is one digit.
WEIGHT_DIGITS = tuple(_DIGITS[weight : weight + 1] for weight in range(_WEIGHTS))


def following(distance: int, weight: int) -> bytes:
    """Return a posting."""
    if distance < _NEAR:
        return _USUAL[distance * _WEIGHTS + weight]
    return _encoded(distance) + WEIGHT_DIGITS[weight]


def beginning_at(first: int, data: bytes) -> bytes:
    """Return postings with the distance to their first section, which `data` lacks."""
    distance = _DISTANCES[first] if first < _USUAL_DISTANCE else _encoded(first)
    return distance + data


class Postings:
    """Postings of one word, appended in order of sections."""

    __slots__ = ("count", "data", "last")

    def __init__(self) -> None:
        self.last = 0
        self.count = 0
        self.data = bytearray()

    @classmethod
    def of(cls, data: bytes) -> Postings:
        """Return postings to which others can be appended."""
        postings = cls()
        postings.data += data
        for section, _ in decoded(data):
            postings.last = section
            postings.count += 1
        return postings

    def add(self, section: int, weight: int) -> None:
        self.data += following(section - self.last, weight)
        self.last = section
        self.count += 1

    def append(self, first: int, last: int, count: int, data: bytes) -> None:
        """Add postings that have no distance to their first section."""
        self.data += beginning_at(first - self.last, data)
        self.last = last
        self.count += count


def count_of(data: bytes) -> int:
    """Return the number of postings."""
    return sum(1 for _ in decoded(data))


def heaviest(data: bytes, count: int) -> bytes:
    """Return the postings of a word; of a very frequent word only the heaviest."""
    if count <= MOST_POSTINGS:
        return data
    found = _POSTING.findall(data)
    weights = [_VALUES[weight[0]] for _, weight in found]
    likeliest = sorted(range(count), key=weights.__getitem__, reverse=True)
    kept = bytearray(count)
    for number in likeliest[:MOST_POSTINGS]:
        kept[number] = True
    return b"".join(_shortened(found, kept))


def _shortened(found: list[tuple[bytes, bytes]], kept: bytearray) -> Iterator[bytes]:
    """Yield the postings that are kept, with their distances from each other."""
    distances = {digits: _number(digits) for digits, _ in set(found)}
    last = section = 0
    for (digits, weight), is_kept in zip(found, kept, strict=True):
        section += distances[digits]
        if is_kept:
            distance = section - last
            yield _DISTANCES[distance] if distance < _USUAL_DISTANCE else _encoded(distance)
            yield weight
            last = section


def _number(digits: bytes) -> int:
    return sum((_VALUES[digit] % _MORE) << _GROUP * at for at, digit in enumerate(digits))


def decoded(data: bytes | bytearray) -> Iterator[tuple[int, int]]:
    """Yield section and weight of each posting."""
    section = number = shift = 0
    is_weight = False
    for digit in data:
        value = _VALUES[digit]
        if is_weight:
            yield section, value
            number = shift = 0
            is_weight = False
            continue
        number |= (value % _MORE) << shift
        shift += _GROUP
        if value < _MORE:
            section += number
            is_weight = True
