"""Outcomes of the steps of a turn. Small, and recorded.

Each step returns a union: its result, a moment for another try, or the end of the turn. The
fields keep their order, because the job library stores these values.
"""

from __future__ import annotations

from dataclasses import dataclass

from docstead.agent.dialog import OpenQuestion
from docstead.agent.limits import TurnUsage
from docstead.agent.turn_ends import EndReason, TurnEnd
from docstead.models.chat import ToolCall


@dataclass(frozen=True, slots=True)
class RetryAt:
    """A server is busy or away: the step is tried again at this moment, in Unix seconds."""

    moment: float


# --- the workspace ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WorkspaceReady:
    """The clone is ready."""

    tree: str
    system: str
    is_long: bool = False  # the earlier turns are to be summarized first


OpenOutcome = WorkspaceReady | RetryAt | TurnEnd


# --- calls of the model -------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """The model answered, with or without calls of tools."""

    spent: TurnUsage
    text: str
    calls: tuple[ToolCall, ...] = ()
    is_cut: bool = False  # by the limit of output tokens, inside its last call or its text


@dataclass(frozen=True, slots=True)
class LastAnswer:
    """The model's last words, because a limit of the turn is reached."""

    spent: TurnUsage
    text: str
    limit: EndReason


@dataclass(frozen=True, slots=True)
class EmptyAnswer:
    """The model said nothing; it is asked again."""

    spent: TurnUsage


@dataclass(frozen=True, slots=True)
class ContextFull:
    """The conversation was longer than the model can read; it gets a shorter one."""

    spent: TurnUsage


@dataclass(frozen=True, slots=True)
class ModelBusy:
    """The model is asked again at this moment, in Unix seconds."""

    spent: TurnUsage
    moment: float


@dataclass(frozen=True, slots=True)
class ModelEnded:
    """No further call is possible."""

    spent: TurnUsage
    end: TurnEnd


ModelOutcome = ModelAnswer | LastAnswer | EmptyAnswer | ContextFull | ModelBusy | ModelEnded


# --- tools --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FinishRequest:
    """The model says that it is done."""

    title: str
    summary: str


ToolRequest = FinishRequest | OpenQuestion | None


@dataclass(frozen=True, slots=True)
class ToolDone:
    """A call was carried out, or refused with an explanation."""

    tree: str  # what the clone shows after it
    digest: str  # of the result
    seconds: float
    is_malformed: bool = False  # no tool understood the call
    request: ToolRequest = None


ToolOutcome = ToolDone | TurnEnd


# --- delivery -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WorkCommitted:
    """Commit to push; None if this turn changed nothing."""

    commit: str | None


@dataclass(frozen=True, slots=True)
class SecretShown:
    """The model was asked to take a secret out."""


CommitOutcome = WorkCommitted | SecretShown | TurnEnd


@dataclass(frozen=True, slots=True)
class BranchPushed:
    """The branch is on the remote."""

    commit: str
    is_new: bool  # whether this turn added to it
    is_direct: bool = False
    note: str = ""
    tree: str = ""  # of the branch by now, with what others have done meanwhile


@dataclass(frozen=True, slots=True)
class NothingPushed:
    """The branch has no commits, or the turn added none to it before it failed."""


@dataclass(frozen=True, slots=True)
class ConflictShown:
    """The model was asked to make its files agree with those of others, which `tree` shows."""

    tree: str
    has_work: bool  # of this turn


@dataclass(frozen=True, slots=True)
class PushedInConflict:
    """The branch is on the remote, but nobody could merge it as it is."""

    pushed: BranchPushed
    end: TurnEnd


# Of both steps, once nothing is to be tried again.
DeliveryOutcome = (
    SecretShown | BranchPushed | NothingPushed | ConflictShown | PushedInConflict | TurnEnd
)
PushOutcome = DeliveryOutcome | RetryAt


@dataclass(frozen=True, slots=True)
class WorkOffered:
    """The pull request is up to date, or none was needed."""

    has_changes: bool  # of this turn


OfferOutcome = WorkOffered | RetryAt | TurnEnd
