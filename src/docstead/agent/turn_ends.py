"""Ends of turns: a class for each kind of end, with what is known then."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class EndReason(StrEnum):
    """Reason why a turn ended."""

    FINISHED = "finished"  #: The model reported completion.
    NO_CHANGES = "no_changes"  #: Completed without changes.
    STEP_LIMIT = "step_limit"
    TOKEN_LIMIT = "token_limit"  # noqa: S105 - tokens of text
    COST_LIMIT = "cost_limit"
    TIME_LIMIT = "time_limit"
    STUCK = "stuck"  #: Repeated calls without effect, or messages without content.
    MALFORMED_CALLS = "malformed_calls"  #: Three consecutive responses with invalid calls only.
    ANSWER_CUT = "answer_cut"  #: Three consecutive responses truncated by the output token limit.
    REFUSED = "refused"
    MODEL_FAILED = "model_failed"
    OUT_OF_CREDIT = "out_of_credit"
    SOURCE_FAILED = "source_failed"  #: The repository could not be read.
    SECRET_FOUND = "secret_found"  # noqa: S105 - the name of the reason
    PUSH_FAILED = "push_failed"
    CHANGE_FAILED = "change_failed"  #: Pushed, but the pull request could not be opened.
    CANCELLED = "cancelled"
    LOST = "lost"  #: Its process was interrupted too often.
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class TurnFinished:
    """The model is done. The work is on the remote as a whole, or nothing had to change."""

    reply: str | None
    title: str | None = None  # of the change, as the model calls it
    has_changes: bool = True

    @property
    def reason(self) -> EndReason:
        return EndReason.FINISHED if self.has_changes else EndReason.NO_CHANGES

    @property
    def error(self) -> None:
        return None


@dataclass(frozen=True, slots=True)
class TurnStopped:
    """A limit, a loop or unusable answers ended the work. A draft of it is delivered."""

    reason: EndReason
    error: str | None
    reply: str | None = None


@dataclass(frozen=True, slots=True)
class TurnFailed:
    """Something failed or was refused; the turn opens no pull request."""

    reason: EndReason
    error: str | None
    reply: str | None = None


@dataclass(frozen=True, slots=True)
class TurnCancelled:
    """Somebody asked for the end."""

    @property
    def reason(self) -> EndReason:
        return EndReason.CANCELLED

    @property
    def reply(self) -> None:
        return None

    @property
    def error(self) -> None:
        return None


TurnEnd = TurnFinished | TurnStopped | TurnFailed | TurnCancelled

_STOPS = frozenset(
    {
        EndReason.STEP_LIMIT,
        EndReason.TOKEN_LIMIT,
        EndReason.COST_LIMIT,
        EndReason.TIME_LIMIT,
        EndReason.STUCK,
        EndReason.MALFORMED_CALLS,
        EndReason.ANSWER_CUT,
    }
)


def turn_end(
    reason: EndReason, reply: str | None = None, error: str | None = None, title: str | None = None
) -> TurnEnd:
    """Return the end with these stored values."""
    if reason in (EndReason.FINISHED, EndReason.NO_CHANGES):
        return TurnFinished(reply, title, has_changes=reason is EndReason.FINISHED)
    if reason is EndReason.CANCELLED:
        return TurnCancelled()
    kind = TurnStopped if reason in _STOPS else TurnFailed
    return kind(reason, error, reply)


def is_delivered(end: TurnEnd) -> bool:
    """Report whether the work is offered for review, complete or as a draft."""
    return isinstance(end, TurnFinished | TurnStopped)
