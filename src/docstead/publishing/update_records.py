"""Update records and their states."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, RowMapping, exists, func, insert, select, update

from docstead.base.clock import Clock
from docstead.base.errors import NotFound
from docstead.base.ids import new_id
from docstead.publishing.targets import PublishTarget
from docstead.storage.database import Database
from docstead.storage.schema import deployments, editions, projects, updates
from docstead.storage.transitions import TransitionTable


class UpdateStatus(StrEnum):
    """Status of an update; the values are those of the API."""

    QUEUED = "queued"  #: Waiting to be run.
    IN_PROGRESS = "in_progress"  #: The source is being read and rendered.
    SUCCESS = "success"  #: The new edition is current. Final.
    FAILURE = "failure"  #: The previous edition stays current. Final.

    @property
    def is_final(self) -> bool:
        return UPDATE_STATES.is_final(self)


UPDATE_STATES = TransitionTable(
    "update",
    updates.c.status,
    {
        UpdateStatus.QUEUED: frozenset({UpdateStatus.IN_PROGRESS, UpdateStatus.FAILURE}),
        UpdateStatus.IN_PROGRESS: frozenset({UpdateStatus.SUCCESS, UpdateStatus.FAILURE}),
        UpdateStatus.SUCCESS: frozenset(),
        UpdateStatus.FAILURE: frozenset(),
    },
)
UNFINISHED = tuple(status for status in UpdateStatus if not status.is_final)


@dataclass(frozen=True)
class Update:
    """One attempt to publish a project."""

    id: str  # the API's statusId
    project_id: str
    status: UpdateStatus
    origin: str  # api, dashboard, command, or internal: run by the process that created it
    summary: str | None
    logs: tuple[str, ...]
    commit: Mapping[str, Any] | None  # sha, ref, message, author, filesChanged
    edition_id: str | None
    created_at: datetime
    ended_at: datetime | None
    sequence: int  # number among the project's updates, from 1; 0 if an older version created it
    target: PublishTarget | None = None  # None publishes the project's own source


# Called in the transaction that makes an edition current, with the update and the edition's id.
OnCurrent = Callable[[Connection, Update, str], object]


def no_extra_records(_connection: Connection, _update: Update, _edition_id: str) -> None:
    """Do nothing."""


# Called in the transaction in which an update fails.
OnFailed = Callable[[Connection, Update], object]


class UpdateRecords:
    """Updates in the database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def create(self, project_id: str, origin: str, target: PublishTarget | None = None) -> Update:
        """Create an update, numbered after all others of the project."""
        with self._database.transaction() as connection:
            return self.create_within(connection, project_id, origin, target)

    def create_within(
        self,
        connection: Connection,
        project_id: str,
        origin: str,
        target: PublishTarget | None = None,
    ) -> Update:
        """Create an update in the caller's transaction, and lock the project until its end."""
        created = Update(
            new_id("up"), project_id, UpdateStatus.QUEUED, origin,
            summary=None, logs=(), commit=None, edition_id=None,
            created_at=self._clock.now(), ended_at=None,
            sequence=_next_sequence(connection, project_id), target=target,
        )  # fmt: skip
        stored: dict[str, Any] = {"logs": [], "target": target.stored() if target else None}
        connection.execute(insert(updates).values({**vars(created), **stored}))
        return created

    def get(self, update_id: str, *, organization_id: str | None = None) -> Update:
        """Return an update; raise NotFound if it is unknown or another organization's."""
        query = select(updates).where(updates.c.id == update_id)
        if organization_id is not None:
            query = query.join(projects).where(projects.c.organization_id == organization_id)
        row = None
        if "\0" not in update_id:  # PostgreSQL would reject the value
            with self._database.reading() as connection:
                row = connection.execute(query).mappings().first()
        if row is None:
            raise NotFound("there is no such update")
        return _update(row)

    def of_project(self, project_id: str, limit: int) -> list[Update]:
        """Return updates of a project, newest first."""
        query = (
            select(updates)
            .where(updates.c.project_id == project_id)
            .order_by(updates.c.sequence.desc(), updates.c.id.desc())
            .limit(limit)
        )
        with self._database.reading() as connection:
            return [_update(row) for row in connection.execute(query).mappings()]

    def in_state(self, status: UpdateStatus) -> list[Update]:
        """Return updates of all projects in a state, oldest first."""
        query = select(updates).where(updates.c.status == status)
        with self._database.reading() as connection:
            ordered = query.order_by(updates.c.created_at, updates.c.sequence)
            rows = connection.execute(ordered).mappings()
            return [_update(row) for row in rows]

    def unfinished(self, project_id: str) -> list[Update]:
        """Return unfinished updates of the project, oldest first."""
        query = select(updates).where(
            updates.c.project_id == project_id, updates.c.status.in_(UNFINISHED)
        )
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(updates.c.sequence)).mappings()
            return [_update(row) for row in rows]

    def unfinished_of_organization(self, organization_id: str) -> list[Update]:
        """Return unfinished updates of the organization's projects, by age within each project."""
        query = (
            select(updates)
            .join(projects)
            .where(
                projects.c.organization_id == organization_id,
                updates.c.status.in_(UNFINISHED),
            )
            .order_by(updates.c.project_id, updates.c.sequence)
        )
        with self._database.reading() as connection:
            return [_update(row) for row in connection.execute(query).mappings()]

    def unfinished_organizations(self) -> list[str]:
        """Return organizations with unfinished updates."""
        query = (
            select(projects.c.organization_id)
            .join(updates, updates.c.project_id == projects.c.id)
            .where(updates.c.status.in_(UNFINISHED))
        )
        with self._database.reading() as connection:
            return list(connection.execute(query.distinct()).scalars())

    def page_count(self, project_id: str) -> int:
        """Return the number of pages that the project last published."""
        query = select(editions.c.page_count).where(editions.c.project_id == project_id)
        newest = query.order_by(editions.c.sequence.desc(), editions.c.created_at.desc()).limit(1)
        with self._database.reading() as connection:
            return connection.execute(newest).scalar() or 0

    def targets(self, project_id: str) -> list[PublishTarget]:
        """Return the targets of unfinished updates of the project."""
        found = self.unfinished(project_id)
        return [each.target for each in found if each.target is not None]

    def failed_before(self, moment: datetime) -> list[str]:
        """Return unpublished projects whose first update failed before a time."""
        query = select(updates.c.project_id).where(
            updates.c.status == UpdateStatus.FAILURE,
            updates.c.target.is_not(None),
            updates.c.ended_at < moment,
            ~exists().where(deployments.c.project_id == updates.c.project_id),
        )
        with self._database.reading() as connection:
            return list(connection.execute(query.distinct()).scalars())

    def advance(self, update_id: str, status: UpdateStatus, **values: Any) -> None:
        with self._database.transaction() as connection:
            UPDATE_STATES.advance(connection, update_id, status, **values)

    def fail(self, failed: Update, reason: str, on_failed: OnFailed) -> None:
        """End an update as failed, and call `on_failed` in the same transaction."""
        logs = [*failed.logs, f"Failed: {reason}"]
        values = {"summary": reason, "logs": logs, "ended_at": self._clock.now()}
        with self._database.transaction() as connection:
            UPDATE_STATES.advance(connection, failed.id, UpdateStatus.FAILURE, **values)
            on_failed(connection, failed)

    def note(
        self, update_id: str, logs: Sequence[str], commit: Mapping[str, Any] | None = None
    ) -> None:
        """Store log and commit of a running update."""
        known: dict[str, Any] = {"logs": list(logs)}
        if commit is not None:
            known["commit"] = dict(commit)
        with self._database.transaction() as connection:
            connection.execute(update(updates).where(updates.c.id == update_id).values(known))


def stored_update(connection: Connection, update_id: str) -> Update:
    """Return an update as the transaction sees it."""
    query = select(updates).where(updates.c.id == update_id)
    return _update(connection.execute(query).mappings().one())


def is_overtaken(connection: Connection, update: Update) -> bool:
    """Report whether a later update of the project has already succeeded.

    The order is that of the database's numbering, because clocks of nodes differ. Locks the project
    until the end of the transaction, so that no other update succeeds meanwhile.
    """
    lock_project(connection, update.project_id)
    later = exists().where(
        updates.c.project_id == update.project_id,
        updates.c.status == UpdateStatus.SUCCESS,
        updates.c.sequence > update.sequence,
    )
    return bool(update.sequence and connection.execute(select(later)).scalar_one())


def lock_project(connection: Connection, project_id: str) -> None:
    """Lock the project's row, so that processes change its publication one at a time."""
    project = select(projects.c.id).where(projects.c.id == project_id)
    connection.execute(project.with_for_update(key_share=True))


def _next_sequence(connection: Connection, project_id: str) -> int:
    lock_project(connection, project_id)
    last = select(func.max(updates.c.sequence)).where(updates.c.project_id == project_id)
    return (connection.execute(last).scalar_one() or 0) + 1


def _update(row: RowMapping) -> Update:
    values = {
        **row,
        "status": UpdateStatus(row["status"]),
        "logs": tuple(row["logs"]),
        "target": PublishTarget.of(row["target"]),
    }
    return Update(**values)
