"""Questions of agent jobs in the database, and their answers.

Whether a message is an answer or the next instruction is decided while the job's row is locked, so
that none is lost.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, select, update

from docstead.agent.event_log import NewEvent, note
from docstead.agent.records import first_open_turn, locked_status
from docstead.agent.texts import storable
from docstead.base.clock import Clock
from docstead.storage.database import Database
from docstead.storage.schema import agent_events, agent_jobs


class QuestionRecords:
    """Questions in the database. A job has at most one."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def answer(self, job_id: str, text: str, message_id: str) -> bool:
        """Answer a job's open question; return False if there is none."""
        with self._database.transaction() as connection:
            locked_status(connection, job_id)
            turn = first_open_turn(connection, job_id)
            row = connection.execute(_question_of(job_id)).one()
            if turn is None or row.question is None or row.answer is not None:
                return False
            text = storable(text)
            answered = update(agent_jobs).where(agent_jobs.c.id == job_id).values(answer=text)
            connection.execute(answered)
            event = {"id": message_id, "text": text}
            news = NewEvent(job_id, turn["id"], _key(message_id), "answer", event)
            note(connection, news, self._clock.now())
        return True

    def has_answer(self, job_id: str) -> bool:
        """Report whether a job's question was answered."""
        with self._database.reading() as connection:
            return connection.execute(_question_of(job_id)).one().answer is not None

    def has_answered(self, message_id: str) -> bool:
        """Report whether this message was an answer to a question."""
        query = select(agent_events.c.number).where(agent_events.c.key == _key(message_id))
        with self._database.reading() as connection:
            return connection.execute(query).first() is not None

    def close(self, job_id: str) -> str | None:
        """Stop accepting answers and return the stored one, if any. Idempotent."""
        with self._database.transaction() as connection:
            locked_status(connection, job_id)
            closed = update(agent_jobs).where(agent_jobs.c.id == job_id).values(question=None)
            connection.execute(closed)
            answer: str | None = connection.execute(_question_of(job_id)).one().answer
        return answer


def _question_of(job_id: str) -> Select[Any]:
    columns = agent_jobs.c.question, agent_jobs.c.answer
    return select(*columns).where(agent_jobs.c.id == job_id)


def _key(message_id: str) -> str:
    return f"answer {message_id}"
