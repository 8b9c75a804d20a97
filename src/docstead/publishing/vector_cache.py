"""Selection of the vectors for an edition: its own, or those of an earlier one."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from sqlalchemy import case, select, update

from docstead.base.errors import DocsteadError, NotFound, StoreUnavailable
from docstead.publishing.edition import Edition
from docstead.search.fusion import QueryVectors, SemanticIndex
from docstead.search.vectors import DamagedVectors, VectorFile
from docstead.storage.database import Database
from docstead.storage.objects import ObjectStore
from docstead.storage.schema import editions

_log = logging.getLogger(__name__)

_LOOKED_AGAIN_SECONDS = 2.0


def vectors_key(space: str, edition_id: str) -> str:
    """Return the key of the object with an edition's vectors."""
    return f"vectors/{space}/{edition_id}.vec"


def find_key(database: Database, edition_id: str, space: str) -> str | None:
    """Return the key of the edition's vectors, or the project's newest, or None."""
    project = select(editions.c.project_id).where(editions.c.id == edition_id).scalar_subquery()
    query = (
        select(editions.c.vectors_key)
        .where(editions.c.project_id == project)
        .where(editions.c.vectors_key.like(vectors_key(space, "%")))
        .order_by(case((editions.c.id == edition_id, 0), else_=1), editions.c.sequence.desc())
        .limit(1)
    )
    with database.reading() as connection:
        return connection.execute(query).scalar_one_or_none()


class VectorCache:
    """Supplies editions with vectors as soon as they exist. `cache_dir` is shared by processes."""

    def __init__(
        self,
        database: Database,
        objects: ObjectStore,
        cache_dir: Path,
        queries: QueryVectors,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._objects = objects
        self._cache_dir = cache_dir
        self._queries = queries
        self._monotonic = monotonic
        self._looked: dict[str, float] = {}

    def supply(self, edition: Edition) -> None:
        """Check periodically until the edition has its own vectors."""
        space = self._queries.space
        if edition.vectors_key == vectors_key(space, edition.id):
            return
        now = self._monotonic()
        if now - self._looked.get(edition.id, float("-inf")) < _LOOKED_AGAIN_SECONDS:
            return
        self._looked[edition.id] = now
        try:
            key = find_key(self._database, edition.id, space)
        except StoreUnavailable:  # search continues with the vectors that are available
            return
        if key is not None and key != edition.vectors_key:
            self._write_file(edition, key)

    def forget(self, edition_id: str) -> None:
        self._looked.pop(edition_id, None)
        self._file(vectors_key(self._queries.space, edition_id)).unlink(missing_ok=True)

    def _write_file(self, edition: Edition, key: str) -> None:
        try:
            edition.find_by(SemanticIndex(self._vectors(key), self._queries), key)
        except (NotFound, DamagedVectors) as error:
            _log.warning("recreating the vectors %s: %s", key, error.message)
            self._release(key)
        except DocsteadError as error:
            _log.warning("edition %s has keyword search only: %s", edition.id, error.message)

    def _vectors(self, key: str) -> VectorFile:
        """Open vectors.

        Raises:
            DamagedVectors: the object is damaged, not only its local copy.
        """
        file = self._file(key)
        with suppress(DamagedVectors):
            if file.exists():
                return VectorFile(file)
        file.parent.mkdir(parents=True, exist_ok=True)
        self._objects.download(key, file)
        return VectorFile(file)

    def _release(self, key: str) -> None:
        """Remove a reference to damaged vectors, so that jobs create them again."""
        self._file(key).unlink(missing_ok=True)
        used = update(editions).where(editions.c.vectors_key == key)
        with self._database.transaction() as connection:
            connection.execute(used.values(vectors_key=None))
        self._objects.delete(key)

    def _file(self, key: str) -> Path:
        edition_file = Path(key).name
        return self._cache_dir / f"{self._queries.space}.{edition_file}"
