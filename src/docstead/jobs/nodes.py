"""Heartbeats of nodes, and takeover of a dead node's jobs. PostgreSQL only.

Heartbeats use the database's clock. A node silent for three beats is considered dead: another node
locks its row and requeues its unfinished jobs. A dead node that returns waits for the same lock
before it looks for unfinished jobs, so none is resumed twice. Its row is kept for a while, because
a node that was merely slow may take another job before its next beat and then die.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from sqlalchemy import Engine, Select, cast, delete, func, select, update
from sqlalchemy.dialects.postgresql import INTERVAL, insert

from docstead.storage.schema import nodes

_MISSED_BEATS = 3
_FORGOTTEN_AFTER = timedelta(days=7)
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


class NodeRegistry:
    """Nodes that run jobs on one database."""

    def __init__(self, engine: Engine, node_id: str, heartbeat_seconds: float) -> None:
        self._engine = engine
        self._node_id = node_id
        self._silence = timedelta(seconds=_MISSED_BEATS * heartbeat_seconds)

    def heartbeat(self) -> None:
        """Record a heartbeat; waits while another node takes over the jobs."""
        now = func.clock_timestamp()
        statement = insert(nodes).values(id=self._node_id, heartbeat_at=now)
        statement = statement.on_conflict_do_update(
            index_elements=[nodes.c.id], set_={"heartbeat_at": now}
        )
        with self._engine.begin() as connection:
            connection.execute(statement)

    def leave(self) -> None:
        """Record that this node has stopped, so that others take over immediately."""
        statement = update(nodes).where(nodes.c.id == self._node_id)
        with self._engine.begin() as connection:
            connection.execute(statement.values(heartbeat_at=_LONG_AGO))

    def take_over(self, resume_jobs_of: Callable[[list[str]], None]) -> None:
        """Call `resume_jobs_of` with dead nodes that no other process is handling."""
        with self._engine.begin() as connection:
            dead = list(connection.execute(self._silent_for(self._silence)).scalars())
            if dead:
                resume_jobs_of(dead)
                forgotten = self._silent_for(_FORGOTTEN_AFTER)
                connection.execute(delete(nodes).where(nodes.c.id.in_(forgotten)))

    def _silent_for(self, silence: timedelta) -> Select[str]:
        since = func.clock_timestamp() - cast(silence, INTERVAL)
        return (
            select(nodes.c.id)
            .where(nodes.c.id != self._node_id, nodes.c.heartbeat_at < since)
            .with_for_update(skip_locked=True)
        )
