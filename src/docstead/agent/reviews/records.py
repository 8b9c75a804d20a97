"""Changes and their comments in the database.

A branch has at most one open change: the database itself refuses a second one, so that
two processes that open at once end with the same change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from docstead.agent.forges.forge import ChangeState
from docstead.base.clock import Clock
from docstead.base.errors import Conflict, NotFound
from docstead.base.ids import new_id
from docstead.storage.database import Database
from docstead.storage.schema import change_comments, changes, projects

_NEXT: Mapping[ChangeState, frozenset[ChangeState]] = {
    ChangeState.OPEN: frozenset({ChangeState.MERGED, ChangeState.CLOSED}),
    ChangeState.MERGED: frozenset(),
    ChangeState.CLOSED: frozenset(),
}
_TRIES = 5


@dataclass(frozen=True, slots=True)
class Review:
    """A change of ours. The commits are those at its end; None while it is open."""

    id: str
    project_id: str
    number: int  # in its project
    branch: str
    base: str
    title: str
    body: str
    draft: bool
    state: ChangeState
    merge_commit: str | None
    ended_by: str | None
    base_commit: str | None
    head_commit: str | None
    created_at: datetime
    updated_at: datetime
    ended_at: datetime | None

    @property
    def is_open(self) -> bool:
        return self.state is ChangeState.OPEN


@dataclass(frozen=True, slots=True)
class Place:
    """What a comment is about: a file, and a line of it."""

    path: str
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" if self.line else self.path


@dataclass(frozen=True, slots=True)
class Comment:
    """Something said about a change. `author` is None where the agent speaks."""

    id: str
    change_id: str
    author: str | None
    text: str
    path: str | None
    line: int | None
    created_at: datetime

    @property
    def about(self) -> Place | None:
        return Place(self.path, self.line) if self.path else None


class Reviews:
    """The changes in the database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def open(
        self, project_id: str, branch: str, *, base: str, title: str, body: str, draft: bool
    ) -> Review:
        """The open change of this branch: the one that is there, else a new one."""
        for _ in range(_TRIES):
            if (known := self._open_one(project_id, branch)) is not None:
                return known
            try:
                return self._insert(project_id, branch, base, title, body, draft=draft)
            except IntegrityError:  # somebody was faster: with this branch, or with the number
                continue
        raise Conflict(f"the change of {branch} could not be opened: too many at once")

    def find(self, project_id: str, branch: str) -> Review | None:
        """The open change of the branch, else the last one that was not."""
        return self._open_one(project_id, branch) or self._first(
            _of_branch(project_id, branch).order_by(changes.c.number.desc())
        )

    def numbered(self, project_id: str, number: int) -> Review:
        return self._found(
            select(changes).where(changes.c.project_id == project_id, changes.c.number == number)
        )

    def get(self, change_id: str, *, organization_id: str | None = None) -> Review:
        """The change; that of another organization is NotFound, as an unknown one is."""
        query = select(changes).where(changes.c.id == change_id)
        if organization_id is not None:
            query = query.join(projects).where(projects.c.organization_id == organization_id)
        return self._found(query)

    def of_project(self, project_id: str, limit: int = 50) -> list[Review]:
        """Newest first."""
        query = select(changes).where(changes.c.project_id == project_id)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(changes.c.number.desc()).limit(limit))
            return [_review(row) for row in rows.mappings()]

    def describe(self, change_id: str, *, title: str, body: str, draft: bool) -> Review:
        """Say anew what the change is about."""
        values = {"title": title, "body": body, "draft": draft, "updated_at": self._clock.now()}
        with self._database.transaction() as connection:
            connection.execute(update(changes).where(changes.c.id == change_id).values(values))
        return self.get(change_id)

    def end(self, change_id: str, state: ChangeState, **values: Any) -> Review:
        """Merge or close it for good, with these columns. Nothing else writes its state.

        Raises:
            Conflict: it is not open any more.
        """
        before = [each for each, following in _NEXT.items() if state in following]
        now = self._clock.now()
        with self._database.transaction() as connection:
            ended = connection.execute(
                update(changes)
                .where(changes.c.id == change_id, changes.c.state.in_(before))
                .values(state=state, updated_at=now, ended_at=now, **values)
            )
        if not ended.rowcount:
            raise Conflict("the change is not open any more")
        return self.get(change_id)

    def comment(
        self, change_id: str, text: str, *, author: str | None = None, about: Place | None = None
    ) -> Comment:
        path, line = (about.path, about.line) if about else (None, None)
        said = Comment(new_id("cmt"), change_id, author, text, path, line, self._clock.now())
        row = {name: getattr(said, name) for name in Comment.__slots__}
        with self._database.transaction() as connection:
            connection.execute(insert(change_comments).values(row))
        return said

    def comments(self, change_id: str) -> list[Comment]:
        """In the order in which they were made."""
        query = (
            select(change_comments)
            .where(change_comments.c.change_id == change_id)
            .order_by(change_comments.c.created_at, change_comments.c.id)
        )
        with self._database.reading() as connection:
            return [Comment(**row) for row in connection.execute(query).mappings()]

    def _insert(
        self, project_id: str, branch: str, base: str, title: str, body: str, *, draft: bool
    ) -> Review:
        now = self._clock.now()
        with self._database.transaction() as connection:
            made = Review(
                new_id("chg"), project_id, _next_number(connection, project_id), branch, base,
                title, body, draft, ChangeState.OPEN,
                merge_commit=None, ended_by=None, base_commit=None, head_commit=None,
                created_at=now, updated_at=now, ended_at=None,
            )  # fmt: skip
            row = {name: getattr(made, name) for name in Review.__slots__}
            connection.execute(insert(changes).values(row))
        return made

    def _open_one(self, project_id: str, branch: str) -> Review | None:
        query = _of_branch(project_id, branch).where(changes.c.state == ChangeState.OPEN)
        return self._first(query)

    def _first(self, query: Select[Any]) -> Review | None:
        with self._database.reading() as connection:
            row = connection.execute(query.limit(1)).mappings().first()
        return None if row is None else _review(row)

    def _found(self, query: Select[Any]) -> Review:
        found = self._first(query)
        if found is None:
            raise NotFound("there is no such change")
        return found


def _of_branch(project_id: str, branch: str) -> Select[Any]:
    return select(changes).where(changes.c.project_id == project_id, changes.c.branch == branch)


def _next_number(connection: Connection, project_id: str) -> int:
    last = select(func.max(changes.c.number)).where(changes.c.project_id == project_id)
    return (connection.execute(last).scalar() or 0) + 1


def _review(row: RowMapping) -> Review:
    names = Review.__slots__
    values = {name: row[name] for name in names}
    return Review(**{**values, "state": ChangeState(row["state"])})
