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
class PageOpinion:
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

    def give(self, deployment_id: str, opinion: PageOpinion) -> None:
        # If another request inserts the row first, it is updated.
        with suppress(IntegrityError), self._database.transaction() as connection:
            self._keep(connection, deployment_id, opinion)
            return
        with self._database.transaction() as connection:
            self._keep(connection, deployment_id, opinion)

    def _keep(self, connection: Connection, deployment_id: str, opinion: PageOpinion) -> None:
        now = self._clock.now()
        columns = page_feedback.c
        values = {
            "path": opinion.path,
            "helpful": opinion.helpful,
            "comment": opinion.comment,
            "contact": opinion.contact,
            "by_agent": opinion.by_agent,
            "updated_at": now,
        }
        mine = (columns.deployment_id == deployment_id, columns.token == opinion.token)
        if connection.execute(update(page_feedback).where(*mine).values(values)).rowcount:
            return
        new = {"id": new_id("fbk"), "deployment_id": deployment_id, "token": opinion.token}
        connection.execute(insert(page_feedback).values({**values, **new, "created_at": now}))
