"""Storing of new editions, and their publication."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import case, insert, select, update

from docstead.accounts.tenancy import Project
from docstead.base.clock import Clock
from docstead.base.files import sha256_of_file
from docstead.base.texts import counted
from docstead.publishing.assets import upload
from docstead.publishing.build import BuildReport
from docstead.publishing.edition import Edition
from docstead.publishing.edition_file import EditionFile
from docstead.publishing.edition_objects import is_sound_object, object_key
from docstead.publishing.editions import EditionStore
from docstead.publishing.retention import list_assets
from docstead.publishing.storage_quota import StorageFull, StorageQuota
from docstead.publishing.targets import apply_target
from docstead.publishing.update_records import (
    UPDATE_STATES,
    OnCurrent,
    Update,
    UpdateStatus,
    is_overtaken,
    no_extra_records,
)
from docstead.publishing.values import FileChanges, GitCheckout, Revision
from docstead.storage.database import Database
from docstead.storage.objects import ObjectStore
from docstead.storage.schema import deployments, editions

_LISTED_FILES = 500


@dataclass(frozen=True)
class NewEdition:
    """An edition that was built for an update and is not current yet."""

    update: Update
    project: Project
    checkout: GitCheckout
    previous: Edition | None
    file: Path
    report: BuildReport

    @property
    def id(self) -> str:
        """Id, which is the same for the same content of the same project."""
        digest = hashlib.sha256(f"{self.project.id}\0{self.report.digest}".encode()).hexdigest()
        return f"ed_{digest[:24]}"

    @property
    def size_bytes(self) -> int:
        return self.file.stat().st_size


class NewEditions:
    """Stores new editions and makes them current.

    `show` renders the home page of an edition as readers get it; its errors fail the update.
    `quota` limits stored bytes. `on_current` is called in the transaction that makes an edition
    current.
    """

    def __init__(
        self,
        database: Database,
        objects: ObjectStore,
        editions: EditionStore,
        clock: Clock,
        *,
        show: Callable[[Edition], object],
        quota: StorageQuota | None = None,
        on_current: OnCurrent = no_extra_records,
    ) -> None:
        self._database = database
        self._objects = objects
        self._editions = editions
        self._clock = clock
        self._quota = quota
        self._show = show
        self._on_current = on_current

    def publish(self, new: NewEdition, logs: list[str]) -> None:
        """Store the edition and make it current; its update ends as `success`.

        Raises:
            StorageFull: it exceeds the organization's storage limit.
        """
        self._check_quota(new)
        self._store_assets(new)
        self._store(new)
        self._show(self._editions.open(new.id))
        self._make_current(new, logs)

    def _check_quota(self, new: NewEdition) -> None:
        if self._quota is not None:
            owner = new.project.organization_id
            self._quota.check_edition(owner, new.id, new.size_bytes, new.report.assets)

    def _store_assets(self, new: NewEdition) -> None:
        """Store new files. If the edition is unchanged, verify that all its files are stored."""
        is_known = new.previous is not None and new.previous.id != new.id
        known = new.previous.assets() if new.previous and is_known else ()
        present = {asset.object_key for asset in known}
        fetched = {each.sha256: each.data for each in EditionFile(new.file).fetched()}
        upload(self._objects, new.checkout.path, new.report.assets, present, fetched)

    def _store(self, new: NewEdition) -> None:
        """Store the edition's file unless it is already intact in the store, and record it."""
        old_key = self._object_key(new.id)
        if old_key is not None and is_sound_object(self._objects, old_key):
            self._record(new, old_key)
            return
        key = object_key(new.id, sha256_of_file(new.file))
        self._objects.put(key, new.file)
        try:
            self._record(new, key)
        except StorageFull:
            self._objects.delete(key)
            raise
        self._editions.adopt(key, new.file)
        if old_key is not None and old_key != key:
            self._objects.delete(old_key)

    def _object_key(self, edition_id: str) -> str | None:
        query = select(editions.c.object_key).where(editions.c.id == edition_id)
        with self._database.reading() as connection:
            return connection.execute(query).scalar_one_or_none()

    def _record(self, new: NewEdition, key: str) -> None:
        """Insert the edition's row, or update its location and publisher.

        Raises:
            StorageFull: other updates of the organization have used the space meanwhile.
        """
        own, report = new.update.sequence, new.report
        latest = case((editions.c.sequence > own, editions.c.sequence), else_=own)
        known = update(editions).where(editions.c.id == new.id)
        with self._database.transaction() as connection:
            if connection.execute(known.values(object_key=key, sequence=latest)).rowcount:
                return
            if self._quota is not None:
                owner = new.project.organization_id
                self._quota.check_recorded(connection, owner, new.id, new.size_bytes, report.assets)
            connection.execute(insert(editions).values(self._row(new, key)))
            list_assets(connection, new.id, report.assets)

    def _row(self, new: NewEdition, key: str) -> dict[str, Any]:
        report = new.report
        return {
            "id": new.id,
            "project_id": new.project.id,
            "commit": report.commit,
            "object_key": key,
            "page_count": report.pages - report.left_out,
            "rendered_count": report.rendered,
            "failed_count": report.failed,
            "created_at": self._clock.now(),
            "sequence": new.update.sequence,
            "size_bytes": new.size_bytes,
            "assets_bytes": sum({a.sha256: a.size_bytes for a in report.assets}.values()),
            "assets_listed": True,
        }

    def _make_current(self, new: NewEdition, logs: list[str]) -> None:
        """Make the edition current in one transaction; nothing is visible before."""
        requested, project_id, target = new.update, new.project.id, new.update.target
        with self._database.transaction() as connection:
            overtaken, now = is_overtaken(connection, requested), self._clock.now()
            if not overtaken:
                deployment = update(deployments).where(deployments.c.project_id == project_id)
                connection.execute(deployment.values(current_edition_id=new.id))
                if target is not None:
                    apply_target(connection, target, project_id, new.id, now)
            summary = _summary(new.report) + ("; a later update is current already" * overtaken)
            UPDATE_STATES.advance(
                connection,
                requested.id,
                UpdateStatus.SUCCESS,
                summary=summary,
                logs=[*logs, summary],
                commit=commit_of(new.checkout.revision, new.report.changes),
                edition_id=new.id,
                ended_at=now,
            )
            if not overtaken:
                self._on_current(connection, requested, new.id)


def commit_of(found: Revision, changes: FileChanges) -> dict[str, Any]:
    """Return commit and changed files for the record of an update."""
    return {
        "sha": found.commit,
        "ref": found.ref,
        "message": found.message,
        "author": found.author,
        "filesChanged": {
            "added": _listed(changes.added),
            "modified": _listed(changes.modified),
            "removed": _listed(changes.removed),
        },
    }


def _listed(paths: Iterable[str]) -> list[str]:
    return list(paths)[:_LISTED_FILES]


def _summary(report: BuildReport) -> str:
    left_out = f", {report.left_out} left out" if report.left_out else ""
    failed = f"; {report.failed} of them failed" if report.failed else ""
    pages = counted(report.pages, "page")
    made = f" ({report.rendered:,} re-rendered)" if report.reused else ""
    return f"{pages} published{made}{left_out}{failed}"
