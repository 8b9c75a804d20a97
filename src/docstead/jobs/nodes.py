"""Which nodes are alive, and who takes over the jobs of a dead one. PostgreSQL only.

Each node writes its heartbeat by the database's clock. A node silent for three beats is
dead: another takes its row's lock, puts its unfinished jobs back into their queues and
removes the row, all under that lock. The dead node, should it come back, waits for the
same lock before it looks for unfinished jobs, so nothing is resumed twice.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, Engine, cast, delete, func, select, update
from sqlalchemy.dialects.postgresql import INTERVAL, insert

from docstead.storage.schema import nodes

_MISSED_BEATS = 3
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


class Nodes:
    """The nodes that run jobs on one database."""

    def __init__(self, engine: Engine, node_id: str, heartbeat_seconds: float) -> None:
        self._engine = engine
        self._node_id = node_id
        self._silence = timedelta(seconds=_MISSED_BEATS * heartbeat_seconds)

    def beat(self) -> None:
        """Say that this node is alive; waits while another takes over its jobs."""
        now = func.clock_timestamp()
        statement = insert(nodes).values(id=self._node_id, heartbeat_at=now)
        statement = statement.on_conflict_do_update(
            index_elements=[nodes.c.id], set_={"heartbeat_at": now}
        )
        with self._engine.begin() as connection:
            connection.execute(statement)

    def leave(self) -> None:
        """Say that this node has stopped: the others need not wait for its silence."""
        statement = update(nodes).where(nodes.c.id == self._node_id)
        with self._engine.begin() as connection:
            connection.execute(statement.values(heartbeat_at=_LONG_AGO))

    def bury_dead(self, resume_jobs_of: Callable[[str], None]) -> None:
        """Call `resume_jobs_of` for every dead node, in one process of all."""
        with self._engine.begin() as connection:
            for node_id in self._locked_dead(connection):
                resume_jobs_of(node_id)
                connection.execute(delete(nodes).where(nodes.c.id == node_id))

    def _locked_dead(self, connection: Connection) -> list[str]:
        silent_since = func.clock_timestamp() - cast(self._silence, INTERVAL)
        query = (
            select(nodes.c.id)
            .where(nodes.c.id != self._node_id, nodes.c.heartbeat_at < silent_since)
            .with_for_update(skip_locked=True)
        )
        return list(connection.execute(query).scalars())
