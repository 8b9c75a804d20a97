"""States of agent jobs and turns, and the only two functions that change them.

A job is `active` while any of its turns has not ended; the last turn's end is the job's.
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
    """State of a job; the values are those of the API."""

    ACTIVE = "active"  #: A turn is running or waiting.
    COMPLETED = "completed"  #: The last turn's work is on the remote, or nothing had to change.
    FAILED = "failed"  #: The last turn could not be brought to its end.
    ARCHIVED = "archived"  #: Closed by age or by hand. Final.


class TurnStatus(StrEnum):
    """State of one turn: an instruction and everything that is done for it."""

    QUEUED = "queued"  #: Waits for the turns before it.
    RUNNING = "running"  #: Under way; a killed process leaves it so and goes on later.
    COMPLETED = "completed"  #: Handed in. Final.
    FAILED = "failed"  #: `reason` and `error` say why. Final.

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
    """Move a job to `status`, with these columns. Nothing else writes its status.

    Raises:
        Conflict: it is in a state from which there is no way there.
    """
    before = [state for state, following in _NEXT.items() if status in following]
    moved = connection.execute(
        update(agent_jobs)
        .where(agent_jobs.c.id == job_id, agent_jobs.c.status.in_(before))
        .values(status=status, updated_at=now, **values)
    )
    if not moved.rowcount:
        raise Conflict(f"the job cannot become {status} from the state that it is in")


def advance_turn(connection: Connection, turn_id: str, status: TurnStatus, **values: Any) -> None:
    """Move a turn to `status`, with these columns. Nothing else writes its status.

    Raises:
        Conflict: it is in a state from which there is no way there.
    """
    before = [state for state, following in _NEXT_OF_TURN.items() if status in following]
    moved = connection.execute(
        update(agent_turns)
        .where(agent_turns.c.id == turn_id, agent_turns.c.status.in_(before))
        .values(status=status, **values)
    )
    if not moved.rowcount:
        raise Conflict(f"the turn cannot become {status} from the state that it is in")
