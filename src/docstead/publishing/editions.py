"""Open editions: fetched from the object store once and found by deployment."""

from __future__ import annotations

import logging
import shutil
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from sqlalchemy import select

from docstead.base.errors import NotFound, StoreUnavailable
from docstead.base.units import HOUR_SECONDS
from docstead.publishing.assets import ObjectContents
from docstead.publishing.edition import Edition
from docstead.publishing.edition_format import DamagedEditionError
from docstead.publishing.edition_objects import edition_of, is_sound_file, sync
from docstead.publishing.vector_cache import VectorCache
from docstead.storage.database import Database
from docstead.storage.objects import ObjectStore
from docstead.storage.schema import deployments, editions

_KEPT_OPEN = 16
_FRESH_SECONDS = 0.5
_TRUSTED_SECONDS = float(HOUR_SECONDS)

_log = logging.getLogger(__name__)


class DeploymentReference(Protocol):
    """Object with a deployment id."""

    @property
    def id(self) -> str: ...


class EditionStore:
    """Opens editions. `cache_dir` is shared by the processes of one machine.

    With `vectors`, editions get semantic search. The current edition of a deployment is looked up
    in the database at most every `fresh_seconds`, which delays new editions by as much. During a
    database outage, the last result is used for an hour.
    """

    def __init__(
        self,
        database: Database,
        objects: ObjectStore,
        cache_dir: Path,
        *,
        vectors: VectorCache | None = None,
        kept_open: int = _KEPT_OPEN,
        fresh_seconds: float = _FRESH_SECONDS,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._objects = objects
        self._cache_dir = cache_dir
        self._vectors = vectors
        self._kept_open = kept_open
        self._fresh_seconds = fresh_seconds
        self._monotonic = monotonic
        self._open: OrderedDict[str, Edition] = OrderedDict()
        self._current: dict[str, tuple[float, str | None]] = {}
        self._shown: dict[str, str | None] = {}  # time of the last lookup by deployment
        self._lock = threading.Lock()
        self._opening = threading.Lock()

    def current(self, deployment: DeploymentReference) -> Edition | None:
        """Return the deployment's current edition, or None before the first publish."""
        edition_id = self.current_id(deployment.id)
        if edition_id is None:
            return None
        edition = self.open(edition_id)
        if self._vectors is not None:
            self._vectors.supply(edition)
        return edition

    def current_id(self, deployment_id: str) -> str | None:
        asked, edition_id = self._current.get(deployment_id, (float("-inf"), None))
        now = self._monotonic()
        if now - asked >= self._fresh_seconds:
            try:
                edition_id = self._ask_current(deployment_id)
            except StoreUnavailable:
                if now - asked > _TRUSTED_SECONDS:
                    raise
            else:
                self._current[deployment_id] = (now, edition_id)
                self._note_shown(deployment_id, edition_id)
        return edition_id

    def is_known_current(self, deployment_id: str, edition_id: str) -> bool:
        """Report whether this was the current edition when last looked up, not long ago."""
        asked, known = self._current.get(deployment_id, (float("-inf"), None))
        return known == edition_id and self._monotonic() - asked < self._fresh_seconds

    def _note_shown(self, deployment_id: str, edition_id: str | None) -> None:
        """Free the memory of the edition that the deployment showed before."""
        before = self._shown.get(deployment_id)
        self._shown[deployment_id] = edition_id
        if before is not None and before != edition_id:
            with self._lock:
                if (replaced := self._open.get(before)) is not None:
                    replaced.forget()

    def open(self, edition_id: str) -> Edition:
        """Open an edition.

        Raises:
            NotFound: there is no edition with this id.
            DamagedEditionError: the stored file is damaged; publishing again repairs it.
        """
        if (known := self._known(edition_id)) is not None:
            return known
        # Readers of other editions do not wait while this one is fetched.
        with self._opening:
            if (known := self._known(edition_id)) is not None:
                return known
            edition = self._opened(edition_id)
            self._keep(edition)
            return edition

    def adopt(self, object_key: str, file: Path) -> None:
        """Add the file of an object stored by this process to the cache."""
        path = self._path(object_key)
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = _partial(path)
        shutil.move(file, partial)
        _put_durably(partial, path)

    def refresh(self) -> None:
        """Forget which editions are current, because this process has changed one."""
        self._current.clear()

    def remove_abandoned(self) -> None:
        """Delete copies of removed editions, and incomplete copies of killed processes."""
        with self._database.reading() as connection:
            known = set(connection.execute(select(editions.c.id)).scalars())
        before = time.time() - HOUR_SECONDS
        for path in self._cache_dir.glob("*"):
            edition_id, _, rest = path.name.lstrip(".").partition(".")
            is_complete = rest == "index" or edition_of(path.name) is not None
            is_ours = edition_id.startswith("ed_") and not (edition_id in known and is_complete)
            with suppress(FileNotFoundError):
                if is_ours and path.stat().st_mtime < before:
                    _remove(path)

    def discard(self, edition_id: str) -> None:
        """Delete the copy of a removed edition."""
        with self._lock:
            if edition_id in self._open:
                self._forget(edition_id)

    def _known(self, edition_id: str) -> Edition | None:
        with self._lock:
            edition = self._open.get(edition_id)
            if edition is None:
                return None
            if edition.has_changed():
                _log.warning("the file of edition %s was modified; reopening it", edition_id)
                self._forget(edition_id)
                return None
            self._open.move_to_end(edition_id)
            return edition

    def _keep(self, edition: Edition) -> None:
        with self._lock:
            self._open[edition.id] = edition
            while len(self._open) > self._kept_open:
                self._forget(next(iter(self._open)))

    def _ask_current(self, deployment_id: str) -> str | None:
        query = select(deployments.c.current_edition_id).where(deployments.c.id == deployment_id)
        with self._database.reading() as connection:
            return connection.execute(query).scalar_one_or_none()

    def _opened(self, edition_id: str) -> Edition:
        for path in self._copies(edition_id):
            if (edition := self._sound(edition_id, path)) is not None:
                return edition
            _log.warning("the copy %s of an edition is damaged; fetching it again", path.name)
            self._remove(edition_id)
        path = self._fetch(edition_id)
        edition = self._sound(edition_id, path)
        if edition is None:
            path.unlink(missing_ok=True)
            raise DamagedEditionError(
                f"edition {edition_id}{self._domains(edition_id)} is damaged; publish it again"
            )
        return edition

    def _domains(self, edition_id: str) -> str:
        """Return the deployments that show an edition, for a message."""
        query = select(deployments.c.domain).where(deployments.c.current_edition_id == edition_id)
        with self._database.reading() as connection:
            found = connection.execute(query.order_by(deployments.c.domain)).scalars().all()
        return f" of {', '.join(found)}" if found else ""

    def _sound(self, edition_id: str, path: Path) -> Edition | None:
        """Open the edition in a file; return None if it does not match its name."""
        try:
            if not is_sound_file(path):
                return None
            return Edition(edition_id, path, ObjectContents(self._objects), self._cache_dir)
        except (DamagedEditionError, OSError):
            return None

    def _fetch(self, edition_id: str) -> Path:
        query = select(editions.c.object_key).where(editions.c.id == edition_id)
        with self._database.reading() as connection:
            key = connection.execute(query).scalar_one_or_none()
        if key is None:
            raise NotFound("there is no such edition")
        path = self._path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = _partial(path)
        self._objects.download(key, partial)
        _put_durably(partial, path)
        return path

    def _forget(self, edition_id: str) -> None:
        """Drop an edition and its files; current readers keep open files."""
        del self._open[edition_id]
        self._remove(edition_id)
        if self._vectors is not None:
            self._vectors.forget(edition_id)

    def _remove(self, edition_id: str) -> None:
        for path in self._copies(edition_id):
            path.unlink(missing_ok=True)
        shutil.rmtree(self._cache_dir / f"{edition_id}.index", ignore_errors=True)

    def _copies(self, edition_id: str) -> list[Path]:
        found = self._cache_dir.glob(f"{edition_id}.*")
        return [path for path in found if edition_of(path.name) == edition_id]

    def _path(self, object_key: str) -> Path:
        return self._cache_dir / object_key.rpartition("/")[2]


def _put_durably(partial: Path, path: Path) -> None:
    """Rename a complete file durably, so that a power failure leaves all of it or nothing."""
    sync(partial)
    partial.replace(path)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _partial(path: Path) -> Path:
    return path.with_suffix(f".{threading.get_ident()}.partial")
