"""States of agent jobs and turns, and the only functions that change them.

A job is `active` while any of its turns is unfinished; afterwards the last turn's result is the
job's.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, update

from docstead.base.errors import Conflict
from docstead.storage.schema import agent_jobs, agent_turns


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
        return not _NEXT_OF_TURN[self]


_NEXT: Mapping[JobStatus, frozenset[JobStatus]] = {
    JobStatus.ACTIVE: frozenset({JobStatus.COMPLETED, JobStatus.FAILED}),
    JobStatus.COMPLETED: frozenset({JobStatus.ACTIVE, JobStatus.ARCHIVED}),
    JobStatus.FAILED: frozenset({JobStatus.ACTIVE, JobStatus.ARCHIVED}),
    JobStatus.ARCHIVED: frozenset(),
}

_NEXT_OF_TURN: Mapping[TurnStatus, frozenset[TurnStatus]] = {
    TurnStatus.QUEUED: frozenset({TurnStatus.RUNNING, TurnStatus.FAILED}),
    TurnStatus.RUNNING: frozenset({TurnStatus.COMPLETED, TurnStatus.FAILED}),
    TurnStatus.COMPLETED: frozenset(),
    TurnStatus.FAILED: frozenset(),
}


def advance(
    connection: Connection, job_id: str, status: JobStatus, now: datetime, **values: Any
) -> None:
    """Move a job to `status`, with these columns; the only writer of its status.

    Raises:
        Conflict: its current status does not allow this.
    """
    before = [state for state, following in _NEXT.items() if status in following]
    moved = connection.execute(
        update(agent_jobs)
        .where(agent_jobs.c.id == job_id, agent_jobs.c.status.in_(before))
        .values(status=status, updated_at=now, **values)
    )
    if not moved.rowcount:
        raise Conflict(f"the job cannot change to {status} from its current status")


def advance_turn(connection: Connection, turn_id: str, status: TurnStatus, **values: Any) -> None:
    """Move a turn to `status`, with these columns; the only writer of its status.

    Raises:
        Conflict: its current status does not allow this.
    """
    before = [state for state, following in _NEXT_OF_TURN.items() if status in following]
    moved = connection.execute(
        update(agent_turns)
        .where(agent_turns.c.id == turn_id, agent_turns.c.status.in_(before))
        .values(status=status, **values)
    )
    if not moved.rowcount:
        raise Conflict(f"the turn cannot change to {status} from its current status")
