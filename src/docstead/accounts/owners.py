"""Owners of organizations: one-time links, passwords and sessions.

Links and session tokens are random and stored as digests. A wrong name, a wrong password and an
owner without a password give the same error after the same time.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from sqlalchemy import Connection, RowMapping, Select, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from docstead.accounts.names import checked_name
from docstead.accounts.passwords import COST, check_strength, matches, password_hash
from docstead.base.clock import Clock
from docstead.base.errors import Conflict, Forbidden, NotFound, Unauthorized
from docstead.base.ids import new_id
from docstead.storage.database import Database
from docstead.storage.schema import (
    known_devices,
    organizations,
    owners,
    sessions,
    sign_in_links,
)

SIGN_IN_PATH = "/dashboard/sign-in/"
_LINK_LIFE = timedelta(days=1)
_SESSION_LIFE = timedelta(days=14)
_FRESH = timedelta(minutes=15)  # how long a one-time link replaces the password
_DEVICE_LIFE = timedelta(days=180)
_TOKEN_BYTES = 32
_FIRST_OWNER = "owner"


@dataclass(frozen=True)
class Owner:
    """A person who may manage an organization."""

    id: str
    organization_id: str
    name: str  # unique name for sign-in


@dataclass(frozen=True)
class OwnerSession:
    """A session. Only the browser knows its token."""

    owner: Owner
    token: str = field(repr=False)
    expires_at: datetime


class RequiredProof(StrEnum):
    """Proof that an owner must give before a sensitive action."""

    NONE = "none"  #: None: a one-time link started the session recently.
    PASSWORD = "password"  # noqa: S105 - not one
    LINK = "link"  #: A new one-time link, because there is no password.


class OwnerRecords:
    """Owners in the database."""

    def __init__(self, database: Database, clock: Clock, *, password_cost: int = COST) -> None:
        self._database = database
        self._clock = clock
        self._password_cost = password_cost

    def create(self, organization_id: str, name: str) -> Owner:
        """Create an owner, without a password until the first sign-in by link.

        Raises:
            NotFound: the organization does not exist.
            Conflict: another owner has the name.
        """
        with self._database.transaction() as connection:
            _check_organization(connection, organization_id)
        owner = Owner(new_id("own"), organization_id, checked_name("name", name))
        row = {**vars(owner), "password_hash": None, "created_at": self._clock.now()}
        try:
            with self._database.transaction() as connection:
                connection.execute(insert(owners).values(row))
        except IntegrityError as error:
            raise Conflict(f"there is already an owner named {owner.name!r}") from error
        return owner

    def list(self, organization_id: str) -> list[Owner]:
        """Return the organization's owners, oldest first."""
        query = (
            _owners_query()
            .where(owners.c.organization_id == organization_id)
            .order_by(owners.c.created_at, owners.c.id)
        )
        with self._database.reading() as connection:
            return [_owner(row) for row in connection.execute(query).mappings()]

    def new_sign_in_link(self, organization_id: str, owner_id: str | None = None) -> str:
        """Return the path of a one-time sign-in link, valid for a day.

        Without an owner it is for the organization's first, who is created if necessary.
        """
        owner_id = owner_id or self._first(organization_id).id
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        row = {
            "digest": _digest(token),
            "owner_id": owner_id,
            "expires_at": self._clock.now() + _LINK_LIFE,
        }
        with self._database.transaction() as connection:
            found = _owners_query().where(
                owners.c.id == owner_id, owners.c.organization_id == organization_id
            )
            if connection.execute(found).first() is None:
                raise NotFound("there is no such owner")
            connection.execute(insert(sign_in_links).values(row))
        return SIGN_IN_PATH + token

    def sign_in_by_link(self, token: str) -> OwnerSession:
        """Start a session with a one-time link.

        Raises:
            Unauthorized: the link is unknown, used or expired.
        """
        now = self._clock.now()
        using = (
            update(sign_in_links)
            .where(
                sign_in_links.c.digest == _digest(token),
                sign_in_links.c.used_at.is_(None),
                sign_in_links.c.expires_at > now,
            )
            .values(used_at=now)
            .returning(sign_in_links.c.owner_id)
        )
        with self._database.transaction() as connection:
            owner_id = connection.execute(using).scalar()
            if owner_id is None:
                raise Unauthorized("this link is used up or has expired")
            query = _owners_query().where(owners.c.id == owner_id)
            owner = connection.execute(query).mappings().one()
            return self._begin(connection, owner, link_at=now)

    def sign_in(self, name: str, password: str) -> OwnerSession:
        """Start a session.

        Raises:
            Unauthorized: the name or the password is wrong.
        """
        query = _owners_query().add_columns(owners.c.password_hash).where(owners.c.name == name)
        with self._database.reading() as connection:
            row = connection.execute(query).mappings().first()
        stored = row["password_hash"] if row else None
        if not matches(password, stored, self._password_cost) or row is None:
            raise Unauthorized("the name or the password is wrong")
        with self._database.transaction() as connection:
            return self._begin(connection, row)

    def set_password(self, owner_id: str, password: str) -> None:
        """Set an owner's password. Invalidates one-time links and known browsers.

        Raises:
            InvalidRequest: it is too short or easy to guess.
            NotFound: the owner does not exist.
        """
        query = select(owners.c.name).where(owners.c.id == owner_id)
        with self._database.reading() as connection:
            name = connection.execute(query).scalar()
        if name is None:
            raise NotFound("there is no such owner")
        check_strength(password, (name,))
        values = {"password_hash": password_hash(password, self._password_cost)}
        with self._database.transaction() as connection:
            connection.execute(update(owners).where(owners.c.id == owner_id).values(values))
            for table in (sign_in_links, known_devices):
                connection.execute(delete(table).where(table.c.owner_id == owner_id))
            mine = update(sessions).where(sessions.c.owner_id == owner_id)
            connection.execute(mine.values(link_at=None))

    def proof_needed(self, token: str) -> RequiredProof:
        """Return the proof that `confirm` requires in a session."""
        link_at, stored = self._link_and_password(token)
        if link_at is not None and self._clock.now() - link_at <= _FRESH:
            return RequiredProof.NONE
        return RequiredProof.LINK if stored is None else RequiredProof.PASSWORD

    def confirm(self, token: str, password: str) -> None:
        """Verify that the owner is using the session.

        Raises:
            Forbidden: the password is wrong, or there is none and the link is not recent.
        """
        needed = self.proof_needed(token)
        if needed is RequiredProof.LINK:
            raise Forbidden("current: sign in by a fresh one-time link first: docstead sign-in")
        _, stored = self._link_and_password(token)
        if needed is RequiredProof.PASSWORD and not matches(password, stored, self._password_cost):
            raise Forbidden("current: this is not your password")

    def _link_and_password(self, token: str) -> tuple[datetime | None, str | None]:
        """Return when a link started the session, and the owner's stored password."""
        query = (
            select(sessions.c.link_at, owners.c.password_hash)
            .join(owners, sessions.c.owner_id == owners.c.id)
            .where(sessions.c.digest == _digest(token), sessions.c.expires_at > self._clock.now())
        )
        with self._database.reading() as connection:
            row = connection.execute(query).first()
        return (None, None) if row is None else (row.link_at, row.password_hash)

    def new_device(self, owner_id: str) -> str:
        """Return a token for the browser in which this owner has signed in."""
        now, token = self._clock.now(), secrets.token_urlsafe(_TOKEN_BYTES)
        row = {"digest": _digest(token), "owner_id": owner_id, "expires_at": now + _DEVICE_LIFE}
        with self._database.transaction() as connection:
            connection.execute(delete(known_devices).where(known_devices.c.expires_at <= now))
            connection.execute(insert(known_devices).values(row))
        return token

    def knows_device(self, name: str, token: str) -> bool:
        """Report whether an owner has signed in with the browser of this token."""
        query = (
            select(known_devices.c.digest)
            .join(owners, known_devices.c.owner_id == owners.c.id)
            .where(
                known_devices.c.digest == _digest(token),
                known_devices.c.expires_at > self._clock.now(),
                owners.c.name == name,
            )
        )
        with self._database.reading() as connection:
            return connection.execute(query).first() is not None

    def owner_of_session(self, token: str) -> Owner | None:
        """Return the owner of a session, or None if it has ended."""
        query = (
            _owners_query()
            .join(sessions, sessions.c.owner_id == owners.c.id)
            .where(sessions.c.digest == _digest(token), sessions.c.expires_at > self._clock.now())
        )
        with self._database.reading() as connection:
            row = connection.execute(query).mappings().first()
        return _owner(row) if row else None

    def sign_out(self, token: str) -> None:
        """End a session, if it exists."""
        with self._database.transaction() as connection:
            connection.execute(delete(sessions).where(sessions.c.digest == _digest(token)))

    def sign_out_elsewhere(self, token: str) -> None:
        """End all other sessions of this session's owner."""
        mine = sessions.c.digest == _digest(token)
        owner_id = select(sessions.c.owner_id).where(mine).scalar_subquery()
        with self._database.transaction() as connection:
            connection.execute(delete(sessions).where(~mine, sessions.c.owner_id == owner_id))

    def _begin(
        self, connection: Connection, owner: RowMapping, *, link_at: datetime | None = None
    ) -> OwnerSession:
        now = self._clock.now()
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        session = OwnerSession(_owner(owner), token, now + _SESSION_LIFE)
        connection.execute(delete(sessions).where(sessions.c.expires_at <= now))
        connection.execute(
            insert(sessions).values(
                digest=_digest(token),
                owner_id=session.owner.id,
                expires_at=session.expires_at,
                created_at=now,
                link_at=link_at,
            )
        )
        return session

    def _first(self, organization_id: str) -> Owner:
        known = self.list(organization_id)
        if known:
            return known[0]
        number = 1
        while True:
            suffix = "" if number == 1 else f"-{number}"
            try:
                return self.create(organization_id, f"{_FIRST_OWNER}{suffix}")
            except Conflict:
                number += 1


def _owners_query() -> Select[str, str, str]:
    return select(owners.c.id, owners.c.organization_id, owners.c.name)


def _owner(row: RowMapping) -> Owner:
    return Owner(row["id"], row["organization_id"], row["name"])


def _check_organization(connection: Connection, organization_id: str) -> None:
    query = select(organizations.c.id).where(organizations.c.id == organization_id)
    if connection.execute(query).scalar() is None:
        raise NotFound("there is no such organization")


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
