"""Contradictions about defaults: another number, on or off, limited or not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from docstead.assistant.checking.coverage import is_form_of
from docstead.assistant.checking.facts import TextFacts
from docstead.assistant.checking.spans import ExcerptSpans

_ABOUT_THE_SAME = 0.5  # share of the words of the claim
_MOST_VALUES = 2  # numbers of a sentence that states one default

_DEFAULT = re.compile(
    r"\bby default\b|\bdefaults? (?:to|is|are|value)\b|\bout of the box\b"
    r"|\bunless you (?:change|configure|override|adjust) (?:it|this|them)\b|\bdefault\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\W*(?:it|this|its|they|the default)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"(?:, |; | — |—)(?=(?:so|and|but|which|while|unless)\b)|\. ")
_IS_DONE = re.compile(r"\b(?:is|are|gets?) (?!not)\w+(?:ed|en)\b")
_UNLIMITED = re.compile(r"unlimited|no limit|infinite|never|(?<!for )\ball\b", re.IGNORECASE)
_ON = frozenset(["enabled", "on", "true", "active", "activated"])
_OFF = frozenset(["disabled", "off", "false", "inactive", "deactivated"])
_NO_TOPIC = frozenset(["default", "enabl", "disabl", "true", "fals"])


class _StatedDefault(NamedTuple):
    topic: TextFacts
    value: TextFacts
    share: float  # of the words of the claim that are in the topic


def other_default(claim: TextFacts, materials: Sequence[ExcerptSpans]) -> str:
    """Return a contradiction if passages state another default of the same."""
    clause = _default_clause(claim.text)
    if not clause:
        return ""
    own = TextFacts(_DEFAULT.sub(" ", clause), claim.analyser)
    found = list(_defaults_of(own.subjects - _NO_TOPIC, materials))
    most = max((each.share for each in found), default=0.0)
    nearest = [each.value for each in found if each.share == most]
    if any(_agrees(own, value) for value in nearest):
        return ""
    return next(filter(None, (_difference(own, value) for value in nearest)), "")


def _default_clause(text: str) -> str:
    """Return the first clause that states a default, or ""."""
    clauses = _CLAUSE.split(" ".join(text.split()))
    return next((each for each in clauses if _DEFAULT.search(each)), "")


def _defaults_of(
    words: frozenset[str], materials: Sequence[ExcerptSpans]
) -> Iterator[_StatedDefault]:
    """Yield the defaults that passages state of the same things."""
    for topic, value in (pair for each in materials for pair in _stated(each)):
        shared = sum(is_form_of(word, topic) for word in words)
        if shared and shared >= _ABOUT_THE_SAME * len(words):
            yield _StatedDefault(topic, value, shared / len(words))


def _stated(material: ExcerptSpans) -> Iterator[tuple[TextFacts, TextFacts]]:
    """Yield what a default is of and the text that states it."""
    before = ""
    for span in material.spans:
        facts = span.facts
        if span.is_row:
            yield from _default_cell(span.cells, facts)
        elif span.is_prose:
            if clause := _default_clause(facts.text):
                text = f"{before} {facts.text}" if _PRONOUN.match(facts.text) else facts.text
                yield TextFacts(text, facts.analyser), TextFacts(clause, facts.analyser)
            before = facts.text


def _default_cell(
    cells: Sequence[tuple[str, str]], like: TextFacts
) -> Iterator[tuple[TextFacts, TextFacts]]:
    """Yield the other cells of a row and the one that states its default."""
    stated = [cell for name, cell in cells if "default" in name.lower()]
    if stated and stated[0].strip():
        others = " ".join(cell for name, cell in cells if "default" not in name.lower())
        yield TextFacts(others, like.analyser), TextFacts(stated[0], like.analyser)


def _agrees(own: TextFacts, value: TextFacts) -> bool:
    is_on = _is_enabled(own)
    is_same_state = is_on is not None and is_on is _is_enabled(value)
    return bool(_numbers(own) & _numbers(value)) or is_same_state


def _difference(own: TextFacts, value: TextFacts) -> str:
    """Return how two defaults differ, or ""."""
    numbers, others = _numbers(own), _numbers(value) - _ordinary(value)
    is_on, is_other_on = _is_enabled(own), _is_enabled(value)
    is_plain = not own.denials
    if is_on is not None and is_other_on is not None and is_plain and not value.denials:
        return f"it is {'on' if is_other_on else 'off'} by default there"
    is_option = any(is_form_of(word, _spelled(value)) for word in own.subjects)
    if is_on is None and is_other_on is False and not numbers and is_plain and is_option:
        return "it is off by default there" if _IS_DONE.search(own.text) else ""
    if len(numbers) == 1 and 0 < len(others) <= _MOST_VALUES:
        return f"the default is {min(others)} there"
    if numbers and not others and _UNLIMITED.search(value.text):
        return "the default has no limit there"
    if _UNLIMITED.search(own.text) and others and not _UNLIMITED.search(value.text):
        return f"the default is {min(others)} there"
    return ""


def _numbers(facts: TextFacts) -> frozenset[str]:
    is_zero = "zero" in facts.text.lower().split()
    return facts.numbers | ({"0"} if is_zero else frozenset())


def _ordinary(facts: TextFacts) -> frozenset[str]:
    """Return numbers that are ordinary words, such as "one"."""
    return facts.numbers - facts.significant_numbers - {"0"}


def _is_enabled(facts: TextFacts) -> bool | None:
    """Report whether a text says "on", or "off"; None if it says neither or both."""
    words = frozenset(re.findall(r"[a-z]+", facts.text.lower()))
    is_on, is_off = bool(words & _ON), bool(words & _OFF)
    return is_on if is_on is not is_off else None


def _spelled(facts: TextFacts) -> TextFacts:
    """Return a text with the words of its identifiers: `skipPrefilled` is "skip prefilled"."""
    return TextFacts(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", facts.source), facts.analyser)
