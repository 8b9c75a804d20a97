"""Contradictions about numbers: frequency, unit, bound, and what a number belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from docstead.assistant.checking.facts import TextFacts, number_of
from docstead.assistant.checking.measures import Measure, measures, unit_of
from docstead.assistant.checking.similar_sentences import Rule, SimilarSentence, whole_words

_ABOUT_THE_SAME = 0.6  # share of the other words
_LEAST_SHARE = 0.34
_NEARLY_ALL = 0.7
_NEAREST = 4
_UNLIMITED = whole_words(r"unlimited|infinite\w*|any number|no (?:limit|maximum)|as many as")

_PERIODS = {
    "hourly": "hour",
    "daily": "day",
    "weekly": "week",
    "monthly": "month",
    "quarterly": "quarter",
    "yearly": "year",
    "annual": "year",
    "annually": "year",
}
_FREQUENCY = re.compile(
    r"\b(?:(once|twice|\w+ times|\d+) )?(?:\w+ )?(?:an?|per|each|every) "
    r"(second|minute|hour|day|week|month|quarter|year)\b"
    r"|\b((?:bi-?)?(?:week|month|quarter|year)ly|hourly|daily|annual(?:ly)?)\b",
    re.IGNORECASE,
)
_UNIT = (
    r"milliseconds?|seconds?|minutes?|hours?|days?|ms|bytes|kilobytes|megabytes|gigabytes|[kmg]b"
)
# "in seconds", "(ms)", "a number of minutes", "Milliseconds to wait".
_UNIT_ALONE = re.compile(
    rf"\b(?:in|of) \(?({_UNIT})\b|\(({_UNIT})\)|(?:^|: )({_UNIT})\b", re.IGNORECASE
)
_LOWER = whole_words(r"minimum|min|shortest|smallest|least|lowest|fewest")
_UPPER = whole_words(
    r"maximum|max|longest|largest|most|highest|up to|limit|limited to|capped at|cap|exceed"
    r"|no (?:more|longer) than|within|no later than"
)
_SEVERAL = whole_words(r"several|multiple|many|more than one")
_ONLY_ONE = whole_words(r"(?:at most|only|exactly|no more than|just) one|a single")
_ARTICLE = re.compile(r"\ban?(?= (?:second|minute|hour|day|week|month|year)\b)")
_RAW = re.compile(r"\d{4,}(ms|s)")
_PART = re.compile(r"[,;]|\b(?:or|and|followed by|while|but|respectively)\b")
_ORDINAL = re.compile(r"\b\d+(?:st|nd|rd|th)\b", re.IGNORECASE)

Frequency = tuple[str, str]  # times, period


def _how_often(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if only the frequency differs."""
    own = _frequencies(claim.text)
    given = [(each, _frequencies(each.facts.text)) for each in near]
    given = [(each, found) for each, found in given if found]
    if len(own) != 1 or not given or given[0][0].share < _LEAST_SHARE:
        return ""
    best = given[0][0].share
    alike = (found for each, found in given[:_NEAREST] if each.share >= 0.8 * best)
    if any(own & found for found in alike):
        return ""
    times, period = min(given[0][1])
    return f"it says {times} in a {period} there"


def _frequencies(text: str) -> frozenset[Frequency]:
    return frozenset(map(_frequency, _FREQUENCY.finditer(text)))


def _frequency(found: re.Match[str]) -> Frequency:
    if found[3]:
        word = found[3].lower()
        return "1", _PERIODS.get(word, word)
    times = (found[1] or "once").lower().split()[0]
    return number_of(times) or times, found[2].lower()


def _in_which_unit(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if values of the same thing have another unit."""
    own = _units(claim.text)
    if len(own) != 1 or any(measures(claim.text)):
        return ""
    ((name, (kind, factor)),) = own.items()
    others = claim.subjects - frozenset(claim.analyser.terms(name))
    for each in near:
        if each.facts.identifiers - claim.identifiers:
            continue  # the unit of something else
        units = _units(each.facts.text) | _raw_units(each.facts.text)
        theirs = {other: size for other, (of, size) in units.items() if of == kind}
        is_about = len(others & each.facts.subjects) >= _ABOUT_THE_SAME * len(others)
        if theirs and factor not in theirs.values() and is_about:
            return f"it says {min(theirs)} there, not {name}"
    return ""


def _units(text: str) -> dict[str, tuple[str, float]]:
    """Return units without a number, with what they measure and their size."""
    found = (next(filter(None, each.groups())).lower() for each in _UNIT_ALONE.finditer(text))
    return {name: unit for name in found if (unit := unit_of(name))}


def _raw_units(text: str) -> dict[str, tuple[str, float]]:
    """Return the unit of values that nobody writes for readers, such as 3600000ms."""
    found = (_RAW.fullmatch(each.text) for each in measures(text))
    return {each[1]: unit for each in found if each and (unit := unit_of(each[1]))}


def _at_most(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if a minimum or maximum has another value."""
    text = _ARTICLE.sub("1", claim.text)
    own, direction = list(measures(text)), _direction(text)
    if not own or not direction:
        return ""
    bounds = [each for each in near if _direction(each.facts.text) == direction]
    given = {(m.kind, m.amount): m.text for each in bounds for m in measures(each.facts.text)}
    is_known = any((each.kind, each.amount) in given for each in own)
    for each in bounds[:_NEAREST]:
        for theirs in measures(each.facts.text):
            if theirs.kind == own[0].kind and not is_known:
                return f"it says {theirs.text} there, not {own[0].text}"
    return ""


def _direction(text: str) -> str:
    """Return "lower" or "upper" for a text about such a bound; "" for none or both."""
    lower, upper = _LOWER.search(text), _UPPER.search(text)
    return "" if bool(lower) == bool(upper) else "lower" if lower else "upper"


def _of_which(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if a list assigns the claim's number to something else."""
    for mine in _numbered_parts(claim.text, claim):
        for each in near:
            parts = _numbered_parts(_ORDINAL.sub("", each.facts.text), claim)
            for number in mine.numbers if len(parts) > 1 else ():
                own = _words_of(part for part in parts if number in part.numbers)
                others = _words_of(part for part in parts if number not in part.numbers)
                is_other = mine.subjects & (others - own) and not mine.subjects & (own - others)
                if own and is_other:
                    return f"{number} is said of something else"
    return ""


def _numbered_parts(text: str, like: TextFacts) -> list[TextFacts]:
    parts = (TextFacts(part, like.analyser) for part in _PART.split(text))
    return [part for part in parts if part.telling_numbers]


def _words_of(parts: Iterable[TextFacts]) -> frozenset[str]:
    return frozenset(word for part in parts for word in part.word_set)


def _another_amount(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if nearly the same sentence has another duration or size."""
    own = {(each.kind, each.amount): each for each in measures(claim.text)}
    for each in near[:_NEAREST]:
        given = list(measures(each.facts.text))
        is_known = any((theirs.kind, theirs.amount) in own for theirs in given)
        if each.share < _NEARLY_ALL or is_known:
            continue
        kinds = {kind: mine for (kind, _), mine in own.items()}
        for theirs in given:
            if theirs.kind in kinds and not _is_said_nearby(kinds[theirs.kind], near):
                return f"it says {theirs.text} there, not {kinds[theirs.kind].text}"
    return ""


def _is_said_nearby(claimed: Measure, near: Sequence[SimilarSentence]) -> bool:
    given = (m for each in near for m in measures(each.facts.text))
    return any((m.kind, m.amount) == (claimed.kind, claimed.amount) for m in given)


def _unlimited(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if a sentence has a number for what the claim calls unlimited."""
    word = _UNLIMITED.search(claim.text)
    if word is None:
        return ""
    for each in near[:_NEAREST]:
        numbers = each.facts.telling_numbers - claim.numbers
        is_limited = each.share >= _NEARLY_ALL and not _UNLIMITED.search(each.facts.text)
        if numbers and is_limited:
            return f"it says {min(numbers)} there, not {word[0].lower()}"
    return ""


def _several(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if nearly the same sentence allows only one."""
    several = _SEVERAL.search(claim.text)
    if several is None:
        return ""
    for each in near[:_NEAREST]:
        only_one = _ONLY_ONE.search(each.facts.text)
        if only_one and each.share >= _NEARLY_ALL:
            return f"it says {only_one[0].lower()} there, not {several[0].lower()}"
    return ""


RULES: tuple[Rule, ...] = (
    _how_often,
    _in_which_unit,
    _at_most,
    _of_which,
    _another_amount,
    _unlimited,
    _several,
)
