"""Feedback on answers: thumbs up or down with a comment; the latest one counts."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, insert, select, update

from docstead.assistant.stored_text import stored_name
from docstead.base.clock import Clock
from docstead.base.errors import NotFound
from docstead.storage.database import Database
from docstead.storage.schema import answer_feedback, answers, threads


@dataclass(frozen=True, slots=True)
class AnswerFeedback:
    """Feedback on an answer. `fp` is recorded, but not trusted."""

    helpful: bool
    comment: str | None = None
    fp: str = "anonymous"


class AnswerFeedbackRecords:
    """Feedback in the database. Blocking: run it in a thread."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def give(
        self,
        deployment_id: str,
        answer_id: str,
        feedback: AnswerFeedback,
        *,
        reads_groups: bool = False,
    ) -> None:
        """Store feedback, replacing earlier feedback on the same answer.

        Raises:
            NotFound: the deployment has no such answer, or its thread is restricted to groups that
                the API key may not read (`reads_groups`).
        """
        now = self._clock.now()
        values = {
            "helpful": feedback.helpful,
            "comment": feedback.comment,
            "fp": stored_name(feedback.fp),
            "updated_at": now,
        }
        with self._database.transaction() as connection:
            _lock(connection, deployment_id, answer_id, reads_groups)
            mine = answer_feedback.c.answer_id == answer_id
            changed = connection.execute(update(answer_feedback).where(mine).values(values))
            if changed.rowcount == 0:
                row = {**values, "answer_id": answer_id, "created_at": now}
                connection.execute(insert(answer_feedback).values(row))


def _lock(connection: Connection, deployment_id: str, answer_id: str, reads_groups: bool) -> None:
    query = (
        select(answers.c.id)
        .join(threads, threads.c.id == answers.c.thread_id)
        .where(answers.c.id == answer_id, answers.c.deployment_id == deployment_id)
    )
    if not reads_groups:
        query = query.where(threads.c.for_groups.is_(False))
    if connection.execute(query.with_for_update(of=answers)).first() is None:
        raise NotFound("messageId: there is no such answer")
