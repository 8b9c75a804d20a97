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


class CheckOutcome(StrEnum):
    """Result of checking a model's sentence."""

    SUPPORTED = "supported"
    CONNECTIVE = "connective"  #: It claims nothing.
    UNCITED = "uncited"  #: Nothing speaks against it, and no passage is near enough to cite.
    FLAGGED = "flagged"  #: A fact of it is not there, or contradicted; it was sent with a mark.
    CONTRADICTED = "contradicted"  #: It was sent; the judge contradicted it afterwards.
    DROPPED = "dropped"  #: It was not sent.


_KEPT = (CheckOutcome.SUPPORTED, CheckOutcome.UNCITED)


@dataclass(frozen=True, slots=True)
class TracePassage:
    """A passage that the answer was made from. `url` has the section's anchor."""

    url: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class TraceCheck:
    """A sentence of a model, or a piece of its code, and the words that support it.

    One with the outcome `CONTRADICTED` replaces an earlier one of the same sentence.
    """

    sentence: str
    outcome: CheckOutcome
    url: str = ""  # of the section, scrolling to the words
    quote: str = ""
    reason: str = ""  # why it was not kept, or was marked


@dataclass(frozen=True, slots=True)
class TraceSelection:
    """The origin of something that the reader selected."""

    path: str = ""
    element_id: str = ""


@dataclass(frozen=True, slots=True)
class AnswerTrace:
    """All of it, in the order in which it came."""

    given: tuple[TracePassage, ...] = ()
    checks: tuple[TraceCheck, ...] = ()
    selected: tuple[TraceSelection, ...] = ()


class TraceRecorder:
    """Grounds while an answer is made, within bounds."""

    def __init__(self) -> None:
        self._given: dict[TracePassage, None] = {}
        self._checks: list[TraceCheck] = []

    def add(self, found: TracePassage | TraceCheck) -> None:
        if isinstance(found, TracePassage):
            self._given[found] = None
        elif found.outcome is CheckOutcome.CONTRADICTED:
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

    def trace(self, selected: Iterable[TraceSelection] = ()) -> AnswerTrace:
        return AnswerTrace(
            tuple(self._given)[:_MOST_PASSAGES],
            tuple(self._checks[:_MOST_CHECKS]),
            tuple(selected)[:_MOST_SELECTED],
        )


def given(excerpts: Iterable[Excerpt]) -> list[TracePassage]:
    return [TracePassage(e.link, e.name, _short(e.markdown, _LONGEST_PASSAGE)) for e in excerpts]


def selected(path: str | None, element_id: str | None) -> TraceSelection:
    return TraceSelection(
        _short(path or "", _LONGEST_ORIGIN), _short(element_id or "", _LONGEST_ORIGIN)
    )


def check(sentence: str, outcome: CheckOutcome, url: str, quote: str, reason: str) -> TraceCheck:
    return TraceCheck(
        _short(sentence.strip(), _LONGEST_SENTENCE),
        outcome,
        url,
        _short(quote, _LONGEST_SENTENCE),
        reason,
    )


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
