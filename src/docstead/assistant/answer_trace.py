"""Record of an answer for maintainers: its passages and the checks of its sentences."""

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
    """Result of checking a sentence."""

    SUPPORTED = "supported"
    CONNECTIVE = "connective"  #: It makes no claim.
    UNCITED = "uncited"  #: Nothing contradicts it, and no passage is close enough to cite.
    FLAGGED = "flagged"  #: A fact is missing or contradicted; it was sent with a mark.
    CONTRADICTED = "contradicted"  #: It was sent and contradicted by the judge afterwards.
    DROPPED = "dropped"  #: It was removed.


_KEPT = (CheckOutcome.SUPPORTED, CheckOutcome.UNCITED)


@dataclass(frozen=True, slots=True)
class TracePassage:
    """A passage used for the answer. `url` contains the section's anchor."""

    url: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class TraceCheck:
    """A model's sentence or piece of code, and the text that supports it.

    An outcome `CONTRADICTED` replaces an earlier one for the same sentence.
    """

    sentence: str
    outcome: CheckOutcome
    url: str = ""  # of the section, with a text fragment
    quote: str = ""
    reason: str = ""  # why it was removed or marked


@dataclass(frozen=True, slots=True)
class TraceSelection:
    """Origin of a reader's selection."""

    path: str = ""
    element_id: str = ""


@dataclass(frozen=True, slots=True)
class AnswerTrace:
    """Record of an answer, in chronological order."""

    given: tuple[TracePassage, ...] = ()
    checks: tuple[TraceCheck, ...] = ()
    selected: tuple[TraceSelection, ...] = ()


class TraceRecorder:
    """Collects the record while an answer is generated, within limits."""

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
