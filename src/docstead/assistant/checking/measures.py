"""Durations and sizes: numbers with units."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from docstead.assistant.checking.facts import number_of

_SECONDS = {
    "ms millisecond milliseconds": 0.001,
    "s sec secs second seconds": 1,
    "min mins minute minutes": 60,
    "h hr hrs hour hours": 3_600,
    "day days": 86_400,
    "week weeks": 604_800,
    "month months": 2_592_000,
    "year years": 31_536_000,
}
_BYTES = {
    "byte bytes": 1,
    "kb kib kilobyte kilobytes": 2**10,
    "mb mib megabyte megabytes": 2**20,
    "gb gib gigabyte gigabytes": 2**30,
    "tb tib terabyte terabytes": 2**40,
}
_UNITS = {
    name: (kind, factor)
    for kind, units in (("time", _SECONDS), ("size", _BYTES))
    for names, factor in units.items()
    for name in names.split()
}
_MEASURE = re.compile(r"(?<![\w.])(\d+(?:[.,]\d+)*|[a-z]+)[ -]?([a-z]+)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Measure:
    """A number with its unit. `amount` is in seconds or bytes."""

    number: str
    kind: str
    amount: float
    text: str


def measures(text: str) -> Iterator[Measure]:
    """Yield each number with a unit."""
    for found in _MEASURE.finditer(text):
        number, unit = number_of(found[1].lower()), _UNITS.get(found[2].lower())
        if number and unit and number.replace(".", "", 1).isdigit():
            yield Measure(number, unit[0], float(number) * unit[1], found[0])


def unit_of(name: str) -> tuple[str, float] | None:
    """Return what a unit measures and its size in seconds or bytes; None if it is no unit."""
    return _UNITS.get(name.lower())


def in_another_unit(claimed: Measure, given: Iterable[Measure]) -> Measure | None:
    """Return the same number with another unit of the same kind."""
    alike = (each for each in given if (each.kind, each.number) == (claimed.kind, claimed.number))
    return next((each for each in alike if each.amount != claimed.amount), None)
