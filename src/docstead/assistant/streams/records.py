"""Recorded answers in the database, for replay by any node.

Events are kept for an hour, in batches; afterwards the turn in the thread replaces them. Blocking:
run it in a thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, RowMapping, delete, insert, or_, select, update

from docstead.assistant.conversation import AnswerSource
from docstead.assistant.events import (
    AnswerFailed,
    AnswerFinished,
    AnswerStarted,
    Event,
    SourceFound,
    TextDelta,
    decoded,
    encoded,
)
from docstead.assistant.streams.recording import RecordedEvents
from docstead.base.clock import Clock
from docstead.storage.database import Database
from docstead.storage.schema import answer_events, answers, turns

KEPT = timedelta(hours=1)
#: Without a heartbeat for so long, the node of an answer is considered dead.
SILENCE = timedelta(seconds=20)
_TICK = timedelta(microseconds=1)
BROKE_OFF = "The answer was interrupted. Please ask again."


@dataclass(frozen=True, slots=True)
class UnstoredParts:
    """Unstored events of an answer."""

    started: AnswerStarted
    deployment_id: str
    chat: str | None
    position: int  # position of the first event
    events: tuple[Event, ...]
    over: bool


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """A recorded answer."""

    id: str
    thread_id: str
    over: bool
    silent: bool  # not being generated any more
    events: tuple[Event, ...]

    def since(self, position: int) -> RecordedEvents:
        is_lost = self.silent and not self.over
        lost = (AnswerFailed(self.thread_id, BROKE_OFF),) if is_lost else ()
        return RecordedEvents((*self.events, *lost)[position:], self.over or is_lost)


class RecordedAnswers:
    """Reads and writes recorded answers."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._created_at = datetime.min.replace(tzinfo=UTC)  # of the newest answer

    def write(self, fresh: Sequence[UnstoredParts], alive: Sequence[str]) -> None:
        """Store new events, and heartbeats of the answers in `alive`.

        New answers are in the order of their questions.
        """
        now = self._clock.now()
        begun = [
            _row(each) | {"created_at": self._next_moment(now), "beat_at": now}
            for each in fresh
            if _new(each)
        ]
        batches = [_batch(each) | {"created_at": now} for each in fresh if each.events]
        ended = [each.started.message_id for each in fresh if each.over and not _new(each)]
        with self._database.transaction() as connection:
            if begun:
                connection.execute(insert(answers), begun)
            if batches:
                connection.execute(insert(answer_events), batches)
            _mark(connection, ended, over=True)
            _mark(connection, alive, beat_at=now)

    def _next_moment(self, now: datetime) -> datetime:
        """Return the time of a new answer, which no earlier one has: `find` needs an order."""
        self._created_at = max(now, self._created_at + _TICK)
        return self._created_at

    def find(self, deployment_id: str, *, chat: str, thread_id: str) -> RecordedAnswer | None:
        """Return the last answer of a chat or thread."""
        query = (
            select(answers)
            .where(
                answers.c.deployment_id == deployment_id,
                or_(answers.c.chat == chat, answers.c.thread_id == thread_id),
            )
            .order_by(answers.c.created_at.desc(), answers.c.id.desc())
            .limit(1)
        )
        with self._database.reading() as connection:
            row = connection.execute(query).mappings().first()
            return None if row is None else self._kept(connection, row)

    def read(self, answer_id: str) -> RecordedAnswer | None:
        with self._database.reading() as connection:
            query = select(answers).where(answers.c.id == answer_id)
            row = connection.execute(query).mappings().first()
            return None if row is None else self._kept(connection, row)

    def sweep(self) -> None:
        """Delete events older than an hour."""
        old = answer_events.c.created_at < self._clock.now() - KEPT
        with self._database.transaction() as connection:
            connection.execute(delete(answer_events).where(old))

    def _kept(self, connection: Connection, row: RowMapping) -> RecordedAnswer | None:
        silent = row["beat_at"] < self._clock.now() - SILENCE
        events = _recorded(connection, row["id"])
        if not _whole(events) and (row["over"] or silent):
            events = _final_events(connection, row["id"], row["thread_id"]) or events
        if not events or not isinstance(events[0], AnswerStarted):
            return None
        return RecordedAnswer(row["id"], row["thread_id"], _whole(events), silent, events)


def _new(fresh: UnstoredParts) -> bool:
    return fresh.position == 0


def _row(fresh: UnstoredParts) -> dict[str, object]:
    return {
        "id": fresh.started.message_id,
        "deployment_id": fresh.deployment_id,
        "thread_id": fresh.started.thread_id,
        "chat": fresh.chat,
        "over": fresh.over,
    }


def _batch(fresh: UnstoredParts) -> dict[str, object]:
    # The key of a thread is sent once, and never stored.
    first = fresh.started
    events = [
        AnswerStarted(first.message_id, first.thread_id, None) if event is first else event
        for event in fresh.events
    ]
    return {
        "answer_id": first.message_id,
        "place": fresh.position,
        "events": encoded(events),
    }


def _mark(connection: Connection, ids: Sequence[str], **values: object) -> None:
    if ids:
        connection.execute(update(answers).where(answers.c.id.in_(ids)).values(values))


def _recorded(connection: Connection, answer_id: str) -> tuple[Event, ...]:
    query = (
        select(answer_events.c.events)
        .where(answer_events.c.answer_id == answer_id)
        .order_by(answer_events.c.place)
    )
    return tuple(event for text in connection.scalars(query) for event in decoded(text))


def _whole(events: Sequence[Event]) -> bool:
    """Report whether all events are stored, from the first batch to the last."""
    ends = (events[0], events[-1]) if events else (None, None)
    return isinstance(ends[0], AnswerStarted) and isinstance(ends[1], AnswerFinished | AnswerFailed)


def _final_events(connection: Connection, answer_id: str, thread_id: str) -> tuple[Event, ...]:
    """Return the events of an answer, restored from its thread."""
    query = select(turns).where(turns.c.answer_id == answer_id)
    turn = connection.execute(query).mappings().first()
    if turn is None:
        return ()
    return (
        AnswerStarted(answer_id, thread_id, None),
        *(SourceFound(AnswerSource(**source)) for source in turn["sources"]),
        TextDelta(turn["answer"]),
        AnswerFinished(thread_id, turn["answered"]),
    )
