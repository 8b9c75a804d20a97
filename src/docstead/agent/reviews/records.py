"""Changes in the database.

A branch has at most one open change. A database constraint ensures that concurrent processes end up
with the same one.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from docstead.agent.forges.forge import ChangeState
from docstead.agent.reviews.approvals import ChangeApprovals
from docstead.agent.reviews.comments import ChangeComments
from docstead.agent.reviews.viewed_files import ViewedFiles
from docstead.base.clock import Clock
from docstead.base.errors import Conflict, NotFound
from docstead.base.ids import new_id
from docstead.storage.database import Database
from docstead.storage.schema import changes, projects
from docstead.storage.transitions import TransitionTable

_STATES = TransitionTable(
    "change",
    changes.c.state,
    {
        ChangeState.OPEN: frozenset({ChangeState.MERGED, ChangeState.CLOSED}),
        ChangeState.MERGED: frozenset(),
        ChangeState.CLOSED: frozenset({ChangeState.OPEN}),
    },
)
_TRIES = 5


@dataclass(frozen=True, slots=True)
class Review:
    """A change. Its commits are recorded when it ends, and None before."""

    id: str
    project_id: str
    number: int  # number within its project
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


class ReviewRecords:
    """Changes in the database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self.comments = ChangeComments(database, clock)
        self.approvals = ChangeApprovals(database, clock)
        self.viewed = ViewedFiles(database)

    def open(
        self, project_id: str, branch: str, *, base: str, title: str, body: str, draft: bool
    ) -> Review:
        """Return the branch's open change, creating one if there is none."""
        for _ in range(_TRIES):
            if (known := self._open_one(project_id, branch)) is not None:
                return known
            try:
                return self._insert(project_id, branch, base, title, body, draft=draft)
            except IntegrityError:  # another process used this branch or number
                continue
        raise Conflict(f"the change of {branch} could not be opened: too many concurrent attempts")

    def find(self, project_id: str, branch: str) -> Review | None:
        """Return the branch's open change, or its latest ended one."""
        return self._open_one(project_id, branch) or self._first(
            _of_branch(project_id, branch).order_by(changes.c.number.desc())
        )

    def numbered(self, project_id: str, number: int) -> Review:
        return self._found(
            select(changes).where(changes.c.project_id == project_id, changes.c.number == number)
        )

    def get(self, change_id: str, *, organization_id: str | None = None) -> Review:
        """Return a change; raise NotFound if it is unknown or another organization's."""
        query = select(changes).where(changes.c.id == change_id)
        if organization_id is not None:
            query = query.join(projects).where(projects.c.organization_id == organization_id)
        return self._found(query)

    def of_project(self, project_id: str, limit: int = 50) -> list[Review]:
        """Return changes of a project, newest first."""
        query = select(changes).where(changes.c.project_id == project_id)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(changes.c.number.desc()).limit(limit))
            return [_review(row) for row in rows.mappings()]

    def describe(self, change_id: str, *, title: str, body: str, draft: bool) -> Review:
        """Replace title, body and draft state of a change."""
        values = {"title": title, "body": body, "draft": draft, "updated_at": self._clock.now()}
        with self._database.transaction() as connection:
            connection.execute(update(changes).where(changes.c.id == change_id).values(values))
        return self.get(change_id)

    def end(self, change_id: str, state: ChangeState, **values: Any) -> Review:
        """Mark a change as merged or closed, with these columns.

        Raises:
            Conflict: it is not open.
        """
        if not self._advance(change_id, state, ended_at=self._clock.now(), **values):
            raise Conflict("the change is no longer open")
        return self.get(change_id)

    def reopen(self, change_id: str) -> Review:
        """Open a closed change again.

        Raises:
            Conflict: it is not closed, or its branch has another open change.
        """
        ended = dict.fromkeys(("ended_at", "ended_by", "base_commit", "head_commit"))
        try:
            reopened = self._advance(change_id, ChangeState.OPEN, **ended)
        except IntegrityError:
            raise Conflict("another change of this branch is open; continue there") from None
        if not reopened:
            raise Conflict("only a closed change can be reopened")
        return self.get(change_id)

    def _advance(self, change_id: str, state: ChangeState, **values: Any) -> bool:
        """Move a change to `state`, with these columns, if it may; report whether it did."""
        now = self._clock.now()
        with self._database.transaction() as connection:
            return _STATES.try_advance(connection, change_id, state, updated_at=now, **values)

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
