"""Conversation threads, each of which belongs to one deployment permanently."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, RowMapping, func, insert, select, update

from docstead.assistant.conversation import AnswerSource, QuestionChannel, ThreadAccess, ThreadTurn
from docstead.assistant.stored_text import stored_name, stored_question
from docstead.base.clock import Clock
from docstead.base.errors import NotFound
from docstead.base.ids import new_id, new_ulid
from docstead.storage.database import Database
from docstead.storage.schema import threads, turns

_REMEMBERED_TURNS = 6
_SAID = ("question", "answer", "sources", "answered")


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread and its latest turns, oldest first. `key` is set if it is new."""

    id: str
    turns: tuple[ThreadTurn, ...] = ()
    turn_count: int = 0
    key: str | None = None


def unstored_thread() -> Thread:
    """Return a new thread that is not stored."""
    return Thread(new_ulid())


class ThreadRecords:
    """Threads in the database. With `key_required`, continuing one also needs its key.

    Unknown threads are rejected with `must_exist` or `key_required`; otherwise a new one starts.
    Once a thread contains an answer for groups, it does not exist for API keys without access to
    them.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        key_required: bool = False,
        must_exist: bool = False,
    ) -> None:
        self._database = database
        self._clock = clock
        self._key_required = key_required
        self._must_exist = must_exist or key_required

    def resume_or_create(
        self,
        deployment_id: str,
        thread_id: str | None,
        access: ThreadAccess,
        fp: str,
        *,
        for_groups: bool = False,
    ) -> Thread:
        """Return the deployment's thread, or a new one if it does not exist.

        With `for_groups`, the thread becomes restricted to keys that may read for groups.

        Raises:
            NotFound: threads must exist and this one does not, or its key is wrong.
        """
        if thread_id is None:
            return self.create(deployment_id, fp, for_groups=for_groups)
        try:
            thread = self.find(deployment_id, thread_id, access)
        except NotFound:
            if self._must_exist:
                raise
            return self.create(deployment_id, fp, for_groups=for_groups)
        if for_groups:
            self._restrict(thread.id)
        return thread

    def create(self, deployment_id: str, fp: str, *, for_groups: bool = False) -> Thread:
        key = secrets.token_urlsafe(24)
        thread = Thread(new_ulid(), key=key)
        row = {
            "id": thread.id,
            "deployment_id": deployment_id,
            "key_digest": _digest(key),
            "fp": stored_name(fp),
            "for_groups": for_groups,
            "created_at": self._clock.now(),
        }
        with self._database.transaction() as connection:
            connection.execute(insert(threads).values(row))
        return thread

    def find(self, deployment_id: str, thread_id: str, access: ThreadAccess) -> Thread:
        """Return the deployment's thread.

        Raises:
            NotFound: it does not exist, or access is denied.
        """
        with self._database.reading() as connection:
            self._check(connection, deployment_id, thread_id, access)
            return _thread(connection, thread_id)

    def admit(self, deployment_id: str, thread_id: str, access: ThreadAccess) -> None:
        """Check access to a thread.

        Raises:
            NotFound: it does not exist, or access is denied.
        """
        with self._database.reading() as connection:
            self._check(connection, deployment_id, thread_id, access)

    def _restrict(self, thread_id: str) -> None:
        """Restrict a thread to API keys that may read for groups."""
        restricted = update(threads).where(threads.c.id == thread_id).values(for_groups=True)
        with self._database.transaction() as connection:
            connection.execute(restricted)

    def _check(
        self, connection: Connection, deployment_id: str, thread_id: str, access: ThreadAccess
    ) -> None:
        query = select(threads).where(
            threads.c.id == thread_id, threads.c.deployment_id == deployment_id
        )
        row = connection.execute(query).mappings().first()
        if row is None or not self._admits(row, access):
            raise NotFound("threadId: there is no such thread")

    def record(
        self,
        thread_id: str,
        turn: ThreadTurn,
        *,
        answer_id: str,
        edition_id: str,
        current_path: str | None,
        channel: QuestionChannel = QuestionChannel.API,
        replaces: int | None = None,
    ) -> None:
        """Store a turn at the end of the thread, or replace the turn at `replaces`."""
        row = {
            "answer_id": answer_id,
            "question": stored_question(turn.question),
            "answer": turn.answer,
            "sources": [asdict(source) for source in turn.sources],
            "answered": turn.answered,
            "fallback": turn.fallback,
            "grounds": asdict(turn.trace),
            "edition_id": edition_id,
            "current_path": current_path,
            "channel": channel,
            "created_at": self._clock.now(),
        }
        with self._database.transaction() as connection:
            # Answers that end at the same time are appended one after the other.
            lock = select(threads.c.id).where(threads.c.id == thread_id).with_for_update()
            connection.execute(lock)
            if replaces is None:
                _append(connection, thread_id, row)
            else:
                is_turn = (turns.c.thread_id == thread_id, turns.c.position == replaces)
                connection.execute(update(turns).where(*is_turn).values(row))

    def _admits(self, row: RowMapping, access: ThreadAccess) -> bool:
        if row["for_groups"] and not access.reads_groups:
            return False
        if not self._key_required:
            return True
        key = access.key
        return key is not None and hmac.compare_digest(row["key_digest"], _digest(key))


def _thread(connection: Connection, thread_id: str) -> Thread:
    query = (
        select(turns.c.position, *(turns.c[name] for name in _SAID))
        .where(turns.c.thread_id == thread_id)
        .order_by(turns.c.position.desc())
        .limit(_REMEMBERED_TURNS)
    )
    rows = list(connection.execute(query).mappings())
    count = rows[0]["position"] + 1 if rows else 0
    return Thread(thread_id, tuple(_turn(row) for row in reversed(rows)), count)


def _turn(row: RowMapping) -> ThreadTurn:
    sources = tuple(AnswerSource(**source) for source in row["sources"])
    return ThreadTurn(row["question"], row["answer"], sources, row["answered"])


def _append(connection: Connection, thread_id: str, row: dict[str, object]) -> None:
    last = select(func.max(turns.c.position)).where(turns.c.thread_id == thread_id)
    highest = connection.execute(last).scalar()
    position = 0 if highest is None else highest + 1
    connection.execute(
        insert(turns).values(id=new_id("turn"), thread_id=thread_id, position=position, **row)
    )


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
