"""States of agent jobs and turns.

A job is `active` while any of its turns is unfinished; afterwards the last turn's result is the
job's.
"""

from __future__ import annotations

from enum import StrEnum

from docstead.storage.schema import agent_jobs, agent_turns
from docstead.storage.transitions import TransitionTable


class JobStatus(StrEnum):
    """Status of a job; the values are those of the API."""

    ACTIVE = "active"  #: A turn is running or waiting.
    COMPLETED = "completed"  #: The last turn was delivered, or needed no changes.
    FAILED = "failed"  #: The last turn could not be completed.
    ARCHIVED = "archived"  #: Archived by age or on request. Final.


class TurnStatus(StrEnum):
    """Status of a turn, which is an instruction and the work on it."""

    QUEUED = "queued"  #: Waiting for earlier turns.
    RUNNING = "running"  #: In progress; stays so if the process is killed, and is continued later.
    COMPLETED = "completed"  #: Delivered. Final.
    FAILED = "failed"  #: Failed; see `reason` and `error`. Final.

    @property
    def is_final(self) -> bool:
        return TURN_STATES.is_final(self)


JOB_STATES = TransitionTable(
    "job",
    agent_jobs.c.status,
    {
        JobStatus.ACTIVE: frozenset({JobStatus.COMPLETED, JobStatus.FAILED}),
        JobStatus.COMPLETED: frozenset({JobStatus.ACTIVE, JobStatus.ARCHIVED}),
        JobStatus.FAILED: frozenset({JobStatus.ACTIVE, JobStatus.ARCHIVED}),
        JobStatus.ARCHIVED: frozenset(),
    },
)

TURN_STATES = TransitionTable(
    "turn",
    agent_turns.c.status,
    {
        TurnStatus.QUEUED: frozenset({TurnStatus.RUNNING, TurnStatus.FAILED}),
        TurnStatus.RUNNING: frozenset({TurnStatus.COMPLETED, TurnStatus.FAILED}),
        TurnStatus.COMPLETED: frozenset(),
        TurnStatus.FAILED: frozenset(),
    },
)
