"""What is known of an API key once it has been made; never the key itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from sqlalchemy import RowMapping

from docstead.base.api_keys import KeyKind


class Scope(StrEnum):
    """What an admin key may do, told from the HTTP method alone."""

    READ = "read"  #: GET and HEAD.
    WRITE = "write"  #: Every other method, and reading too.


@dataclass(frozen=True)
class KeyRecord:
    """A key as lists show it."""

    id: str
    organization_id: str
    deployment_id: str | None  # set on assistant keys
    kind: KeyKind
    name: str
    hint: str  # its prefix and last four characters
    scopes: tuple[Scope, ...] | None  # None is every endpoint
    allowlist: tuple[str, ...] | None  # None is every address
    origins: tuple[str, ...] | None  # of web pages; None is every page, and no page at all
    expires_at: datetime | None
    last_used_at: datetime | None  # to the minute
    created_at: datetime

    def is_expired(self, now: datetime) -> bool:
        return self.expires_at is not None and self.expires_at <= now


@dataclass(frozen=True)
class CreatedKey:
    """A new key. Its text is shown now and never again."""

    record: KeyRecord
    key: str = field(repr=False)


@dataclass(frozen=True)
class Caller:
    """Who is behind a request."""

    key_id: str
    kind: KeyKind
    organization_id: str
    deployment_id: str | None


def key_record(row: RowMapping) -> KeyRecord:
    """The value of a row of `api_keys`."""
    return KeyRecord(
        id=row["id"],
        organization_id=row["organization_id"],
        deployment_id=row["deployment_id"],
        kind=KeyKind(row["kind"]),
        name=row["name"],
        hint=row["hint"],
        scopes=None if row["scopes"] is None else tuple(Scope(each) for each in row["scopes"]),
        allowlist=None if row["allowlist"] is None else tuple(row["allowlist"]),
        origins=None if row["origins"] is None else tuple(row["origins"]),
        expires_at=row["expires_at"],
        last_used_at=row["last_used_at"],
        created_at=row["created_at"],
    )
