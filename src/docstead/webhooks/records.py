"""Webhooks and their deliveries in the database."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, RowMapping, delete, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from docstead.base.clock import Clock, rfc3339
from docstead.base.errors import Conflict, NotFound
from docstead.base.ids import new_id
from docstead.storage.database import Database
from docstead.storage.schema import projects, webhook_deliveries, webhooks
from docstead.storage.transitions import TransitionTable
from docstead.storage.vault import PREFIX, CredentialVault
from docstead.webhooks.events import EventGroup, WebhookEvent

MOST = 10  # webhooks per project
_SHOWN = 100
_KEPT_FOR = timedelta(days=90)  # deliveries that have ended


class DeliveryStatus(StrEnum):
    """Status of a delivery."""

    PENDING = "pending"  #: To be attempted, or attempted again.
    DELIVERED = "delivered"  #: Answered with a status of 200 to 299. Final.
    FAILED = "failed"  #: Failed permanently. Only a manual redelivery attempts it again.


# A delivery may end, or be tried again, twice in the same way.
_STATES = TransitionTable(
    "delivery",
    webhook_deliveries.c.status,
    {
        DeliveryStatus.PENDING: frozenset(DeliveryStatus),
        DeliveryStatus.DELIVERED: frozenset({DeliveryStatus.DELIVERED, DeliveryStatus.PENDING}),
        DeliveryStatus.FAILED: frozenset({DeliveryStatus.FAILED, DeliveryStatus.PENDING}),
    },
)


@dataclass(frozen=True, slots=True)
class Webhook:
    """A URL that receives events."""

    id: str
    project_id: str
    url: str
    secret: str = field(repr=False)
    events: frozenset[EventGroup]
    created_at: datetime
    removed_at: datetime | None


@dataclass(frozen=True, slots=True)
class DeliveryAttempt:
    """One attempt. `status` is the response's; None without a response.

    It has neither status nor error until it has ended. It sends its request again if the process
    ends before that.
    """

    at: str  # RFC 3339
    status: int | None
    error: str | None
    requests: int = 1

    @property
    def has_ended(self) -> bool:
        return self.status is not None or self.error is not None


@dataclass(frozen=True, slots=True)
class WebhookDelivery:
    """One event for one webhook."""

    id: str
    webhook_id: str
    event: str
    body: str  # JSON, as signed and sent
    status: DeliveryStatus
    attempts: tuple[DeliveryAttempt, ...]
    created_at: datetime

    @property
    def ended(self) -> tuple[DeliveryAttempt, ...]:
        """Attempts that have ended; only the last one can be unfinished."""
        return tuple(attempt for attempt in self.attempts if attempt.has_ended)


class WebhookRecords:
    """Webhooks and deliveries in the database."""

    def __init__(
        self, database: Database, clock: Clock, vault: CredentialVault | None = None
    ) -> None:
        """Create the records; `vault` encrypts the secrets of webhooks."""
        self._database = database
        self._clock = clock
        self._vault = vault
        self._insert: Callable[..., Any] = (
            sqlite.insert if database.is_sqlite else postgresql.insert
        )

    def create(
        self, project_id: str, url: str, events: Collection[EventGroup] = tuple(EventGroup)
    ) -> Webhook:
        """Create a webhook for these groups of events.

        Raises:
            Conflict: the project has the maximum number of webhooks.
        """
        if len(self.of_project(project_id)) >= MOST:
            raise Conflict(f"a project has at most {MOST} webhooks; remove one first")
        secret = f"whsec_{secrets.token_urlsafe(32)}"
        made = Webhook(
            new_id("wh"), project_id, url, secret, frozenset(events), self._clock.now(), None
        )
        stored = {"secret": self._sealed(secret, made.id), "events": sorted(made.events)}
        with self._database.transaction() as connection:
            values = {**asdict(made), **stored}
            connection.execute(insert(webhooks).values(values))
        return made

    def seal_secrets(self) -> None:
        """Encrypt secrets that earlier versions stored in plain text."""
        is_plain = webhooks.c.secret.not_like(f"{PREFIX}%")
        with self._database.reading() as connection:
            query = select(webhooks.c.id, webhooks.c.secret).where(is_plain)
            plain = connection.execute(query).all()
        for webhook_id, secret in plain:
            mine = update(webhooks).where(webhooks.c.id == webhook_id, is_plain)
            with self._database.transaction() as connection:
                connection.execute(mine.values(secret=self._sealed(secret, webhook_id)))

    def of_project(self, project_id: str) -> list[Webhook]:
        """Return the active webhooks of a project, oldest first."""
        with self._database.reading() as connection:
            return [self._webhook(row) for row in _rows_of(connection, project_id)]

    def webhook(self, webhook_id: str) -> Webhook:
        with self._database.reading() as connection:
            query = select(webhooks).where(webhooks.c.id == webhook_id)
            row = connection.execute(query).mappings().first()
        if row is None:
            raise NotFound("there is no such webhook")
        return self._webhook(row)

    def remove(self, project_id: str, webhook_id: str) -> None:
        """Remove a webhook. Its deliveries stay in the log."""
        statement = update(webhooks).where(
            webhooks.c.id == webhook_id,
            webhooks.c.project_id == project_id,
            webhooks.c.removed_at.is_(None),
        )
        with self._database.transaction() as connection:
            done = connection.execute(statement.values(removed_at=self._clock.now()))
        if not done.rowcount:
            raise NotFound("there is no such webhook")

    def _sealed(self, secret: str, webhook_id: str) -> str:
        return secret if self._vault is None else self._vault.seal(secret, webhook_id)

    def _webhook(self, row: RowMapping) -> Webhook:
        secret = row["secret"]
        opened = secret if self._vault is None else self._vault.open(secret, row["id"])
        return Webhook(**{**row, "secret": opened, "events": _groups(row)})

    def remove_all(self) -> None:
        """Remove all webhooks, because their secrets can no longer be decrypted."""
        statement = update(webhooks).where(webhooks.c.removed_at.is_(None))
        with self._database.transaction() as connection:
            connection.execute(statement.values(removed_at=self._clock.now()))

    # --- deliveries ---------------------------------------------------------

    def record(self, connection: Connection, event: WebhookEvent) -> list[str]:
        """Create a delivery for each webhook that wants the event; return their ids. Idempotent."""
        wanting = [
            row["id"]
            for row in _rows_of(connection, event.project_id)
            if event.group in _groups(row)
        ]
        created = [f"{webhook_id}.{event.subject_id}" for webhook_id in wanting]
        for webhook_id, delivery_id in zip(wanting, created, strict=True):
            row = {
                "id": delivery_id, "webhook_id": webhook_id, "event": event.type,
                "body": event.body(delivery_id), "status": DeliveryStatus.PENDING,
                "attempts": [], "created_at": self._clock.now(),
            }  # fmt: skip
            statement = self._insert(webhook_deliveries).values(row)
            connection.execute(statement.on_conflict_do_nothing(index_elements=["id"]))
        return created

    def record_event(self, event: WebhookEvent) -> list[str]:
        """Do the same in a transaction of its own."""
        with self._database.transaction() as connection:
            return self.record(connection, event)

    def delivery(self, delivery_id: str) -> WebhookDelivery:
        with self._database.reading() as connection:
            query = select(webhook_deliveries).where(webhook_deliveries.c.id == delivery_id)
            row = connection.execute(query).mappings().first()
        if row is None:
            raise NotFound("there is no such delivery")
        return _delivery(row)

    def organization_of(self, delivery_id: str) -> str:
        """Return the organization that a delivery's webhook belongs to."""
        query = (
            select(projects.c.organization_id)
            .join(webhooks, webhooks.c.project_id == projects.c.id)
            .join(webhook_deliveries, webhook_deliveries.c.webhook_id == webhooks.c.id)
            .where(webhook_deliveries.c.id == delivery_id)
        )
        with self._database.reading() as connection:
            return str(connection.execute(query).scalar_one())

    def log(self, project_id: str) -> list[WebhookDelivery]:
        """Return the latest deliveries of a project, newest first."""
        query = (
            select(webhook_deliveries)
            .join(webhooks)
            .where(webhooks.c.project_id == project_id)
            .order_by(webhook_deliveries.c.created_at.desc(), webhook_deliveries.c.id)
            .limit(_SHOWN)
        )
        with self._database.reading() as connection:
            return [_delivery(row) for row in connection.execute(query).mappings()]

    def pending(self) -> list[WebhookDelivery]:
        """Return all pending deliveries, oldest first."""
        query = select(webhook_deliveries).where(
            webhook_deliveries.c.status == DeliveryStatus.PENDING
        )
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(webhook_deliveries.c.created_at)).mappings()
            return [_delivery(row) for row in rows]

    def unattempted(self) -> list[str]:
        """Return ids of the deliveries that wait for their first attempt, oldest first."""
        columns = webhook_deliveries.c
        query = select(columns.id, columns.attempts).where(columns.status == DeliveryStatus.PENDING)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(columns.created_at)).all()
        return [delivery_id for delivery_id, attempts in rows if not attempts]

    def remove_old(self) -> None:
        """Delete deliveries that have ended and are older than 90 days."""
        columns = webhook_deliveries.c
        old = delete(webhook_deliveries).where(
            columns.status != DeliveryStatus.PENDING,
            columns.created_at < self._clock.now() - _KEPT_FOR,
        )
        with self._database.transaction() as connection:
            connection.execute(old)

    def begin(self, delivery_id: str) -> int:
        """Record the next attempt before its request; return how many it has sent with this one."""
        found = self.delivery(delivery_id)
        interrupted = sum(each.requests for each in found.attempts if not each.has_ended)
        attempt = DeliveryAttempt(self.now(), None, None, interrupted + 1)
        self._write(delivery_id, (*found.ended, attempt))
        return attempt.requests

    def attempted(self, delivery_id: str, number: int, attempt: DeliveryAttempt) -> None:
        """Record the end of an attempt, once per number."""
        found = self.delivery(delivery_id)
        if len(found.ended) < number:
            self._write(delivery_id, (*found.ended, attempt))

    def _write(self, delivery_id: str, made: Iterable[DeliveryAttempt]) -> None:
        attempts = [_stored(each) for each in made]
        statement = update(webhook_deliveries).where(webhook_deliveries.c.id == delivery_id)
        with self._database.transaction() as connection:
            connection.execute(statement.values(attempts=attempts))

    def advance(self, delivery_id: str, status: DeliveryStatus) -> None:
        """Move a delivery to `status` unless it already has it.

        Raises:
            Conflict: its current status does not allow this.
        """
        with self._database.transaction() as connection:
            _STATES.advance(connection, delivery_id, status)

    def now(self) -> str:
        return rfc3339(self._clock.now())


def _rows_of(connection: Connection, project_id: str) -> list[RowMapping]:
    """Return the rows of a project's active webhooks, oldest first."""
    query = (
        select(webhooks)
        .where(webhooks.c.project_id == project_id, webhooks.c.removed_at.is_(None))
        .order_by(webhooks.c.created_at, webhooks.c.id)
    )
    return list(connection.execute(query).mappings())


def _groups(row: RowMapping) -> frozenset[EventGroup]:
    """Return a webhook's groups of events, without those of later versions."""
    return frozenset(each for each in EventGroup if each.value in row["events"])


def _stored(attempt: DeliveryAttempt) -> dict[str, Any]:
    """Return an attempt for the database; nodes of earlier versions know no number of requests."""
    values = asdict(attempt)
    if attempt.requests == 1:
        del values["requests"]
    return values


def _delivery(row: RowMapping) -> WebhookDelivery:
    values: dict[str, Any] = {**row, "status": DeliveryStatus(row["status"])}
    values["attempts"] = tuple(DeliveryAttempt(**each) for each in row["attempts"])
    return WebhookDelivery(**values)
