"""Agent jobs, their turns and their events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from docstead.agent import turn_ends
from docstead.agent.forges.forge import ChangeState
from docstead.agent.states import JobStatus, TurnStatus
from docstead.models.chat import InputFile

COMMENT_TURN = "atc_"  # prefix of turns that answer a pull request comment


@dataclass(frozen=True, slots=True)
class Instruction:
    """Instruction of a turn. `messages` are pairs of role and text; the last is the user's.

    `files` belong to the last message; instructions read from the database do not contain them.
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
class PullRequestState:
    """A pull request as its forge last described it."""

    state: ChangeState
    draft: bool
    reviewers: tuple[str, ...]  # who merged it, or was asked for a review
    etag: str = ""  # of the forge's response

    @property
    def is_final(self) -> bool:
        return self.state is ChangeState.MERGED


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job that is to be created; see `AgentJob` for its fields."""

    id: str
    project_id: str
    organization_id: str
    repository: str
    branch: str
    model: str
    draft: bool = False
    started_by: str = ""
    may_ask: bool = False
    needs_plan: bool = False

    @property
    def turn_id(self) -> str:
        """Id of the first turn."""
        return f"{self.id}_1"


@dataclass(frozen=True, slots=True)
class AgentJob:
    """A job: a branch and the turns that work on it."""

    id: str
    project_id: str
    organization_id: str
    status: JobStatus
    title: str  # start of its first instruction
    repository: str  # without credentials
    branch: str  # that the agent works on
    model: str
    draft: bool  # whether its pull request should be a draft
    started_by: str
    pr_link: str | None
    todos: tuple[Mapping[str, Any], ...]  # id, content, status, priority
    event_count: int
    created_at: datetime
    updated_at: datetime
    archived_at: datetime | None
    may_ask: bool = False  # whether the agent may ask the user questions
    needs_plan: bool = False  # whether a plan must be approved before the first change
    question: Mapping[str, Any] | None = None  # kind, text, options, assumption, until
    pr_state: PullRequestState | None = None  # None also if the pull request is reviewed here
    pr_seen_at: datetime | None = None  # when the forge described it
    pr_asked_at: datetime | None = None  # when the forge was last asked about it

    @property
    def is_pr_unconfirmed(self) -> bool:
        """Whether the forge has not answered the last question about the pull request."""
        state, seen, asked = self.pr_state, self.pr_seen_at, self.pr_asked_at
        if state is None or seen is None or asked is None:
            return False
        return seen < asked and not state.is_final


@dataclass(frozen=True, slots=True)
class Turn:
    """An instruction and the state of the work on it."""

    id: str
    job_id: str
    position: int
    instruction: Instruction
    status: TurnStatus
    cancelled_at: datetime | None  # when cancellation was requested
    end: turn_ends.TurnEnd | None  # once it has ended
    commit: str | None
    steps: int  # model calls
    input_tokens: int
    cached_tokens: int  # part of the input read from the provider's cache
    output_tokens: int
    cost: float  # in the currency of the configured prices
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class JobEvent:
    """An event of a job. Numbers count from 1 without gaps."""

    job_id: str
    number: int
    turn_id: str
    kind: str
    data: Mapping[str, Any]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class StepRecord:
    """Result of a turn's step, written at most once per key."""

    key: str
    messages: Sequence[Mapping[str, Any]] = ()
    events: Sequence[tuple[str, Mapping[str, Any]]] = ()  # kind and data
    totals: Mapping[str, int | float] = field(default_factory=dict)  # added to columns of the turn
    job: Mapping[str, Any] = field(default_factory=dict)  # columns of the job
    turn: Mapping[str, Any] = field(default_factory=dict)  # columns of the turn
    picture: tuple[int, InputFile] | None = None  # image of a result, with its position
