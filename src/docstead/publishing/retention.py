"""Which editions stay, and which files of theirs.

Of each project the current edition stays, the newest before it up to a number, and those that
something else still works with. A static file goes a day after the last edition that had it,
so that an update which has just found it in the store can still rely on it.

Failure rule: a row goes before its object, so nobody is led to what is about to vanish; a
process that dies in between leaves an object that the next sweep does not know. What is
marked for removal is itself an object, so that every node sees the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import Connection, delete, exists, select

from docstead.base.clock import Clock
from docstead.base.decoders import json_decoder
from docstead.base.errors import DocsteadError, NotFound
from docstead.publishing.edition_file import asset_key
from docstead.publishing.editions import Editions
from docstead.storage.database import Database
from docstead.storage.objects import Objects
from docstead.storage.schema import deployments, editions

_MARKS = "retention/unused-assets.json"
_GRACE = timedelta(days=1)

Marks = dict[str, datetime]  # SHA-256 of an asset, and since when no edition has it
_MARKS_DECODER = json_decoder(Marks)


@dataclass(frozen=True, slots=True)
class Swept:
    """What a sweep removed."""

    editions: tuple[str, ...] = ()
    assets: tuple[str, ...] = ()


class Retention:
    """Removes what is not needed any more.

    `kept` is how many editions of a project stay, the current one among them, at least two.
    `in_use` names editions that others work with, whatever their age.
    """

    def __init__(
        self,
        database: Database,
        objects: Objects,
        editions: Editions,
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

    def sweep(self, project_id: str) -> Swept:
        """Remove the old editions of a project, and files that nobody needs."""
        old = self._old(project_id)
        marks = self._marks()
        if not old and not marks:
            return Swept()
        now = self._clock.now()
        fresh = {sha256: now for edition_id, _ in old for sha256 in self._assets_of(edition_id)}
        removed = [edition_id for edition_id, key in old if self._remove(edition_id, key)]
        used = self._used()
        marks = {sha: since for sha, since in {**fresh, **marks}.items() if sha not in used}
        due = [sha256 for sha256, since in marks.items() if now - since >= _GRACE]
        for sha256 in due:
            self._objects.delete(asset_key(sha256))
            del marks[sha256]
        self._objects.put(_MARKS, msgspec.json.encode(marks))
        return Swept(tuple(removed), tuple(due))

    def _old(self, project_id: str) -> list[tuple[str, str]]:
        """Ids and object keys of the editions that may go."""
        newest_first = (
            select(editions.c.id, editions.c.object_key)
            .where(editions.c.project_id == project_id)
            .order_by(editions.c.created_at.desc(), editions.c.id)
        )
        with self._database.reading() as connection:
            rows = [(row[0], row[1]) for row in connection.execute(newest_first)]
            current = set(connection.execute(select(deployments.c.current_edition_id)).scalars())
        before = [row for row in rows if row[0] not in current]
        kept_before = self._kept - 1 if len(before) < len(rows) else self._kept
        in_use = set(self._in_use())
        return [row for row in before[kept_before:] if row[0] not in in_use]

    def _remove(self, edition_id: str, object_key: str) -> bool:
        with self._database.transaction() as connection:
            if not self._removed(connection, edition_id):
                return False
        self._objects.delete(object_key)
        self._editions.discard(edition_id)
        return True

    def _removed(self, connection: Connection, edition_id: str) -> bool:
        """Unless it has become current in the meantime."""
        is_current = exists().where(deployments.c.current_edition_id == edition_id)
        gone = connection.execute(delete(editions).where(editions.c.id == edition_id, ~is_current))
        return bool(gone.rowcount)

    def _used(self) -> set[str]:
        with self._database.reading() as connection:
            ids: Iterable[str] = list(connection.execute(select(editions.c.id)).scalars())
        return {sha256 for edition_id in ids for sha256 in self._assets_of(edition_id)}

    def _assets_of(self, edition_id: str) -> set[str]:
        try:
            return {asset.sha256 for asset in self._editions.open(edition_id).assets()}
        except NotFound:  # removed by another node
            return set()

    def _marks(self) -> Marks:
        try:
            return _MARKS_DECODER.decode(self._objects.get(_MARKS))
        except NotFound:
            return {}
        except msgspec.DecodeError as error:
            raise DocsteadError(f"{_MARKS} cannot be read") from error
