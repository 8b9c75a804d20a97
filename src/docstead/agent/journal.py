"""What happens in a job: numbered events, and the conversation with the model.

A step writes everything that it leaves behind in one transaction, under a key of its own.
When the process dies right after that, before the step is known to be done, the step is
run again, finds its key and writes nothing: no event is told twice, no call counted twice.

Events are told to many, so what looks like a secret is left out of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, RowMapping, func, insert, select, update

from docstead.agent.states import JobStatus
from docstead.agent.texts import storable, with_each_text
from docstead.agent.values import Entry, Event, Turn
from docstead.agent.workspace.secret_scan import masked
from docstead.base.clock import Clock
from docstead.storage.database import Database
from docstead.storage.schema import agent_events, agent_jobs, agent_messages, agent_turns

STATUS_KEY = "status"  # of the event that says what a turn's end has made of the job


class Journal:
    """The events and messages in the database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def write(self, turn: Turn, entry: Entry) -> bool:
        """Write what a step leaves behind; False if that was done before."""
        with self._database.transaction() as connection:
            if _is_written(connection, turn.id, entry.key):
                return False
            self._write(connection, turn, entry)
        return True

    def message(self, turn_id: str, key: str) -> Mapping[str, Any] | None:
        """The message that was written under this key."""
        query = select(agent_messages.c.message).where(
            agent_messages.c.turn_id == turn_id, agent_messages.c.key == key
        )
        with self._database.reading() as connection:
            found: Mapping[str, Any] | None = connection.execute(query).scalar()
        return found

    def messages(self, job_id: str) -> list[Mapping[str, Any]]:
        """The whole conversation, over all turns."""
        return self._messages(agent_messages.c.job_id == job_id)

    def messages_of_turn(self, turn_id: str) -> list[Mapping[str, Any]]:
        """What was said in one turn."""
        return self._messages(agent_messages.c.turn_id == turn_id)

    def _messages(self, condition: ColumnElement[bool]) -> list[Mapping[str, Any]]:
        query = (
            select(agent_messages.c.message).where(condition).order_by(agent_messages.c.position)
        )
        with self._database.reading() as connection:
            return list(connection.execute(query).scalars())

    def events(self, job_id: str, after: int = 0, limit: int = 500) -> list[Event]:
        """The events with a number over `after`, in their order."""
        query = (
            select(agent_events)
            .where(agent_events.c.job_id == job_id, agent_events.c.number > after)
            .order_by(agent_events.c.number)
            .limit(limit)
        )
        with self._database.reading() as connection:
            return [_event(row) for row in connection.execute(query).mappings()]

    def latest_events(self, job_id: str, count: int) -> list[Event]:
        """The last events, in their order."""
        query = (
            select(agent_events)
            .where(agent_events.c.job_id == job_id)
            .order_by(agent_events.c.number.desc())
            .limit(count)
        )
        with self._database.reading() as connection:
            rows = connection.execute(query).mappings()
            return [_event(row) for row in rows][::-1]

    def status_after(self, turn: Turn) -> JobStatus | None:
        """What the turn's end has made of the job; None where other turns waited."""
        query = select(agent_events.c.data).where(
            agent_events.c.turn_id == turn.id, agent_events.c.key == STATUS_KEY
        )
        with self._database.reading() as connection:
            data = connection.execute(query).scalar()
        return None if data is None else JobStatus(data["status"])

    def _write(self, connection: Connection, turn: Turn, entry: Entry) -> None:
        now = self._clock.now()
        for count, (kind, data) in enumerate(entry.events):
            key = _numbered(entry.key, count)
            note(connection, News(turn.job_id, turn.id, key, kind, data), now)
        for count, message in enumerate(entry.messages):
            _append(connection, turn, _numbered(entry.key, count), message)
        columns = {name: agent_turns.c[name] + more for name, more in entry.totals.items()}
        if columns or entry.turn:
            statement = update(agent_turns).where(agent_turns.c.id == turn.id)
            connection.execute(statement.values({**columns, **entry.turn}))
        statement = update(agent_jobs).where(agent_jobs.c.id == turn.job_id)
        connection.execute(statement.values(updated_at=now, **entry.job))


@dataclass(frozen=True, slots=True)
class News:
    """An event that has no number yet. `key` is the same when a step is done again."""

    job_id: str
    turn_id: str
    key: str
    kind: str
    data: Mapping[str, Any]


def note(connection: Connection, news: News, now: datetime) -> None:
    """Append one event. The job's count is what orders the writers."""
    number = connection.execute(
        update(agent_jobs)
        .where(agent_jobs.c.id == news.job_id)
        .values(event_count=agent_jobs.c.event_count + 1)
        .returning(agent_jobs.c.event_count)
    ).scalar_one()
    row = {
        "job_id": news.job_id, "number": number, "turn_id": news.turn_id, "key": news.key,
        "kind": news.kind, "data": with_each_text(news.data, _shown), "created_at": now,
    }  # fmt: skip
    connection.execute(insert(agent_events).values(row))


def _is_written(connection: Connection, turn_id: str, key: str) -> bool:
    for table in (agent_events, agent_messages):
        query = select(table.c.key).where(table.c.turn_id == turn_id, table.c.key == key)
        if connection.execute(query).scalar() is not None:
            return True
    return False


def _append(connection: Connection, turn: Turn, key: str, message: Mapping[str, Any]) -> None:
    last = select(func.max(agent_messages.c.position)).where(agent_messages.c.job_id == turn.job_id)
    row = {
        "job_id": turn.job_id,
        "position": (connection.execute(last).scalar() or 0) + 1,
        "turn_id": turn.id,
        "key": key,
        "message": with_each_text(message, storable),
    }
    connection.execute(insert(agent_messages).values(row))


def _shown(text: str) -> str:
    return masked(storable(text))


def _numbered(key: str, count: int) -> str:
    return key if count == 0 else f"{key} +{count}"


def _event(row: RowMapping) -> Event:
    values = {name: row[name] for name in Event.__slots__}
    return Event(**values)
