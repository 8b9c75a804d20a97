"""Approvals of a version of a change; each person has at most one per change."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Delete, delete, insert, select

from docstead.base.clock import Clock
from docstead.storage.database import Database
from docstead.storage.schema import change_approvals, changes


@dataclass(frozen=True, slots=True)
class ChangeApproval:
    """Approval of a change at `head_commit` by the owner called `name`."""

    owner_id: str
    name: str
    head_commit: str
    created_at: datetime


class ChangeApprovals:
    """Approvals of all changes."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def add(self, change_id: str, owner_id: str, name: str, head_commit: str) -> None:
        """Approve this version, replacing the owner's earlier approval."""
        row = {
            "change_id": change_id, "owner_id": owner_id, "name": name,
            "head_commit": head_commit, "created_at": self._clock.now(),
        }  # fmt: skip
        with self._database.transaction() as connection:
            connection.execute(_own(change_id, owner_id))
            connection.execute(insert(change_approvals).values(row))

    def withdraw(self, change_id: str, owner_id: str) -> None:
        with self._database.transaction() as connection:
            connection.execute(_own(change_id, owner_id))

    def names(self, project_id: str) -> dict[str, list[str]]:
        """Return the names of people who approved changes of a project, by change."""
        query = (
            select(change_approvals.c.change_id, change_approvals.c.name)
            .join(changes, changes.c.id == change_approvals.c.change_id)
            .where(changes.c.project_id == project_id)
            .order_by(change_approvals.c.created_at)
        )
        found: dict[str, list[str]] = {}
        with self._database.reading() as connection:
            for row in connection.execute(query):
                found.setdefault(row.change_id, []).append(row.name)
        return found

    def of(self, change_id: str) -> list[ChangeApproval]:
        """Return the approvals of a change, oldest first."""
        columns = [change_approvals.c[name] for name in ChangeApproval.__slots__]
        query = select(*columns).where(change_approvals.c.change_id == change_id)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(change_approvals.c.created_at)).mappings()
            return [ChangeApproval(**row) for row in rows]


def _own(change_id: str, owner_id: str) -> Delete:
    return delete(change_approvals).where(
        change_approvals.c.change_id == change_id, change_approvals.c.owner_id == owner_id
    )
