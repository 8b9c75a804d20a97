"""Records of API keys, without the keys themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from sqlalchemy import RowMapping, null

from docstead.base.api_keys import KeyKind


class KeyScope(StrEnum):
    """Permission of a key: the first two are for admin keys, the third for assistant keys."""

    READ = "read"  #: GET and HEAD.
    WRITE = "write"  #: All other methods, and reading.
    GROUPS = "groups"  #: Reading restricted pages; such a key is secret and for servers only.

    @property
    def kind(self) -> KeyKind:
        """Kind of key that can have the scope."""
        return KeyKind.ASSISTANT if self is KeyScope.GROUPS else KeyKind.ADMIN


@dataclass(frozen=True)
class KeyRecord:
    """A key as displayed in lists."""

    id: str
    organization_id: str
    deployment_id: str | None  # set on assistant keys
    kind: KeyKind
    name: str
    hint: str  # its prefix and last four characters
    scopes: tuple[KeyScope, ...] | None  # None for all endpoints, without restricted pages
    allowlist: tuple[str, ...] | None  # None for every IP address
    origins: tuple[str, ...] | None  # of web pages; None for every page, () for none
    expires_at: datetime | None
    last_used_at: datetime | None  # with a resolution of a minute
    created_at: datetime

    @property
    def reads_groups(self) -> bool:
        """Whether requests with the key may name reader groups."""
        return self.scopes is not None and KeyScope.GROUPS in self.scopes

    def is_expired(self, now: datetime) -> bool:
        return self.expires_at is not None and self.expires_at <= now


@dataclass(frozen=True)
class CreatedKey:
    """A new key with its secret, which is shown once."""

    record: KeyRecord
    key: str = field(repr=False)


@dataclass(frozen=True)
class Caller:
    """Authenticated caller of a request."""

    key_id: str
    kind: KeyKind
    organization_id: str
    deployment_id: str | None
    reads_groups: bool = False

    def groups(self, named: Sequence[str] | None) -> tuple[str, ...]:
        """Return the reader groups of a request: the named ones, if the key allows it."""
        return tuple(named or ()) if self.reads_groups else ()


def key_record(row: RowMapping) -> KeyRecord:
    """Convert a row of `api_keys`."""
    return KeyRecord(
        id=row["id"],
        organization_id=row["organization_id"],
        deployment_id=row["deployment_id"],
        kind=KeyKind(row["kind"]),
        name=row["name"],
        hint=row["hint"],
        scopes=None if row["scopes"] is None else tuple(KeyScope(each) for each in row["scopes"]),
        allowlist=None if row["allowlist"] is None else tuple(row["allowlist"]),
        origins=None if row["origins"] is None else tuple(row["origins"]),
        expires_at=row["expires_at"],
        last_used_at=row["last_used_at"],
        created_at=row["created_at"],
    )


def key_row(record: KeyRecord) -> dict[str, object]:
    """Convert a record to its columns of `api_keys`."""
    return {
        **vars(record),
        "scopes": null() if record.scopes is None else list(record.scopes),
        "allowlist": null() if record.allowlist is None else list(record.allowlist),
        "origins": null() if record.origins is None else list(record.origins),
    }
