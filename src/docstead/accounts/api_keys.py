"""API keys: creation, listing, revocation and authentication.

Only an HMAC-SHA256 of a key is stored. A key that is missing, malformed, unknown, expired, revoked
or of the wrong kind is Unauthorized (401); a valid key from a disallowed IP address or without the
required scope is Forbidden (403).
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from math import ceil

from sqlalchemy import ColumnElement, Connection, and_, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from docstead.accounts.allowlist import allows, checked_allowlist
from docstead.accounts.key_checks import check_owner, checked_expiry, checked_scopes
from docstead.accounts.key_records import (
    Caller,
    CreatedKey,
    KeyRecord,
    KeyScope,
    key_record,
    key_row,
)
from docstead.accounts.names import checked_name
from docstead.accounts.origins import checked_origins
from docstead.accounts.tenancy import Deployment
from docstead.base.api_keys import KeyKind, derived_key, kind_of, new_key
from docstead.base.clock import Clock
from docstead.base.errors import (
    Conflict,
    Forbidden,
    InvalidRequest,
    NotFound,
    RateLimited,
    StoreUnavailable,
    Unauthorized,
)
from docstead.base.ids import new_id
from docstead.base.last_known import LastKnown
from docstead.base.texts import duration
from docstead.base.units import HOUR_SECONDS, MINUTE_SECONDS
from docstead.storage.database import Database
from docstead.storage.schema import api_keys, deployments, projects

__all__ = ["ApiKeys", "Caller", "CreatedKey", "KeyRecord", "KeyScope"]

_CREATIONS_PER_HOUR = 10
_USE_RECORDED_EVERY = timedelta(minutes=1)
_HINT_CHARACTERS = 4
_TRUSTED_SECONDS = 10.0 * MINUTE_SECONDS  # without the database
_READING_METHODS = frozenset({"GET", "HEAD"})


class ApiKeys:
    """Keys of all organizations. `pepper` is the secret for the stored hashes."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        pepper: bytes,
        *,
        creations_per_hour: int | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._pepper = pepper
        self._creations_per_hour = creations_per_hour or _CREATIONS_PER_HOUR
        self._known: LastKnown[str, KeyRecord] = LastKnown(seconds=_TRUSTED_SECONDS)

    def create(
        self,
        organization_id: str,
        kind: KeyKind,
        name: str,
        *,
        deployment_id: str | None = None,
        scopes: Iterable[str] | None = None,
        allowlist: Iterable[str] | None = None,
        origins: Iterable[str] | None = None,
        expires_at: datetime | None = None,
    ) -> CreatedKey:
        """Create a key. Expiry, scopes, allowlist and origins cannot be changed later.

        Raises:
            InvalidRequest: a named part is malformed, or the expiry is not in the future.
            NotFound: the organization or deployment does not exist.
            RateLimited: the organization has created too many keys within the hour.
        """
        key = new_key(kind)
        record = KeyRecord(
            id=new_id("key"),
            organization_id=organization_id,
            deployment_id=deployment_id,
            kind=kind,
            name=checked_name("name", name),
            hint=_hint(kind, key),
            scopes=checked_scopes(kind, scopes),
            allowlist=checked_allowlist(allowlist),
            origins=checked_origins(kind, origins),
            expires_at=checked_expiry(expires_at, self._clock.now()),
            last_used_at=None,
            created_at=self._clock.now(),
        )
        if record.reads_groups and record.origins is not None:
            raise InvalidRequest("origins: a key with the scope groups is not for web pages")
        with self._database.transaction() as connection:
            check_owner(connection, record)
            self._check_creation_limit(connection, organization_id)
            connection.execute(insert(api_keys).values(**key_row(record), digest=self._digest(key)))
        return CreatedKey(record, key)

    def site_key(self, deployment: Deployment) -> str:
        """Return the assistant key in a deployment's pages, or "" if it was revoked.

        It is derived rather than stored: all nodes derive the same, and record it on first use.
        Like other keys it is listed, limited and revocable.
        """
        with self._database.reading() as connection:
            key = self._present_site_key(connection, deployment)
            digest = self._digest(key)
            query = select(api_keys.c.revoked_at).where(api_keys.c.digest == digest)
            known = connection.execute(query).first()
        if known is not None:
            return "" if known.revoked_at else key
        record = self._site_record(deployment, key)
        # Another node may have been faster, with the same key.
        with suppress(IntegrityError), self._database.transaction() as connection:
            connection.execute(insert(api_keys).values(**key_row(record), digest=digest))
        return key

    def site_key_id(self, deployment: Deployment) -> str | None:
        """Return the id of the valid key in a deployment's pages, or None if there is none."""
        with self._database.reading() as connection:
            return self._valid_id(connection, self._present_site_key(connection, deployment))

    def rotate_site_key(self, deployment: Deployment) -> str | None:
        """Replace the key in a deployment's pages, even if the previous one was revoked.

        Returns:
            The id of the previous key if it is still valid, because exported bundles contain it.
        """
        raised = deployments.c.site_key_number + 1
        statement = update(deployments).where(deployments.c.id == deployment.id)
        renumber = statement.values(site_key_number=raised)
        with self._database.transaction() as connection:
            number = connection.execute(renumber.returning(deployments.c.site_key_number)).scalar()
            if number is None:
                raise NotFound("there is no such deployment")
            return self._valid_id(connection, self._site_key(deployment.id, number - 1))

    def _present_site_key(self, connection: Connection, deployment: Deployment) -> str:
        numbered = select(deployments.c.site_key_number).where(deployments.c.id == deployment.id)
        return self._site_key(deployment.id, connection.execute(numbered).scalar() or 0)

    def _valid_id(self, connection: Connection, key: str) -> str | None:
        valid = select(api_keys.c.id).where(_is_valid(self._digest(key)))
        return connection.execute(valid).scalar()

    def _site_key(self, deployment_id: str, number: int) -> str:
        said = f"site key {number} of {deployment_id}" if number else f"site key of {deployment_id}"
        seed = hmac.new(self._pepper, said.encode(), hashlib.sha256).digest()
        return derived_key(KeyKind.ASSISTANT, seed)

    def _site_record(self, deployment: Deployment, key: str) -> KeyRecord:
        return KeyRecord(
            id=new_id("key"),
            organization_id=deployment.organization_id,
            deployment_id=deployment.id,
            kind=KeyKind.ASSISTANT,
            name="Assistant of the site",
            hint=_hint(KeyKind.ASSISTANT, key),
            scopes=None,
            allowlist=None,
            origins=None,
            expires_at=None,
            last_used_at=None,
            created_at=self._clock.now(),
        )

    def list(self, organization_id: str) -> list[KeyRecord]:
        """Return the organization's keys, newest first; including expired, but not revoked ones."""
        query = (
            select(api_keys)
            .where(api_keys.c.organization_id == organization_id, api_keys.c.revoked_at.is_(None))
            .order_by(api_keys.c.created_at.desc(), api_keys.c.id)
        )
        with self._database.reading() as connection:
            return [key_record(row) for row in connection.execute(query).mappings()]

    def revoke(self, organization_id: str, key_id: str) -> None:
        """Revoke a key, immediately in all processes.

        Raises:
            NotFound: the organization has no such key.
            Conflict: it is already revoked.
        """
        mine = _is_owned(organization_id, key_id)
        statement = update(api_keys).where(mine, api_keys.c.revoked_at.is_(None))
        with self._database.transaction() as connection:
            if connection.execute(statement.values(revoked_at=self._clock.now())).rowcount:
                return
        raise self.absence(organization_id, key_id)

    def absence(self, organization_id: str, key_id: str) -> NotFound | Conflict:
        """Return the error for a key that is not listed: it is revoked, or unknown."""
        mine = _is_owned(organization_id, key_id)
        revoked = select(api_keys.c.id).where(mine, api_keys.c.revoked_at.is_not(None))
        with self._database.reading() as connection:
            found = connection.scalar(revoked)
        return Conflict("the key is already revoked") if found else NotFound("there is no such key")

    def revoke_all(self) -> None:
        """Revoke the keys of all organizations."""
        statement = update(api_keys).where(api_keys.c.revoked_at.is_(None))
        with self._database.transaction() as connection:
            connection.execute(statement.values(revoked_at=self._clock.now()))

    def authenticate(
        self,
        key_text: str | None,
        kind: KeyKind,
        *,
        method: str,
        client_ip: str | None,
        origin: str | None = None,
        is_use: bool = True,
    ) -> Caller:
        """Return the caller if the key allows this method, IP address and web page.

        If not `is_use`, the time of the key's last use is not updated.

        Raises:
            Unauthorized: the key is missing, or invalid for this kind of endpoint.
            Forbidden: the IP address, page or method is not allowed.
        """
        if not key_text:
            raise Unauthorized("an API key is required: send Authorization: Bearer <key>")
        if not key_text.isascii() or kind_of(key_text) is not kind:
            raise Unauthorized(f"this endpoint needs a valid {kind} API key")
        record = self._record(self._digest(key_text), kind)
        now = self._clock.now()
        if record.kind is not kind or record.is_expired(now):
            raise Unauthorized
        if not allows(record.allowlist, client_ip):
            raise Forbidden("this API key may not be used from this IP address")
        if record.origins is not None and origin not in record.origins:
            raise Forbidden("this API key may not be used from this page")
        if record.reads_groups and origin is not None:
            raise Forbidden("this API key is for servers: it may not be used from web pages")
        if not _in_scope(record, method):
            raise Forbidden("this API key lacks the scope for this request")
        if is_use:
            self._record_use(record, now)
        return _caller(record)

    def _digest(self, key: str) -> str:
        return hmac.new(self._pepper, key.encode(), hashlib.sha256).hexdigest()

    def _record(self, digest: str, kind: KeyKind) -> KeyRecord:
        """Return the key's record; during an outage the last known one of an assistant key.

        Only search works then, because everything else needs the database.
        """

        def found() -> KeyRecord:
            record = self._look_up(digest)
            if record is None:
                raise Unauthorized
            return record

        return self._known.of(digest, found) if kind is KeyKind.ASSISTANT else found()

    def _look_up(self, digest: str) -> KeyRecord | None:
        query = select(api_keys).where(_is_valid(digest))
        with self._database.reading() as connection:
            row = connection.execute(query).mappings().first()
        if row is None or not hmac.compare_digest(row["digest"], digest):
            return None
        return key_record(row)

    def _record_use(self, record: KeyRecord, now: datetime) -> None:
        due = now - _USE_RECORDED_EVERY
        if record.last_used_at is not None and record.last_used_at > due:
            return
        used = api_keys.c.last_used_at
        with suppress(StoreUnavailable), self._database.transaction() as connection:
            connection.execute(
                update(api_keys)
                .where(api_keys.c.id == record.id, or_(used.is_(None), used <= due))
                .values(last_used_at=now)
            )

    def _check_creation_limit(self, connection: Connection, organization_id: str) -> None:
        """Check the hourly limit; site keys do not count, because the service creates them."""
        now, most = self._clock.now(), self._creations_per_hour
        recent = (
            select(api_keys.c.created_at)
            .where(
                api_keys.c.organization_id == organization_id,
                api_keys.c.created_at > now - timedelta(seconds=HOUR_SECONDS),
                api_keys.c.digest.not_in(self._site_digests(connection, organization_id)),
            )
            .order_by(api_keys.c.created_at.desc())
            .limit(most)
        )
        made = list(connection.execute(recent).scalars())
        if len(made) < most:
            return
        wait = max(1, ceil((made[-1] + timedelta(seconds=HOUR_SECONDS) - now).total_seconds()))
        raise RateLimited(
            f"At most {most} keys can be made in an hour for an organization. "
            f"Try again in {duration(wait)}.",
            retry_after_seconds=wait,
            limit=most,
            window_seconds=HOUR_SECONDS,
            policy="key-creation",
        )

    def _site_digests(self, connection: Connection, organization_id: str) -> Sequence[str]:
        """Return the digests of all keys that the organization's sites have used."""
        owned = (
            select(deployments.c.id, deployments.c.site_key_number)
            .join(projects)
            .where(projects.c.organization_id == organization_id)
        )
        return [
            self._digest(self._site_key(row.id, number))
            for row in connection.execute(owned)
            for number in range(row.site_key_number + 1)
        ]


def _hint(kind: KeyKind, key: str) -> str:
    return f"{kind.prefix}…{key[-_HINT_CHARACTERS:]}"


def _is_valid(digest: str) -> ColumnElement[bool]:
    return and_(api_keys.c.digest == digest, api_keys.c.revoked_at.is_(None))


def _is_owned(organization_id: str, key_id: str) -> ColumnElement[bool]:
    return and_(api_keys.c.id == key_id, api_keys.c.organization_id == organization_id)


def _in_scope(record: KeyRecord, method: str) -> bool:
    if record.kind is not KeyKind.ADMIN or record.scopes is None or KeyScope.WRITE in record.scopes:
        return True
    return method.upper() in _READING_METHODS


def _caller(record: KeyRecord) -> Caller:
    return Caller(
        key_id=record.id,
        kind=record.kind,
        organization_id=record.organization_id,
        deployment_id=record.deployment_id,
        reads_groups=record.reads_groups,
    )
