"""Retention of editions and their files.

Of each project, the current edition, a number of editions before it, and editions in use are kept.
A static file is deleted a day after the last edition that used it, so that an update that has just
found it in the store can rely on it.

Failure rule: rows are deleted before objects, so that no row refers to a missing object. If the
process dies in between, `mark_unused` finds the orphaned objects. Marks are stored as an object,
shared by all nodes.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

import msgspec
from sqlalchemy import Column, Connection, delete, exists, insert, select, update

from docstead.base.clock import Clock
from docstead.base.decoders import json_decoder
from docstead.base.errors import NotFound
from docstead.publishing.edition_format import StoredAsset, asset_key
from docstead.publishing.edition_objects import FOLDER as EDITIONS
from docstead.publishing.editions import EditionStore
from docstead.publishing.update_records import lock_project
from docstead.storage.database import Database
from docstead.storage.objects import ObjectStore
from docstead.storage.schema import deployments, edition_assets, editions

_MARKS = "retention/unused-assets.json"
_GRACE = timedelta(days=1)
_AT_ONCE = 500  # names per query

# Time since which an object has been unused, by its key, or for an asset by its SHA-256.
Marks = dict[str, datetime]
_MARKS_DECODER = json_decoder(Marks)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SweepResult:
    """Number of editions and assets that a sweep deleted."""

    editions: tuple[str, ...] = ()
    assets: tuple[str, ...] = ()


class Retention:
    """Deletes data that is no longer needed.

    `kept` is the number of editions to keep per project, including the current one, at least two.
    `in_use` returns editions that are in use; they are kept at any age.
    """

    def __init__(
        self,
        database: Database,
        objects: ObjectStore,
        editions: EditionStore,
        clock: Clock,
        *,
        kept: int,
        in_use: Callable[[], Collection[str]],
    ) -> None:
        self._database = database
        self._objects = objects
        self._editions = editions
        self._clock = clock
        self._kept = max(2, kept)
        self._in_use = in_use

    def sweep(self, project_id: str) -> SweepResult:
        """Delete old editions of a project, and objects unused for a day."""
        old = self._old(project_id)
        marks = self._marks()
        if not old and not marks:
            return SweepResult()
        self._list_assets()
        now = self._clock.now()
        fresh = dict.fromkeys(self._assets_of([edition_id for edition_id, _ in old]), now)
        removed = [each for each, key in old if self._remove(project_id, each, key)]
        unused = self._unused({**fresh, **marks})
        due = [name for name, since in unused.items() if now - since >= _GRACE]
        for name in due:
            self._objects.delete(_key_of(name))
            del unused[name]
        if unused != marks:
            self._objects.put(_MARKS, msgspec.json.encode(unused))
        return SweepResult(tuple(removed), tuple(due))

    def mark_unused(self) -> None:
        """Mark stored editions and assets without rows, which killed processes leave behind.

        The first sweep after a day deletes them.
        """
        self._list_assets()
        marks = self._marks()
        now = self._clock.now()
        stored = dict.fromkeys(self._objects.keys(EDITIONS), now)
        stored |= {key.rpartition("/")[2]: now for key in self._objects.keys("assets")}
        unused = self._unused({**stored, **marks})
        if unused != marks:
            self._objects.put(_MARKS, msgspec.json.encode(unused))

    def _old(self, project_id: str) -> list[tuple[str, str]]:
        """Return ids and object keys of editions to delete."""
        newest_first = (
            select(editions.c.id, editions.c.object_key)
            .where(editions.c.project_id == project_id)
            .order_by(editions.c.sequence.desc(), editions.c.created_at.desc(), editions.c.id)
        )
        with self._database.reading() as connection:
            rows = [(row[0], row[1]) for row in connection.execute(newest_first)]
            current = set(connection.execute(select(deployments.c.current_edition_id)).scalars())
        before = [row for row in rows if row[0] not in current]
        kept_before = self._kept - 1 if len(before) < len(rows) else self._kept
        in_use = set(self._in_use())
        return [row for row in before[kept_before:] if row[0] not in in_use]

    def _remove(self, project_id: str, edition_id: str, object_key: str) -> bool:
        with self._database.transaction() as connection:
            lock_project(connection, project_id)
            if not self._removed(connection, edition_id):
                return False
        self._objects.delete(object_key)
        self._editions.discard(edition_id)
        return True

    def _removed(self, connection: Connection, edition_id: str) -> bool:
        """Delete an edition's row unless it has become current; report whether it was deleted."""
        is_current = exists().where(deployments.c.current_edition_id == edition_id)
        gone = connection.execute(delete(editions).where(editions.c.id == edition_id, ~is_current))
        if gone.rowcount:
            listed = edition_assets.c.edition_id == edition_id
            connection.execute(delete(edition_assets).where(listed))
        return bool(gone.rowcount)

    def _unused(self, marks: Marks) -> Marks:
        """Return the marks of objects that no edition uses."""
        used = {
            *self._found(marks, edition_assets.c.sha256),
            *self._found(marks, editions.c.object_key),
        }
        return {name: since for name, since in marks.items() if name not in used}

    def _assets_of(self, edition_ids: Collection[str]) -> set[str]:
        return set(self._found(edition_ids, edition_assets.c.edition_id, edition_assets.c.sha256))

    def _found(
        self, names: Collection[str], column: Column[str], requested: Column[str] | None = None
    ) -> Iterator[str]:
        """Yield `requested`, by default `column`, of rows with one of these names in `column`."""
        waiting = iter(names)
        while some := list(islice(waiting, _AT_ONCE)):
            query = select(column if requested is None else requested).where(column.in_(some))
            with self._database.reading() as connection:
                yield from connection.execute(query.distinct()).scalars().all()

    def _list_assets(self) -> None:
        """Record the assets of editions that older versions of Docstead published.

        Raises:
            DocsteadError: an edition cannot be read, so its assets are unknown.
        """
        query = select(editions.c.id).where(~editions.c.assets_listed)
        with self._database.reading() as connection:
            ids = list(connection.execute(query).scalars())
        for edition_id in ids:
            try:
                assets = self._editions.open(edition_id).assets()
            except NotFound:  # deleted by another node
                continue
            with self._database.transaction() as connection:
                row = update(editions).where(editions.c.id == edition_id, ~editions.c.assets_listed)
                if connection.execute(row.values(assets_listed=True)).rowcount:
                    list_assets(connection, edition_id, assets)

    def _marks(self) -> Marks:
        try:
            return _MARKS_DECODER.decode(self._objects.get(_MARKS))
        except NotFound:
            return {}
        except msgspec.DecodeError:
            _log.warning("%s cannot be read; recreating it", _MARKS)
            self._objects.delete(_MARKS)
            self.mark_unused()
            return self._marks()


def list_assets(connection: Connection, edition_id: str, assets: Iterable[StoredAsset]) -> None:
    """Record the assets of an edition, by SHA-256, with their sizes in bytes."""
    sizes = {asset.sha256: asset.size_bytes for asset in assets}
    rows = [
        {"edition_id": edition_id, "sha256": sha256, "size_bytes": size}
        for sha256, size in sorted(sizes.items())
    ]
    if rows:
        connection.execute(insert(edition_assets), rows)


def _key_of(name: str) -> str:
    return name if "/" in name else asset_key(name)
