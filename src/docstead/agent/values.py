"""Agent jobs, their turns and their events, as values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from docstead.agent.states import JobStatus, TurnStatus
from docstead.models.chat import InputFile

COMMENT_TURN = "atc_"  # ids of turns that answer a comment at the pull request


@dataclass(frozen=True, slots=True)
class Instruction:
    """Instruction of a turn. `messages` are pairs of role and text; the last is the user's.

    `files` come with the last message; instructions that are read from the database are
    without them.
    """

    messages: tuple[tuple[str, str], ...]
    files: tuple[InputFile, ...] = ()

    @classmethod
    def of(cls, prompt: str, files: Sequence[InputFile] = ()) -> Instruction:
        return cls((("user", prompt),), tuple(files))

    @property
    def prompt(self) -> str:
        return self.messages[-1][1]


@dataclass(frozen=True, slots=True)
class AgentJob:
    """One job: a branch, and the turns that work on it."""

    id: str
    project_id: str
    organization_id: str
    status: JobStatus
    title: str  # the beginning of its first instruction
    repository: str  # without credentials
    branch: str  # that the agent works on
    model: str
    draft: bool  # whether its pull request is to be one
    started_by: str
    pr_link: str | None
    todos: tuple[Mapping[str, Any], ...]  # id, content, status, priority
    event_count: int
    created_at: datetime
    updated_at: datetime
    archived_at: datetime | None
    may_ask: bool = False  # whether the agent may ask the user questions
    needs_plan: bool = False  # whether a plan is approved before the first change
    question: Mapping[str, Any] | None = None  # kind, text, options, assumption, until


class EndReason(StrEnum):
    """Why a turn ended, for programs."""

    FINISHED = "finished"  #: The model said that it was done.
    NO_CHANGES = "no_changes"  #: Done, and nothing had to change.
    STEP_LIMIT = "step_limit"
    TOKEN_LIMIT = "token_limit"  # noqa: S105 - tokens of text
    COST_LIMIT = "cost_limit"
    TIME_LIMIT = "time_limit"
    STUCK = "stuck"  #: The same calls, again and again, or messages without content.
    MALFORMED_CALLS = "malformed_calls"  #: Three answers in a row whose calls no tool understood.
    ANSWER_CUT = "answer_cut"  #: Three answers in a row that the limit of output tokens cut.
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

    @property
    def is_success(self) -> bool:
        """Whether the work is on the remote as a whole, or nothing had to change."""
        return self in (EndReason.FINISHED, EndReason.NO_CHANGES)

    @property
    def is_delivered(self) -> bool:
        """Whether the work is offered for review: as a whole, or as a draft of what is done."""
        return self.is_success or self in _UNFINISHED


_UNFINISHED = frozenset(
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


@dataclass(frozen=True, slots=True)
class Turn:
    """One instruction, and how far it got."""

    id: str
    job_id: str
    position: int
    instruction: Instruction
    status: TurnStatus
    cancelled_at: datetime | None  # when somebody asked for its end
    reason: EndReason | None
    reply: str | None  # what the model said at its end
    error: str | None
    commit: str | None
    steps: int  # model calls
    input_tokens: int
    cached_tokens: int  # of the input, read from the provider's cache
    output_tokens: int
    cost: float  # in the currency of the configured prices
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """Reason and results of a turn's end."""

    reason: EndReason
    reply: str | None = None
    error: str | None = None
    title: str | None = None  # of the change, as the model calls it


@dataclass(frozen=True, slots=True)
class JobEvent:
    """Something that happened in a job. Numbers count from 1, without gaps."""

    job_id: str
    number: int
    turn_id: str
    kind: str
    data: Mapping[str, Any]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class StepRecord:
    """Result of one step of a turn; written at most once for each key."""

    key: str
    messages: Sequence[Mapping[str, Any]] = ()
    events: Sequence[tuple[str, Mapping[str, Any]]] = ()  # kind and data
    totals: Mapping[str, int | float] = field(default_factory=dict)  # added to the turn's columns
    job: Mapping[str, Any] = field(default_factory=dict)  # columns of the job
    turn: Mapping[str, Any] = field(default_factory=dict)  # columns of the turn
    picture: tuple[int, InputFile] | None = None  # of a result, with its position
