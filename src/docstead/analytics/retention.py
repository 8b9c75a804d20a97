"""Retention: deletion of conversations by reader, and of everything by age.

Conversations are deleted completely: thread, turns, recordings and feedback.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import ColumnElement, Connection, delete, exists, func, select

from docstead.assistant.stored_text import stored_name
from docstead.base.clock import Clock
from docstead.storage.database import Database
from docstead.storage.schema import (
    answer_events,
    answer_feedback,
    answers,
    page_feedback,
    page_visits,
    searches,
    threads,
    turns,
)

_BATCH = 200  # conversations per transaction


class ConversationRetention:
    """Deletes conversations after `days`; 0 keeps them indefinitely."""

    def __init__(self, database: Database, clock: Clock, *, days: int = 0) -> None:
        self._database = database
        self._clock = clock
        self.days = days

    def count(self, deployment_id: str, fp: str) -> int:
        """Return the number of conversations that `of_reader` would delete."""
        mine = (threads.c.deployment_id == deployment_id, threads.c.fp == stored_name(fp))
        with self._database.reading() as connection:
            query = select(func.count()).select_from(threads).where(*mine)
            return connection.execute(query).scalar_one()

    def of_reader(self, deployment_id: str, fp: str) -> int:
        """Delete the conversations of a reader on a deployment; return their number."""
        return self._remove(
            threads.c.deployment_id == deployment_id, threads.c.fp == stored_name(fp)
        )

    def sweep(self) -> int:
        """Delete conversations without activity for `days`, and all other older data.

        Returns the number of conversations.
        """
        if not self.days:
            return 0
        limit = self._clock.now() - timedelta(days=self.days)
        is_alive = exists().where(turns.c.thread_id == threads.c.id, turns.c.created_at >= limit)
        with self._database.transaction() as connection:
            for age in (searches.c.created_at, page_feedback.c.updated_at, page_visits.c.hour):
                connection.execute(delete(age.table).where(age < limit))
        return self._remove(threads.c.created_at < limit, ~is_alive)

    def _remove(self, *conditions: ColumnElement[bool]) -> int:
        removed = 0
        while ids := self._some(conditions):
            with self._database.transaction() as connection:
                _delete(connection, ids)
            removed += len(ids)
        return removed

    def _some(self, conditions: Sequence[ColumnElement[bool]]) -> list[str]:
        query = select(threads.c.id).where(*conditions).limit(_BATCH)
        with self._database.reading() as connection:
            return list(connection.scalars(query))


def _delete(connection: Connection, thread_ids: Sequence[str]) -> None:
    mine = select(answers.c.id).where(answers.c.thread_id.in_(thread_ids))
    for table in (answer_events, answer_feedback):
        connection.execute(delete(table).where(table.c.answer_id.in_(mine)))
    for table in (answers, turns):
        connection.execute(delete(table).where(table.c.thread_id.in_(thread_ids)))
    connection.execute(delete(threads).where(threads.c.id.in_(thread_ids)))
