"""Durations and sizes: numbers with units."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from docstead.assistant.checking.facts import NUMBER_WORDS, number_of

_SECONDS = {
    "ms millisecond milliseconds millisekunden millisecondes milissegundos 毫秒": 0.001,
    "s sec secs second seconds sekunde sekunden segundo segundos seconde secondes 秒": 1,
    "min mins minute minutes minuten minuto minutos 分 分钟": 60,
    "h hr hrs hour hours stunde stunden hora horas heure heures 小时 時間": 3_600,
    "day days tag tage tagen día días dia dias jour jours 天 日 日間": 86_400,
    "week weeks woche wochen semana semanas semaine semaines 周 週間": 604_800,
    "month months monat monate monaten mes meses mês mois 个月 か月": 2_592_000,
    "year years jahr jahre jahren año años ano anos année années 年": 31_536_000,
}
# Small numbers in German, Spanish, French and Portuguese.
_OTHER_NUMBERS = {
    word: str(number)
    for number, words in enumerate(
        (
            "ein eine einen einer einem un una une uno um uma",
            "zwei dos deux dois duas",
            "drei tres trois três",
            "vier cuatro quatre quatro",
            "fünf cinco cinq",
            "sechs seis six",
            "sieben siete sept sete",
            "acht ocho huit oito",
            "neun nueve neuf nove",
            "zehn diez dix dez",
        ),
        1,
    )
    for word in words.split()
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
_MEASURE = re.compile(
    rf"(?<![\w.])(\d+(?:[.,]\d+)*|(?:{'|'.join((*NUMBER_WORDS, *_OTHER_NUMBERS))})(?=[ -]))"
    r"[ -]?([^\W\d_]+)\b"
    r"|(?<!\d)(\d++) ?(毫秒|秒|分钟|分|小时|時間|天|日間|日|周|週間|个月|か月|年)"
)


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
        amount, name = (found[1] or found[3]).lower(), (found[2] or found[4]).lower()
        number, unit = number_of(amount) or _OTHER_NUMBERS.get(amount, ""), _UNITS.get(name)
        if number and unit and number.replace(".", "", 1).isdigit():
            yield Measure(number, unit[0], float(number) * unit[1], found[0])


def unit_of(name: str) -> tuple[str, float] | None:
    """Return what a unit measures and its size in seconds or bytes; None if it is no unit."""
    return _UNITS.get(name.lower())


def in_another_unit(claimed: Measure, given: Iterable[Measure]) -> Measure | None:
    """Return the same number with another unit of the same kind."""
    alike = (each for each in given if (each.kind, each.number) == (claimed.kind, claimed.number))
    return next((each for each in alike if each.amount != claimed.amount), None)
