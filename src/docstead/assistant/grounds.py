"""Evidence of an answer, stored for maintainers: the passages, and each check."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from docstead.assistant.extractive.evidence import Excerpt

_MOST_PASSAGES = 20
_MOST_CHECKS = 200
_LONGEST_PASSAGE = 2_000  # characters
_LONGEST_SENTENCE = 600
_MOST_SELECTED = 20
_LONGEST_ORIGIN = 200


class Outcome(StrEnum):
    """Result of checking a model's sentence."""

    SUPPORTED = "supported"
    CONNECTIVE = "connective"  #: It claims nothing.
    UNCITED = "uncited"  #: Nothing speaks against it, and no passage is near enough to cite.
    FLAGGED = "flagged"  #: A fact of it is not there, or contradicted; it was sent with a mark.
    CONTRADICTED = "contradicted"  #: It was sent; the judge contradicted it afterwards.
    DROPPED = "dropped"  #: It was not sent.


_KEPT = (Outcome.SUPPORTED, Outcome.UNCITED)


@dataclass(frozen=True, slots=True)
class Given:
    """A passage that the answer was made from. `url` has the section's anchor."""

    url: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Check:
    """A sentence of a model, or a piece of its code, and the words that support it.

    One with the outcome `CONTRADICTED` replaces an earlier one of the same sentence.
    """

    sentence: str
    outcome: Outcome
    url: str = ""  # of the section, scrolling to the words
    quote: str = ""
    reason: str = ""  # why it was not kept, or was marked


@dataclass(frozen=True, slots=True)
class Selected:
    """The origin of something that the reader selected."""

    path: str = ""
    element_id: str = ""


@dataclass(frozen=True, slots=True)
class Grounds:
    """All of it, in the order in which it came."""

    given: tuple[Given, ...] = ()
    checks: tuple[Check, ...] = ()
    selected: tuple[Selected, ...] = ()


class Gathering:
    """Grounds while an answer is made, within bounds."""

    def __init__(self) -> None:
        self._given: dict[Given, None] = {}
        self._checks: list[Check] = []

    def add(self, found: Given | Check) -> None:
        if isinstance(found, Given):
            self._given[found] = None
        elif found.outcome is Outcome.CONTRADICTED:
            self._checks[self._position(found.sentence)] = found
        else:
            self._checks.append(found)

    def _position(self, sentence: str) -> int:
        """Return the position of the first check that kept a sentence."""
        return next(
            position
            for position, each in enumerate(self._checks)
            if each.sentence == sentence and each.outcome in _KEPT
        )

    def grounds(self, selected: Iterable[Selected] = ()) -> Grounds:
        return Grounds(
            tuple(self._given)[:_MOST_PASSAGES],
            tuple(self._checks[:_MOST_CHECKS]),
            tuple(selected)[:_MOST_SELECTED],
        )


def given(excerpts: Iterable[Excerpt]) -> list[Given]:
    return [Given(e.link, e.name, _short(e.markdown, _LONGEST_PASSAGE)) for e in excerpts]


def selected(path: str | None, element_id: str | None) -> Selected:
    return Selected(_short(path or "", _LONGEST_ORIGIN), _short(element_id or "", _LONGEST_ORIGIN))


def check(sentence: str, outcome: Outcome, url: str, quote: str, reason: str) -> Check:
    return Check(
        _short(sentence.strip(), _LONGEST_SENTENCE),
        outcome,
        url,
        _short(quote, _LONGEST_SENTENCE),
        reason,
    )


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
