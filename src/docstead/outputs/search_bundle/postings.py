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

_DIGITS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_VALUES = {digit: value for value, digit in enumerate(_DIGITS)}
_TO_VALUES = bytes(_VALUES.get(digit, 0) for digit in range(256))
_TO_DIGITS = _DIGITS.ljust(256, b"\0")
_GROUP, _MORE = 5, 32
_SHORTEST = 2  # bytes of a posting
_CONTINUED = _DIGITS[_MORE:]  # digits of a distance before its last


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
    rest = data.lstrip(_CONTINUED)  # without the first digits of the first distance
    return 1 if len(rest) == _SHORTEST else len(_POSTING.findall(rest))


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
    if max(distances) >= _MORE:
        return b"".join(map(beginning_at, distances, map(WEIGHT_DIGITS.__getitem__, weights)))
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
