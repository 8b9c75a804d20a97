"""Postings of a word: section numbers and weights, encoded for scripts.

A posting is the distance from the previous section in groups of five bits, lowest first, each but
the last with the sixth bit set; then a digit for the weight. The digits are those of base64, which
need no escaping.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, compress, islice
from operator import sub

MOST_WEIGHT = 63
MOST_POSTINGS = 4_000  # per word; of more frequent words only the heaviest are kept

DIGITS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_VALUES = {digit: value for value, digit in enumerate(DIGITS)}
_TO_VALUES = bytes(_VALUES.get(digit, 0) for digit in range(256))
_TO_DIGITS = DIGITS.ljust(256, b"\0")
GROUP, MORE = 5, 32  # bits of a digit; from this value on, there are more digits
_SHORTEST = 2  # bytes of a posting


def _encoded(number: int) -> bytes:
    digits = bytearray()
    while number >= MORE:
        digits.append(DIGITS[number % MORE + MORE])
        number >>= GROUP
    digits.append(DIGITS[number])
    return bytes(digits)


# Encodings of common distances; complete encodings of common postings, by distance and weight.
_WEIGHTS = len(DIGITS)
_NEAR, _USUAL_DISTANCE = 128, 4096
_DISTANCES = tuple(map(_encoded, range(_USUAL_DISTANCE)))
_USUAL = tuple(
    distance + DIGITS[weight : weight + 1]
    for distance in _DISTANCES[:_NEAR]
    for weight in range(_WEIGHTS)
)


# Distance and weight. Digits of the upper half continue a distance.
_POSTING = re.compile(rb"([g-z0-9_-]*[A-Za-f])(.)")
_WEIGHT_DIGITS = tuple(DIGITS[weight : weight + 1] for weight in range(_WEIGHTS))


def following(distance: int, weight: int) -> bytes:
    """Return a posting."""
    if distance < _NEAR:
        return _USUAL[distance * _WEIGHTS + weight]
    digits = _DISTANCES[distance] if distance < _USUAL_DISTANCE else _encoded(distance)
    return digits + _WEIGHT_DIGITS[weight]


class Postings:
    """Postings of one word, appended in order of sections."""

    __slots__ = ("count", "data", "last")

    def __init__(self) -> None:
        self.last = 0
        self.count = 0
        self.data = bytearray()

    def add(self, section: int, weight: int) -> None:
        self.data += following(section - self.last, weight)
        self.last = section
        self.count += 1


def heaviest(data: bytes, count: int) -> bytes:
    """Return the postings of a word; of a very frequent word only the heaviest."""
    if count <= MOST_POSTINGS:
        return data
    distances, weights = _numbers(data, count)
    kept = _heaviest_of(weights)
    sections = tuple(compress(accumulate(distances), kept))
    between = tuple(map(sub, sections, chain((0,), sections)))
    return _encoded_together(between, bytes(compress(weights, kept)))


def _numbers(data: bytes, count: int) -> tuple[Iterable[int], bytes]:
    """Return the distances and weights of postings."""
    if len(data) == _SHORTEST * count:  # each distance has one digit, as in most frequent words
        return data[::2].translate(_TO_VALUES), data[1::2].translate(_TO_VALUES)
    distances, weights = zip(*_POSTING.findall(data), strict=True)
    numbers = {digits: _number(digits) for digits in set(distances)}
    return map(numbers.__getitem__, distances), b"".join(weights).translate(_TO_VALUES)


def _encoded_together(distances: Sequence[int], weights: bytes) -> bytes:
    if max(distances) >= MORE:
        return b"".join(map(following, distances, weights))
    data = bytearray(_SHORTEST * len(weights))
    data[::2] = bytes(distances).translate(_TO_DIGITS)
    data[1::2] = weights.translate(_TO_DIGITS)
    return bytes(data)


def _heaviest_of(weights: bytes) -> bytes:
    """Return 1 for each of the `MOST_POSTINGS` heaviest, of equal ones the first, else 0."""
    least, rest = MOST_WEIGHT, MOST_POSTINGS
    while (found := weights.count(least)) < rest:
        least, rest = least - 1, rest - found
    equal = compress(range(len(weights)), map(least.__eq__, weights))
    end = next(islice(equal, rest - 1, None)) + 1
    from_least, above = (bytes(map(each, range(256))) for each in (least.__le__, least.__lt__))
    return weights[:end].translate(from_least) + weights[end:].translate(above)


def _number(digits: bytes) -> int:
    return sum((_VALUES[digit] % MORE) << GROUP * at for at, digit in enumerate(digits))


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
        number |= (value % MORE) << shift
        shift += GROUP
        if value < MORE:
            section += number
            is_weight = True
