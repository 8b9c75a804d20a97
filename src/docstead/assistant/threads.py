"""Conversations that can be continued. A thread belongs to one deployment permanently."""

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
    """A thread and its latest turns, oldest first. `key` is set when it has just been made."""

    id: str
    turns: tuple[ThreadTurn, ...] = ()
    turn_count: int = 0
    key: str | None = None


def unstored_thread() -> Thread:
    """A new thread of which nothing is kept."""
    return Thread(new_ulid())


class ThreadRecords:
    """Keeps threads. With `key_required`, continuing one needs its key too.

    An unknown thread is refused with `must_exist` or `key_required`; otherwise a new one begins.
    Once a question of a thread was answered for groups of readers, the thread is unknown to API
    keys that may not read for groups.
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
        """Return the thread of this deployment, or a new one where there is none of that id.

        With `for_groups`, the thread is from now on open only to keys that read for groups.

        Raises:
            NotFound: there is none, and threads must exist; or the key it needs is wrong.
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
            self._restrict(deployment_id, thread.id)
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
        """The thread of this deployment.

        Raises:
            NotFound: there is none of that id here, or it is not open to this access.
        """
        with self._database.reading() as connection:
            self._check(connection, deployment_id, thread_id, access)
            return _thread(connection, thread_id)

    def admit(self, deployment_id: str, thread_id: str, access: ThreadAccess) -> None:
        """Check that a thread may be read with this access.

        Raises:
            NotFound: it may not, or there is none of that id here.
        """
        with self._database.reading() as connection:
            self._check(connection, deployment_id, thread_id, access)

    def _restrict(self, deployment_id: str, thread_id: str) -> None:
        """Open a thread only to API keys that may read for groups, from now on."""
        chosen = (threads.c.id == thread_id, threads.c.deployment_id == deployment_id)
        with self._database.transaction() as connection:
            connection.execute(update(threads).where(*chosen).values(for_groups=True))

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
        """Keep a turn: at the end of the thread, or in the place of the turn at `replaces`."""
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
            # Answers that end at the same time are put behind each other.
            lock = select(threads.c.id).where(threads.c.id == thread_id).with_for_update()
            connection.execute(lock)
            if replaces is None:
                _append(connection, thread_id, row)
            else:
                place = (turns.c.thread_id == thread_id, turns.c.position == replaces)
                connection.execute(update(turns).where(*place).values(row))

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
