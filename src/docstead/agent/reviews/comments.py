"""Comments on changes as a whole, on files or on lines, and replies to them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import insert, select

from docstead.base.clock import Clock
from docstead.base.ids import new_id
from docstead.storage.database import Database
from docstead.storage.schema import change_comments


@dataclass(frozen=True, slots=True)
class CommentAnchor:
    """Subject of a comment: a file, and a line of it before or after the change."""

    path: str
    line: int | None = None
    side: str = "after"
    quote: str = ""  # the text of the line

    def __str__(self) -> str:
        if not self.line:
            return self.path
        removed = " (a removed line)" if self.side == "before" else ""
        return f"{self.path}:{self.line}{removed}"


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment on a change. `author` is None for the agent."""

    id: str
    change_id: str
    author: str | None
    text: str
    path: str | None
    line: int | None
    side: str | None  # before or after
    quote: str | None  # the text of the line
    thread_id: str | None  # the comment that this is a reply to
    turn_id: str | None  # the agent's turn that answers it
    created_at: datetime

    @property
    def about(self) -> CommentAnchor | None:
        if not self.path:
            return None
        return CommentAnchor(self.path, self.line, self.side or "after", self.quote or "")


class ChangeComments:
    """Comments of all changes."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def add(
        self,
        change_id: str,
        text: str,
        *,
        author: str | None = None,
        about: CommentAnchor | None = None,
        thread_id: str | None = None,
        turn_id: str | None = None,
    ) -> Comment:
        """Store a comment; with `thread_id` it is a reply to that comment."""
        comment = Comment(
            new_id("cmt"), change_id, author, text,
            path=about.path if about else None,
            line=about.line if about else None,
            side=about.side if about and about.line else None,
            quote=about.quote if about and about.line else None,
            thread_id=thread_id, turn_id=turn_id, created_at=self._clock.now(),
        )  # fmt: skip
        row = {name: getattr(comment, name) for name in Comment.__slots__}
        with self._database.transaction() as connection:
            connection.execute(insert(change_comments).values(row))
        return comment

    def of(self, change_id: str) -> list[Comment]:
        """Return the comments of a change, oldest first."""
        row = change_comments.c
        oldest_first = (row.created_at, row.thread_id.is_not(None), row.id)
        query = select(change_comments).where(row.change_id == change_id).order_by(*oldest_first)
        with self._database.reading() as connection:
            return [Comment(**row) for row in connection.execute(query).mappings()]
