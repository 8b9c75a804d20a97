"""Limit on the bytes that an organization stores.

Editions, their files, uploaded archives and bundles are counted before they are written. Identical
files of an organization count once. Editions stored by older versions of Docstead count after their
project is published again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from sqlalchemy import ColumnElement, Connection, func, select

from docstead.base.errors import Forbidden
from docstead.base.lru_cache import LruCache
from docstead.base.units import MIB
from docstead.publishing.archive_sources import archive_key, is_archive
from docstead.publishing.edition_format import StoredAsset
from docstead.publishing.update_records import UNFINISHED
from docstead.storage.database import Database
from docstead.storage.objects import ObjectStore
from docstead.storage.schema import (
    edition_assets,
    editions,
    exports,
    organizations,
    projects,
    updates,
)

SETTING = "DOCSTEAD_ORGANIZATION_BYTES"
_AT_ONCE = 500  # digests per query
_KNOWN_ARCHIVES = 1_000


class StorageFull(Forbidden):
    """The organization's storage limit is exceeded."""


class StorageQuota:
    """Rejects data that would exceed an organization's `limit_bytes`.

    Concurrent writers do not see each other's bytes. Editions are therefore checked again in the
    transaction that records them; archives and bundles are not.
    """

    def __init__(self, database: Database, objects: ObjectStore, limit_bytes: int) -> None:
        self._database = database
        self._objects = objects
        self._limit_bytes = limit_bytes
        self._archive_bytes = LruCache[str, int](_KNOWN_ARCHIVES)  # archives are immutable

    def check(self, organization_id: str, new_bytes: int) -> None:
        """Check whether the organization may store `new_bytes` more.

        Raises:
            StorageFull: it may not.
        """
        with self._database.reading() as connection:
            if self._at_most(connection, organization_id) + new_bytes > self._limit_bytes:
                self._refuse_above(self.stored_bytes(connection, organization_id), new_bytes)

    def check_edition(
        self,
        organization_id: str,
        edition_id: str,
        file_bytes: int,
        assets: Iterable[StoredAsset],
    ) -> None:
        """Check whether the organization may store an edition's file and assets.

        Raises:
            StorageFull: it may not.
        """
        with self._database.reading() as connection:
            self._check_edition(connection, organization_id, edition_id, file_bytes, assets)

    def check_recorded(
        self,
        connection: Connection,
        organization_id: str,
        edition_id: str,
        file_bytes: int,
        assets: Iterable[StoredAsset],
    ) -> None:
        """Check an edition again in the transaction that records it, before its row is inserted.

        Other writers of the organization wait for the end of the transaction.

        Raises:
            StorageFull: other writers have used the space meanwhile.
        """
        _lock_organization(connection, organization_id)
        self._check_edition(connection, organization_id, edition_id, file_bytes, assets)

    def _check_edition(
        self,
        connection: Connection,
        organization_id: str,
        edition_id: str,
        file_bytes: int,
        assets: Iterable[StoredAsset],
    ) -> None:
        sizes = {asset.sha256: asset.size_bytes for asset in assets}
        new = file_bytes + sum(sizes.values())
        if self._at_most(connection, organization_id) + new <= self._limit_bytes:
            return
        known = set(_known(connection, organization_id, sizes))
        is_stored = select(editions.c.size_bytes).where(editions.c.id == edition_id)
        replaced = connection.execute(is_stored).scalar() or 0
        new = sum(size for digest, size in sizes.items() if digest not in known)
        stored = self.stored_bytes(connection, organization_id)
        self._refuse_above(stored, max(0, file_bytes - replaced) + new)

    def stored_bytes(self, connection: Connection, organization_id: str) -> int:
        """Return the bytes that the organization stores."""
        each_once = (
            select(func.max(edition_assets.c.size_bytes).label("size_bytes"))
            .join(editions, editions.c.id == edition_assets.c.edition_id)
            .join(projects, projects.c.id == editions.c.project_id)
            .where(projects.c.organization_id == organization_id)
            .group_by(edition_assets.c.sha256)
            .subquery()
        )
        assets = connection.execute(select(func.sum(each_once.c.size_bytes))).scalar()
        files = _sum_of_editions(connection, organization_id, editions.c.size_bytes)
        return int(assets or 0) + files + self._sum_of_others(connection, organization_id)

    def _at_most(self, connection: Connection, organization_id: str) -> int:
        """Return an upper bound of the stored bytes, with identical files counted per edition."""
        sizes = func.coalesce(editions.c.size_bytes, 0) + func.coalesce(editions.c.assets_bytes, 0)
        own = _sum_of_editions(connection, organization_id, sizes)
        return own + self._sum_of_others(connection, organization_id)

    def _sum_of_others(self, connection: Connection, organization_id: str) -> int:
        of_exports = exports.c.organization_id == organization_id
        bundles = connection.execute(select(func.sum(exports.c.size_bytes)).where(of_exports))
        archives = sum(map(self._size_of_archive, _archives(connection, organization_id)))
        return int(bundles.scalar() or 0) + archives

    def _size_of_archive(self, key: str) -> int:
        found = self._archive_bytes.get(key) or self._objects.size(key) or 0
        if found:
            self._archive_bytes.put(key, found)
        return found

    def _refuse_above(self, stored: int, new: int) -> None:
        if not new or stored + new <= self._limit_bytes:
            return
        raise StorageFull(
            f"storage: the organization stores {_megabytes(stored)}, needs {_megabytes(new)} more "
            f"and may store {_megabytes(self._limit_bytes)}. Remove deployments or keep fewer "
            f"exports, or ask the operator to raise {SETTING}."
        )


def _lock_organization(connection: Connection, organization_id: str) -> None:
    """Lock the organization's row, so that processes record its editions one at a time."""
    row = select(organizations.c.id).where(organizations.c.id == organization_id)
    connection.execute(row.with_for_update(key_share=True))


def _sum_of_editions(
    connection: Connection, organization_id: str, sizes: ColumnElement[int]
) -> int:
    query = (
        select(func.sum(sizes))
        .select_from(editions)
        .join(projects, projects.c.id == editions.c.project_id)
        .where(projects.c.organization_id == organization_id)
    )
    return int(connection.execute(query).scalar() or 0)


def _known(connection: Connection, organization_id: str, digests: Iterable[str]) -> Iterator[str]:
    """Yield the digests that editions of the organization already use."""
    waiting = iter(digests)
    while some := list(islice(waiting, _AT_ONCE)):
        query = (
            select(edition_assets.c.sha256)
            .join(editions, editions.c.id == edition_assets.c.edition_id)
            .join(projects, projects.c.id == editions.c.project_id)
            .where(
                projects.c.organization_id == organization_id,
                edition_assets.c.sha256.in_(some),
                edition_assets.c.size_bytes.is_not(None),
            )
        )
        yield from connection.execute(query.distinct()).scalars()


def _archives(connection: Connection, organization_id: str) -> set[str]:
    """Return the keys of archives that are sources of projects, or will be."""
    own = projects.c.organization_id == organization_id
    sources = select(projects.c.id, projects.c.source).where(own)
    waiting = (
        select(updates.c.project_id, updates.c.target)
        .join(projects, projects.c.id == updates.c.project_id)
        .where(own, updates.c.status.in_(UNFINISHED), updates.c.target.is_not(None))
    )
    found = [
        *connection.execute(sources),
        *((project_id, target["source"]) for project_id, target in connection.execute(waiting)),
    ]
    return {archive_key(project, source) for project, source in found if is_archive(source)}


def _megabytes(size: int) -> str:
    return f"{-(-size // MIB):,} MB"
