"""History of a job: numbered events, and the conversation with the model.

A step writes all its entries in one transaction under its own key. If the process dies before the
step is recorded as done, the step is run again, finds its key and writes nothing. Thus no event is
sent and no call counted twice.

Events have many readers, so possible secrets are masked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    Connection,
    RowMapping,
    Update,
    and_,
    bindparam,
    func,
    insert,
    select,
    update,
)

from docstead.agent.states import JobStatus
from docstead.agent.stored_files import insert_picture, picture_of
from docstead.agent.texts import storable, with_each_text
from docstead.agent.values import JobEvent, StepRecord, Turn
from docstead.agent.workspace.secret_scan import masked
from docstead.base.clock import Clock
from docstead.models.chat import InputFile
from docstead.storage.database import Database
from docstead.storage.schema import agent_events, agent_jobs, agent_messages, agent_turns

_EVENTS_AT_ONCE = 500
_PULL_REQUEST = "pullRequest"  # kind of the event with the pull request's URL
_REVIEWERS = "reviewers"  # kind of the event about requested reviews
STATUS_KEY = "status"  # field of the event with the job's resulting status

# Prepared once, because building the query takes longer than running it.
_EARLIER = (
    select(agent_messages.c.message, agent_turns.c.cancelled_at)
    .select_from(agent_turns)
    .outerjoin(
        agent_messages,
        and_(
            agent_messages.c.turn_id == agent_turns.c.id,
            agent_messages.c.key == bindparam("step"),
        ),
    )
    .where(agent_turns.c.id == bindparam("turn"))
)
_IS_WRITTEN = select(
    *(
        select(table.c.key)
        .where(table.c.turn_id == bindparam("turn"), table.c.key == bindparam("step"))
        .exists()
        for table in (agent_events, agent_messages)
    )
)
_SAID = (
    select(agent_messages.c.message)
    .where(agent_messages.c.job_id == bindparam("job"), agent_messages.c.position > bindparam("at"))
    .order_by(agent_messages.c.position)
)
# The job's counter orders concurrent writers.
_COUNT = (
    update(agent_jobs)
    .where(agent_jobs.c.id == bindparam("job"))
    .values(event_count=agent_jobs.c.event_count + bindparam("more"))
    .returning(agent_jobs.c.event_count)
)
_NEWS_TEXTS = insert(agent_events)
_SAY = insert(agent_messages).values(
    position=select(func.coalesce(func.max(agent_messages.c.position), 0) + 1)
    .where(agent_messages.c.job_id == bindparam("job"))
    .scalar_subquery()
)


@dataclass(frozen=True, slots=True)
class StepStart:
    """State at the start of a step."""

    message: Mapping[str, Any] | None  # stored by the step if it has already run
    is_cancelled: bool  # whether cancellation was requested


class EventLog:
    """Events and messages in the database. `link_of` updates URLs of pull requests."""

    def __init__(
        self, database: Database, clock: Clock, link_of: Callable[[str], str] = str
    ) -> None:
        self._database = database
        self._clock = clock
        self._link_of = link_of

    def write(self, turn: Turn, entry: StepRecord) -> bool:
        """Write a step's entries; return False if they were already written."""
        with self._database.transaction() as connection:
            if _is_written(connection, turn.id, entry.key):
                return False
            self._write(connection, turn, entry)
        return True

    def earlier(self, turn_id: str, key: str) -> StepStart:
        """Return the state for a step that writes a message under this key."""
        with self._database.reading() as connection:
            row = connection.execute(_EARLIER, {"turn": turn_id, "step": key}).one()
        return StepStart(row.message, row.cancelled_at is not None)

    def messages(self, job_id: str, after: int = 0) -> list[Mapping[str, Any]]:
        """Return the conversation of all turns, without its first messages."""
        with self._database.reading() as connection:
            return list(connection.execute(_SAID, {"job": job_id, "at": after}).scalars())

    def messages_of_turn(self, turn_id: str) -> list[Mapping[str, Any]]:
        """Return the messages of one turn."""
        query = (
            select(agent_messages.c.message)
            .where(agent_messages.c.turn_id == turn_id)
            .order_by(agent_messages.c.position)
        )
        with self._database.reading() as connection:
            return list(connection.execute(query).scalars())

    def picture(self, turn_id: str, position: int) -> InputFile | None:
        """Return the image of a tool result, or None after its job was archived."""
        with self._database.reading() as connection:
            return picture_of(connection, turn_id, position)

    def events(self, job_id: str, after: int = 0) -> list[JobEvent]:
        """Return the next events with a number greater than `after`, in order."""
        query = (
            select(agent_events)
            .where(agent_events.c.job_id == job_id, agent_events.c.number > after)
            .order_by(agent_events.c.number)
            .limit(_EVENTS_AT_ONCE)
        )
        with self._database.reading() as connection:
            return [self._event(row) for row in connection.execute(query).mappings()]

    def latest_events(self, job_id: str, count: int) -> list[JobEvent]:
        """Return the latest events, oldest first."""
        query = (
            select(agent_events)
            .where(agent_events.c.job_id == job_id)
            .order_by(agent_events.c.number.desc())
            .limit(count)
        )
        with self._database.reading() as connection:
            rows = connection.execute(query).mappings()
            return [self._event(row) for row in rows][::-1]

    def pull_requests(self, job_id: str) -> list[tuple[str, str]]:
        """Return turns that were delivered with the URL of their pull request, in order."""
        query = (
            select(agent_events.c.turn_id, agent_events.c.data)
            .where(agent_events.c.job_id == job_id, agent_events.c.kind == _PULL_REQUEST)
            .order_by(agent_events.c.number)
        )
        with self._database.reading() as connection:
            rows = connection.execute(query)
            return [(row.turn_id, self._link_of(row.data["url"])) for row in rows]

    def reviewed_urls(self, job_id: str) -> set[str]:
        """Return pull requests for which reviews were requested."""
        query = select(agent_events.c.data).where(
            agent_events.c.job_id == job_id, agent_events.c.kind == _REVIEWERS
        )
        with self._database.reading() as connection:
            return {data["url"] for data in connection.execute(query).scalars()}

    def resulting_status(self, turn: Turn) -> JobStatus | None:
        """Return the job's status after the turn, or None if other turns were waiting."""
        query = select(agent_events.c.data).where(
            agent_events.c.turn_id == turn.id, agent_events.c.key == STATUS_KEY
        )
        with self._database.reading() as connection:
            data = connection.execute(query).scalar()
        return None if data is None else JobStatus(data["status"])

    def _event(self, row: RowMapping) -> JobEvent:
        values = {name: row[name] for name in JobEvent.__slots__}
        if row["kind"] == _PULL_REQUEST:
            links = {name: row["data"].get(name) for name in ("url", "follows")}
            current = {name: link and self._link_of(link) for name, link in links.items()}
            values["data"] = {**row["data"], **current}
        return JobEvent(**values)

    def _write(self, connection: Connection, turn: Turn, entry: StepRecord) -> None:
        now = self._clock.now()
        news = [
            NewEvent(turn.job_id, turn.id, _numbered(entry.key, count), kind, data)
            for count, (kind, data) in enumerate(entry.events)
        ]
        _record_news(connection, turn.job_id, news, now, {"updated_at": now, **entry.job})
        for count, message in enumerate(entry.messages):
            _append(connection, turn, _numbered(entry.key, count), message)
        if entry.picture is not None:
            insert_picture(connection, turn.id, *entry.picture)
        if entry.totals or entry.turn:
            totals = {f"more_{name}": more for name, more in entry.totals.items()}
            statement = _total(tuple(entry.totals))
            connection.execute(statement, {"turn": turn.id, **totals, **entry.turn})


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event without a number. `key` is the same if a step is repeated."""

    job_id: str
    turn_id: str
    key: str
    kind: str
    data: Mapping[str, Any]


def note(connection: Connection, news: NewEvent, now: datetime) -> None:
    """Append one event."""
    _record_news(connection, news.job_id, [news], now, {})


def _record_news(
    connection: Connection,
    job_id: str,
    news: Sequence[NewEvent],
    now: datetime,
    job: Mapping[str, Any],
) -> None:
    """Append events, and update columns of the job."""
    counted = {"job": job_id, "more": len(news), **job}
    last = connection.execute(_COUNT, counted).scalar_one()
    rows = [
        {
            "job_id": job_id, "number": number, "turn_id": each.turn_id, "key": each.key,
            "kind": each.kind, "data": with_each_text(each.data, _shown), "created_at": now,
        }
        for number, each in enumerate(news, last - len(news) + 1)
    ]  # fmt: skip
    if rows:
        connection.execute(_NEWS_TEXTS, rows)


def _is_written(connection: Connection, turn_id: str, key: str) -> bool:
    return any(connection.execute(_IS_WRITTEN, {"turn": turn_id, "step": key}).one())


def _append(connection: Connection, turn: Turn, key: str, message: Mapping[str, Any]) -> None:
    row = {"job_id": turn.job_id, "turn_id": turn.id, "key": key}
    kept = with_each_text(message, storable)
    connection.execute(_SAY, {"job": turn.job_id, **row, "message": kept})


@cache
def _total(names: tuple[str, ...]) -> Update:
    """Return an update that adds to these columns of a turn."""
    more = {name: agent_turns.c[name] + bindparam(f"more_{name}") for name in names}
    return update(agent_turns).where(agent_turns.c.id == bindparam("turn")).values(more)


def _shown(text: str) -> str:
    return masked(storable(text))


def _numbered(key: str, count: int) -> str:
    return key if count == 0 else f"{key} +{count}"
