"""Recorded conversations, for maintainers. Blocking: run it in a thread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, RowMapping, Select, func, or_, select

from docstead.analytics.period import Cursor, ReportPeriod
from docstead.assistant.answer_trace import AnswerTrace
from docstead.assistant.conversation import AnswerFallback, AnswerSource, QuestionChannel
from docstead.assistant.stored_text import stored_name
from docstead.base.decoders import json_decoder
from docstead.base.errors import NotFound
from docstead.storage.database import Database
from docstead.storage.schema import answer_feedback, threads, turns

_STORED_TRACE = json_decoder(AnswerTrace)
_MOST_WORDS = 8  # words per search, each matched against questions and answers


class AnswerState(StrEnum):
    """Result of a question."""

    ANSWERED = "answered"
    CLOSEST = "closest"  #: The closest sections were shown instead of an answer.
    NOTHING = "nothing"  #: Nothing was found.
    UNANSWERED = "unanswered"  #: It was refused or interrupted.


@dataclass(frozen=True, slots=True)
class ExchangeQuery:
    """Filter of exchanges; None and "" mean no condition.

    Each of the `words` must be in the question or the answer, ignoring case.
    """

    period: ReportPeriod = field(default_factory=ReportPeriod)
    words: str = ""
    fp: str = ""
    helpful: bool | None = None
    has_feedback: bool | None = None
    answered: bool | None = None
    state: AnswerState | None = None


EVERY_EXCHANGE = ExchangeQuery()


@dataclass(frozen=True, slots=True)
class ConversationExchange:
    """A question and its answer. `helpful` is None without feedback."""

    id: str
    thread_id: str
    fp: str
    question: str
    answer: str
    sources: tuple[AnswerSource, ...]
    answered: bool
    path: str | None  # page on which it was asked
    channel: str
    helpful: bool | None
    comment: str | None
    created_at: datetime
    trace: AnswerTrace | None = None  # None in lists, and for older answers
    fallback: AnswerFallback | None = None

    @property
    def state(self) -> AnswerState:
        if self.answered:
            return AnswerState.ANSWERED
        return AnswerState(self.fallback) if self.fallback else AnswerState.UNANSWERED

    @property
    def cursor(self) -> Cursor:
        return Cursor(self.created_at, self.id)


@dataclass(frozen=True, slots=True)
class ConversationDetail:
    """A conversation, oldest exchange first."""

    id: str
    fp: str
    created_at: datetime
    exchanges: tuple[ConversationExchange, ...]


class ConversationReports:
    """Conversations of some deployments."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def exchanges(
        self,
        deployments: Sequence[str],
        requested: ExchangeQuery = EVERY_EXCHANGE,
        *,
        limit: int,
        after: Cursor | None = None,
    ) -> list[ConversationExchange]:
        """Return exchanges, newest first, beginning after the cursor `after`."""
        conditions = list(_conditions(requested))
        if after is not None:
            conditions.append(after.precedes(turns.c.created_at, turns.c.id))
        newest = (turns.c.created_at.desc(), turns.c.id.desc())
        query = _exchanges(deployments).where(*conditions).order_by(*newest)
        return self._read(query.limit(limit))

    def opened(self, deployments: Sequence[str], thread_id: str) -> ConversationDetail:
        """Return one conversation.

        Raises:
            NotFound: these deployments have no such conversation.
        """
        query = select(threads).where(
            threads.c.id == thread_id, threads.c.deployment_id.in_(deployments)
        )
        with self._database.reading() as connection:
            thread = connection.execute(query).mappings().first()
        if thread is None:
            raise NotFound("threadId: there is no such conversation")
        ordered = _exchanges(deployments).add_columns(turns.c.grounds)
        ordered = ordered.where(turns.c.thread_id == thread_id)
        exchanges = self._read(ordered.order_by(turns.c.position))
        return ConversationDetail(thread_id, thread["fp"], thread["created_at"], tuple(exchanges))

    def by_channel(self, deployments: Sequence[str], period: ReportPeriod) -> dict[str, int]:
        """Return the number of questions by channel; all channels are included."""
        query = (
            select(turns.c.channel, func.count())
            .select_from(_JOINED)
            .where(threads.c.deployment_id.in_(deployments), *period.covers(turns.c.created_at))
            .group_by(turns.c.channel)
        )
        with self._database.reading() as connection:
            counted = {row[0]: row[1] for row in connection.execute(query)}
        return {channel.value: counted.get(channel.value, 0) for channel in QuestionChannel}

    def _read(self, query: Select[Any]) -> list[ConversationExchange]:
        with self._database.reading() as connection:
            return [_exchange(row) for row in connection.execute(query).mappings()]


_JOINED = turns.join(threads, turns.c.thread_id == threads.c.id).outerjoin(
    answer_feedback, answer_feedback.c.answer_id == turns.c.answer_id
)


def _exchanges(deployments: Sequence[str]) -> Select[Any]:
    return (
        select(
            *(each for each in turns.c if each is not turns.c.grounds),
            threads.c.fp,
            answer_feedback.c.helpful,
            answer_feedback.c.comment,
        )
        .select_from(_JOINED)
        .where(threads.c.deployment_id.in_(deployments))
    )


def _conditions(query: ExchangeQuery) -> Iterator[ColumnElement[bool]]:
    yield from query.period.covers(turns.c.created_at)
    for word in query.words.split()[:_MOST_WORDS]:
        texts = (turns.c.question, turns.c.answer)
        yield or_(*(text.icontains(word, autoescape=True) for text in texts))
    if query.fp:
        yield threads.c.fp == stored_name(query.fp)
    if query.helpful is not None:
        yield answer_feedback.c.helpful.is_(query.helpful)
    if query.has_feedback is not None:
        has_none = answer_feedback.c.answer_id.is_(None)
        yield ~has_none if query.has_feedback else has_none
    if query.answered is not None:
        yield turns.c.answered.is_(query.answered)
    if query.state is not None:
        yield from _has_state(query.state)


def _has_state(state: AnswerState) -> Iterator[ColumnElement[bool]]:
    yield turns.c.answered.is_(state is AnswerState.ANSWERED)
    if state is AnswerState.UNANSWERED:
        yield turns.c.fallback.is_(None)
    elif state is not AnswerState.ANSWERED:
        yield turns.c.fallback == state.value


def _exchange(row: RowMapping) -> ConversationExchange:
    return ConversationExchange(
        id=row["id"],
        thread_id=row["thread_id"],
        fp=row["fp"],
        question=row["question"],
        answer=row["answer"],
        sources=tuple(AnswerSource(**source) for source in row["sources"]),
        answered=row["answered"],
        path=row["current_path"],
        channel=row["channel"],
        helpful=row["helpful"],
        comment=row["comment"] or None,
        created_at=row["created_at"],
        trace=_trace(row.get("grounds")),
        fallback=AnswerFallback(row["fallback"]) if row["fallback"] else None,
    )


def _trace(kept: object) -> AnswerTrace | None:
    return None if kept is None else _STORED_TRACE.decode(msgspec.json.encode(kept))
