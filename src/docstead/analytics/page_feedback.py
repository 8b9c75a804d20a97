"""Feedback on pages: a thumb, with optional comment and contact."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import Connection, insert, update
from sqlalchemy.exc import IntegrityError

from docstead.base.clock import Clock
from docstead.base.ids import new_id
from docstead.storage.database import Database
from docstead.storage.schema import page_feedback


@dataclass(frozen=True, slots=True)
class ReaderFeedback:
    """Feedback with the page's `token`; the same token replaces earlier feedback."""

    token: str
    path: str
    helpful: bool
    comment: str | None = None
    contact: str | None = None
    by_agent: bool = False  # from another assistant


class PageFeedbackStore:
    """Feedback in the database. Blocking: run it in a thread."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def give(self, deployment_id: str, feedback: ReaderFeedback) -> None:
        # If another request inserts the row first, it is updated.
        with suppress(IntegrityError), self._database.transaction() as connection:
            self._keep(connection, deployment_id, feedback)
            return
        with self._database.transaction() as connection:
            self._keep(connection, deployment_id, feedback)

    def _keep(self, connection: Connection, deployment_id: str, feedback: ReaderFeedback) -> None:
        now = self._clock.now()
        columns = page_feedback.c
        values = {
            "path": feedback.path,
            "helpful": feedback.helpful,
            "comment": feedback.comment,
            "contact": feedback.contact,
            "by_agent": feedback.by_agent,
            "updated_at": now,
        }
        mine = (columns.deployment_id == deployment_id, columns.token == feedback.token)
        if connection.execute(update(page_feedback).where(*mine).values(values)).rowcount:
            return
        new = {"id": new_id("fbk"), "deployment_id": deployment_id, "token": feedback.token}
        connection.execute(insert(page_feedback).values({**values, **new, "created_at": now}))
