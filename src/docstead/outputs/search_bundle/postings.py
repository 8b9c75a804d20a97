"""Postings of a word: section numbers and weights, encoded for scripts.

A posting is the distance from the previous section in groups of five bits, lowest first, each but
the last with the sixth bit set; then a digit for the weight. The digits are those of base64, which
need no escaping.
"""

from __future__ import annotations

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


class Postings:
    """Postings of one word, appended in order of sections.

    `data` begins with the distance to section 0, unless `first` is that of the first section.
    """

    __slots__ = ("count", "data", "first", "last")

    def __init__(self) -> None:
        self.first = 0
        self.last = 0
        self.count = 0
        self.data = bytearray()

    @classmethod
    def beginning(cls, section: int, weight: int) -> Postings:
        """Return postings without the distance to the first section."""
        postings = cls()
        postings.first = postings.last = section
        postings.count = 1
        postings.data.append(_DIGITS[weight])
        return postings

    def add(self, section: int, weight: int) -> None:
        distance = section - self.last
        self.last = section
        self.count += 1
        if distance < _NEAR:
            self.data += _USUAL[distance * _WEIGHTS + weight]
        else:
            self.data += _encoded(distance)
            self.data.append(_DIGITS[weight])

    def append(self, first: int, last: int, count: int, data: bytes) -> None:
        """Add postings that have no distance to their first section."""
        distance = first - self.last
        self.data += _DISTANCES[distance] if distance < _USUAL_DISTANCE else _encoded(distance)
        self.data += data
        self.last = last
        self.count += count


def heaviest(data: bytes, count: int) -> bytes:
    """Return the postings of a word; of a very frequent word only the heaviest."""
    if count <= MOST_POSTINGS:
        return data
    kept = Postings()
    found = sorted(decoded(data), key=lambda each: -each[1])[:MOST_POSTINGS]
    for section, weight in sorted(found):
        kept.add(section, weight)
    return bytes(kept.data)


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
