"""Records of API keys, without the keys themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from sqlalchemy import RowMapping

from docstead.base.api_keys import KeyKind


class KeyScope(StrEnum):
    """A permission of a key: the first two of admin keys, the third of assistant keys."""

    READ = "read"  #: GET and HEAD.
    WRITE = "write"  #: Every other method, and reading too.
    GROUPS = "groups"  #: Reading pages for groups; such a key is secret and for servers only.

    @property
    def kind(self) -> KeyKind:
        """The kind of key that can have it."""
        return KeyKind.ASSISTANT if self is KeyScope.GROUPS else KeyKind.ADMIN


@dataclass(frozen=True)
class KeyRecord:
    """A key as lists show it."""

    id: str
    organization_id: str
    deployment_id: str | None  # set on assistant keys
    kind: KeyKind
    name: str
    hint: str  # its prefix and last four characters
    scopes: tuple[KeyScope, ...] | None  # None is every endpoint, and no pages for groups
    allowlist: tuple[str, ...] | None  # None is every address
    origins: tuple[str, ...] | None  # of web pages; None is every page, and no page at all
    expires_at: datetime | None
    last_used_at: datetime | None  # to the minute
    created_at: datetime

    @property
    def reads_groups(self) -> bool:
        """Whether requests with it may name groups of readers."""
        return self.scopes is not None and KeyScope.GROUPS in self.scopes

    def is_expired(self, now: datetime) -> bool:
        return self.expires_at is not None and self.expires_at <= now


@dataclass(frozen=True)
class CreatedKey:
    """A new key. Its text is shown now and never again."""

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
        """The groups that a request acts for: those it names, with a key made for them."""
        return tuple(named or ()) if self.reads_groups else ()


def key_record(row: RowMapping) -> KeyRecord:
    """The value of a row of `api_keys`."""
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
