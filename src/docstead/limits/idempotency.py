"""Idempotency of requests that start work (`Idempotency-Key`).

A caller chooses the id of what it will create and claims it under the key; a repeated request gets
the id of the first. If nothing with this id exists, because the first attempt died, it creates it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from docstead.base.clock import Clock
from docstead.base.errors import InvalidRequest, NotFound
from docstead.storage.database import Database
from docstead.storage.schema import idempotency_keys

_KEPT_FOR = timedelta(hours=24)
_PURGED_EVERY = timedelta(hours=1)
_KEY_LENGTH = 255


@dataclass(frozen=True, slots=True)
class IdempotentRequest:
    """A request that may be repeated: its key, if it has one, and a digest of its content.

    Keys in different scopes, such as projects, are independent.
    """

    organization_id: str
    key: str | None
    fingerprint: str
    scope: str = ""

    @property
    def count_once(self) -> str | None:
        """Return the id under which repetitions count once against rate limits."""
        if self.key is None:
            return None
        return fingerprint(self.organization_id, self.scope, self.key, self.fingerprint)


class IdempotencyKeys:
    """Idempotency keys of the last 24 hours."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._insert: Callable[..., Any] = (
            sqlite.insert if database.is_sqlite else postgresql.insert
        )
        self._purged_at: datetime | None = None

    def claimed(self, request: IdempotentRequest) -> str:
        """Return the id under the request's key.

        Call it before the request is validated: one that was accepted may no longer be valid.

        Raises:
            NotFound: the request has no key, or it was not used in the last 24 hours.
            InvalidRequest: the key is malformed, or was used for a different request.
        """
        if request.key is None:
            raise NotFound("Idempotency-Key: is missing")
        return self._id_under(request, _scoped(request.key, request.scope), self._outdated)

    def claim(self, request: IdempotentRequest, resource_id: str) -> str:
        """Return the id under the request's key: `resource_id`, unless the key was used before.

        Call it when nothing can refuse the request any more, so that a corrected one may use the
        same key. Without a key, the id is `resource_id`.

        Raises:
            InvalidRequest: the key is malformed, or was used for a different request.
        """
        if request.key is None:
            return resource_id
        key = _scoped(request.key, request.scope)
        now, outdated = self._clock.now(), self._outdated
        self._purge_now_and_then(now)
        row = {
            "organization_id": request.organization_id,
            "key": key,
            "fingerprint": request.fingerprint,
            "resource_id": resource_id,
            "created_at": now,
        }
        with self._database.transaction() as connection:
            if self._inserted(connection, row, outdated):
                return resource_id
        return self._id_under(request, key, outdated)

    def purge(self) -> None:
        """Delete keys older than a day; `claim` does it once an hour."""
        old = idempotency_keys.c.created_at <= self._outdated
        with self._database.transaction() as connection:
            connection.execute(delete(idempotency_keys).where(old))

    @property
    def _outdated(self) -> datetime:
        return self._clock.now() - _KEPT_FOR

    def _purge_now_and_then(self, now: datetime) -> None:
        if self._purged_at is None or abs(now - self._purged_at) > _PURGED_EVERY:
            self._purged_at = now
            self.purge()

    def _inserted(self, connection: Connection, row: dict[str, object], outdated: datetime) -> bool:
        columns = idempotency_keys.c
        statement = self._insert(idempotency_keys).values(row)
        statement = statement.on_conflict_do_update(
            index_elements=[columns.organization_id, columns.key],
            set_={name: row[name] for name in ("fingerprint", "resource_id", "created_at")},
            where=columns.created_at <= outdated,
        )
        return connection.execute(statement.returning(columns.key)).scalar() is not None

    def _id_under(self, request: IdempotentRequest, key: str, since: datetime) -> str:
        columns = idempotency_keys.c
        query = select(idempotency_keys).where(
            columns.organization_id == request.organization_id,
            columns.key == key,
            columns.created_at > since,
        )
        with self._database.reading() as connection:
            found = connection.execute(query).mappings().one_or_none()
        if found is None:
            raise NotFound("Idempotency-Key: was not used before")
        if found["fingerprint"] != request.fingerprint:
            raise InvalidRequest("Idempotency-Key: was used for a different request")
        return str(found["resource_id"])


def fingerprint(*parts: object) -> str:
    """Return a digest of the parts that identical requests have in common."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


def _scoped(key: str, scope: str) -> str:
    """Return the stored form of a key. Raises InvalidRequest if the key is malformed."""
    if not 0 < len(key) <= _KEY_LENGTH or not (key.isascii() and key.isprintable()):
        raise InvalidRequest(f"Idempotency-Key: must have 1 to {_KEY_LENGTH} printable characters")
    return f"{scope} {key}" if scope else key
