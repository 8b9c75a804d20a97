"""Export records and their states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, RowMapping, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from docstead.base.clock import Clock
from docstead.base.errors import NotFound
from docstead.base.ids import new_id
from docstead.storage.database import Database
from docstead.storage.schema import exports
from docstead.storage.transitions import TransitionTable


class ExportStatus(StrEnum):
    """Status of an export; the values are those of the API."""

    QUEUED = "queued"  #: Waiting: one export of a deployment runs at a time.
    RUNNING = "running"  #: Pages are being written.
    COMPLETED = "completed"  #: The bundle can be downloaded. Final.
    FAILED = "failed"  #: Failed; see `error`. Final.

    @property
    def is_final(self) -> bool:
        return _STATES.is_final(self)


_STATES = TransitionTable(
    "export",
    exports.c.status,
    {
        ExportStatus.QUEUED: frozenset({ExportStatus.RUNNING, ExportStatus.FAILED}),
        ExportStatus.RUNNING: frozenset({ExportStatus.COMPLETED, ExportStatus.FAILED}),
        ExportStatus.COMPLETED: frozenset(),
        ExportStatus.FAILED: frozenset(),
    },
)
_UNFINISHED = tuple(status for status in ExportStatus if not status.is_final)


@dataclass(frozen=True, slots=True)
class ExportRetention:
    """Number of finished exports to keep per deployment: the newest `count`, None for all.

    Those that ended within `days` are kept as well.
    """

    count: int | None = 10
    days: int = 1


@dataclass(frozen=True)
class Export:
    """An export of an edition."""

    id: str  # the API's jobId
    deployment_id: str
    organization_id: str
    edition_id: str  # fixed at the start
    status: ExportStatus
    progress: float  # percent, 0 to 100; 100 only when completed
    page_count: int  # pages exported so far
    version: str | None  # label; None: the id of the edition
    paths: tuple[str, ...] | None  # slugs; None for every published page
    error: str | None
    object_key: str | None
    size_bytes: int | None
    created_at: datetime
    updated_at: datetime
    update_id: str | None = None  # the preceding update


def new_export_id() -> str:
    """Return a new id, `se_` and 16 hexadecimal digits."""
    return new_id("se")


def new_export(
    now: datetime,
    *,
    deployment_id: str,
    organization_id: str,
    edition_id: str,
    version: str | None = None,
    paths: Sequence[str] | None = None,
    export_id: str | None = None,
    update_id: str | None = None,
) -> Export:
    """Return a queued export."""
    return Export(
        export_id or new_export_id(), deployment_id, organization_id, edition_id,
        ExportStatus.QUEUED,
        progress=0.0, page_count=0, version=version,
        paths=None if paths is None else tuple(paths),
        error=None, object_key=None, size_bytes=None, created_at=now, updated_at=now,
        update_id=update_id,
    )  # fmt: skip


def insert_export(connection: Connection, created: Export) -> None:
    """Insert the row of a new export.

    Raises:
        IntegrityError: one with its id exists.
    """
    paths = None if created.paths is None else list(created.paths)
    connection.execute(insert(exports).values({**vars(created), "paths": paths}))


# Called in the transaction that ends an export.
OnEnded = Callable[[Connection, Export], object]


class ExportRecords:
    """Exports in the database."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        on_ended: OnEnded = lambda _connection, _export: None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._on_ended = on_ended

    def create(
        self,
        *,
        deployment_id: str,
        organization_id: str,
        edition_id: str,
        version: str | None,
        paths: Sequence[str] | None,
        export_id: str | None = None,
    ) -> Export:
        """Create an export, or return the existing one with this `export_id`."""
        created = new_export(
            self._clock.now(),
            deployment_id=deployment_id,
            organization_id=organization_id,
            edition_id=edition_id,
            version=version,
            paths=paths,
            export_id=export_id,
        )
        try:
            with self._database.transaction() as connection:
                insert_export(connection, created)
        except IntegrityError:
            if export_id is None:
                raise
            return self.get(export_id)
        return created

    def get(self, export_id: str, *, organization_id: str | None = None) -> Export:
        """Return an export; raise NotFound if it is unknown or another organization's."""
        query = select(exports).where(exports.c.id == export_id)
        if organization_id is not None:
            query = query.where(exports.c.organization_id == organization_id)
        row = None
        if "\0" not in export_id:  # PostgreSQL would reject the value
            with self._database.reading() as connection:
                row = connection.execute(query).mappings().first()
        if row is None:
            raise NotFound("there is no such export job")
        return _export(row)

    def of_deployment(self, deployment_id: str) -> list[Export]:
        """Return exports of a deployment, newest first."""
        query = (
            select(exports)
            .where(exports.c.deployment_id == deployment_id)
            .order_by(exports.c.created_at.desc(), exports.c.id.desc())
        )
        with self._database.reading() as connection:
            return [_export(row) for row in connection.execute(query).mappings()]

    def expired(self, deployment_id: str, kept: ExportRetention) -> list[Export]:
        """Return expired exports of the deployment."""
        if kept.count is None:
            return []
        before = self._clock.now() - timedelta(days=kept.days)
        older = self.of_deployment(deployment_id)[kept.count :]
        return [each for each in older if each.status.is_final and each.updated_at < before]

    def unfinished(self, organization_id: str) -> list[Export]:
        """Return unfinished exports of the organization: running ones first, then by age."""
        query = (
            select(exports)
            .where(exports.c.organization_id == organization_id, exports.c.status.in_(_UNFINISHED))
            .order_by(exports.c.status == ExportStatus.QUEUED, exports.c.created_at, exports.c.id)
        )
        with self._database.reading() as connection:
            return [_export(row) for row in connection.execute(query).mappings()]

    def unfinished_organizations(self) -> list[str]:
        """Return organizations with unfinished exports."""
        query = select(exports.c.organization_id).where(exports.c.status.in_(_UNFINISHED))
        with self._database.reading() as connection:
            return list(connection.execute(query.distinct()).scalars())

    def editions_in_use(self) -> set[str]:
        """Return ids of the editions of unfinished exports."""
        query = select(exports.c.edition_id).where(exports.c.status.in_(_UNFINISHED))
        with self._database.reading() as connection:
            return set(connection.execute(query).scalars())

    def advance(self, export_id: str, status: ExportStatus, **values: Any) -> None:
        """Move an export to `status` and set these columns.

        Raises:
            Conflict: its current status does not allow this.
        """
        with self._database.transaction() as connection:
            _STATES.advance(connection, export_id, status, updated_at=self._clock.now(), **values)
            if status.is_final:
                stored = select(exports).where(exports.c.id == export_id)
                ended = _export(connection.execute(stored).mappings().one())
                self._on_ended(connection, ended)

    def report(self, export_id: str, page_count: int, progress: float) -> None:
        """Store the progress of a running export. Older reports change nothing."""
        with self._database.transaction() as connection:
            connection.execute(
                update(exports)
                .where(
                    exports.c.id == export_id,
                    exports.c.status == ExportStatus.RUNNING,
                    exports.c.page_count <= page_count,
                    exports.c.progress <= progress,
                )
                .values(page_count=page_count, progress=progress, updated_at=self._clock.now())
            )

    def delete(self, export_id: str) -> None:
        with self._database.transaction() as connection:
            connection.execute(delete(exports).where(exports.c.id == export_id))


def _export(row: RowMapping) -> Export:
    paths = None if row["paths"] is None else tuple(row["paths"])
    return Export(**{**row, "status": ExportStatus(row["status"]), "paths": paths})
