"""Execution of an update, from source to current edition."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import case, insert, select, update

from docstead.accounts.tenancy import Project, Tenancy
from docstead.base.clock import Clock
from docstead.base.errors import OUTAGES, DocsteadError, NotFound, SourceUnreadable
from docstead.base.files import sha256_of_file
from docstead.base.texts import counted
from docstead.base.unexpected import log_failure
from docstead.content.diagnostics import Diagnostic
from docstead.jobs.outage_retries import KeepTrying, try_once
from docstead.publishing.archive_sources import ArchiveSources, is_archive
from docstead.publishing.assets import upload
from docstead.publishing.build import BuildReport, Progress, without_pages
from docstead.publishing.edition import Edition
from docstead.publishing.edition_builds import BuildFiles, EditionBuilds
from docstead.publishing.edition_file import EditionFile
from docstead.publishing.edition_objects import is_sound_object, object_key
from docstead.publishing.editions import EditionStore
from docstead.publishing.folders import FileMemory
from docstead.publishing.git_network import NAMED_BY_OPERATOR, GitNetwork
from docstead.publishing.retention import Retention, list_assets
from docstead.publishing.source_limits import SourceLimits
from docstead.publishing.sources import DocumentationSource, SourceCredentials, checkout
from docstead.publishing.storage_quota import StorageFull, StorageQuota
from docstead.publishing.targets import PublishTarget, apply_target
from docstead.publishing.update_records import (
    UPDATE_STATES,
    OnCurrent,
    Update,
    UpdateRecords,
    UpdateStatus,
    is_overtaken,
    no_extra_records,
)
from docstead.publishing.values import FileChanges, GitCheckout, Revision
from docstead.rendering import StandbyWorker
from docstead.storage.database import Database
from docstead.storage.objects import ObjectStore
from docstead.storage.schema import deployments, editions

_LOGGED_DIAGNOSTICS = 200
_LISTED_FILES = 500

_log = logging.getLogger(__name__)

CredentialsFor = Callable[[Project], SourceCredentials | None]


def _read_home(edition: Edition) -> object:
    """Read the first page of an edition."""
    return [edition.page(slug) for slug in edition.slugs()[:1]]


class Publisher:
    """Executes updates.

    `workspace` keeps git mirrors between updates, and `network` is what git may contact.
    `standby_worker` is used by `builds` and prepared again after each edit. `retention` decides
    what is deleted after an update, and `quota` limits stored bytes. `show` renders the home page
    of an edition as readers get it; its errors fail the update. `credentials_for` returns those of
    a project's private source, which are used only if needed. `on_current` is called in the
    transaction that makes an edition current.
    """

    def __init__(
        self,
        *,
        database: Database,
        objects: ObjectStore,
        editions: EditionStore,
        tenancy: Tenancy,
        builds: EditionBuilds,
        standby_worker: StandbyWorker | None = None,
        clock: Clock,
        workspace: Path,
        network: GitNetwork = NAMED_BY_OPERATOR,
        source_limits: SourceLimits | None = None,
        retention: Retention | None = None,
        quota: StorageQuota | None = None,
        show: Callable[[Edition], object] = _read_home,
        credentials_for: CredentialsFor = lambda _: None,
        fetches_assets: Callable[[Iterable[str]], bool] = lambda _: True,
        on_current: OnCurrent = no_extra_records,
    ) -> None:
        self._database = database
        self._objects = objects
        self._editions = editions
        self._tenancy = tenancy
        self._builds = builds
        self._standby_worker = standby_worker
        self._clock = clock
        self._workspace = workspace
        self._network = network
        self._source_limits = source_limits
        self._retention = retention
        self._quota = quota
        self._show = show
        self._credentials_for = credentials_for
        self._fetches_assets = fetches_assets
        self._on_current = on_current
        self._records = UpdateRecords(database, clock)
        self.archives = ArchiveSources(
            objects, workspace / "sources" / "archives", source_limits or SourceLimits()
        )
        self._blob_ids = FileMemory().blob_ids

    def publish(
        self,
        update: Update,
        progress: Progress | None = None,
        built: Callable[[BuildReport], object] | None = None,
        keep_trying: KeepTrying = try_once,
    ) -> BuildReport:
        """Build the project's edition and make it current; the update ends as `success`.

        `built` is called with the report before the edition becomes current. During an outage,
        `keep_trying` retries the steps after the build without repeating it.
        """
        project = self._tenancy.project(update.project_id)
        source = self._source(project, update.target)
        logs = [f"Reading {source.shown}"]
        self._records.note(update.id, logs)
        self._builds.prepare()
        files = BuildFiles(self._blob_ids)
        tree = self._checkout(project, source, files)
        try:
            fetches = self._fetches_assets(self._domains(project, update.target))
            lasting = not tree.temporary
            with self._builds.open(
                project.id, tree.path, lasting=lasting, fetches_assets=fetches
            ) as build:
                files.build = build
                found = tree.revision
                logs.append(f"At {found.commit}" + (f" ({found.ref})" if found.ref else ""))
                self._records.note(update.id, logs, _commit(found, FileChanges()))
                previous = self._previous(project)
                file, report = build.build(found, previous, progress)
                logs += _report_lines(report)
                keep_trying(lambda: self._records.note(update.id, logs))
                if not report.pages:
                    raise without_pages(report)
                if built is not None:
                    keep_trying(lambda: built(report))
                edition_id = _edition_id(project, report)

                def publish() -> None:
                    self._check_quota(project, edition_id, file, report)
                    self._store_assets(edition_id, tree, report, previous, file)
                    self._store(update, project, edition_id, file, report)
                    self._show(self._editions.open(edition_id))
                    self._make_current(update, edition_id, tree, report, logs)

                keep_trying(publish)
                if previous is not None and previous.id != edition_id:
                    previous.forget()
                self._follow_up(update, project, report)
        finally:
            tree.discard()
        return report

    def _domains(self, project: Project, target: PublishTarget | None) -> list[str]:
        """Return the domains of the deployments that will show the edition."""
        domains = [each.domain for each in self._tenancy.deployments_of_project(project.id)]
        return [*domains, target.deployment.domain] if target and target.deployment else domains

    def _source(self, project: Project, target: PublishTarget | None) -> DocumentationSource:
        if target is None:
            return DocumentationSource(project.source, project.source_ref, project.source_root)
        location = self._tenancy.opened_source(project.id, target.source)
        return DocumentationSource(location, target.ref, target.root)

    def _checkout(
        self, project: Project, source: DocumentationSource, files: BuildFiles
    ) -> GitCheckout:
        workspace = self._workspace / "sources"
        if is_archive(source.location):
            return self.archives.checkout(project.id, source.location, files)
        try:
            return checkout(source, workspace, files, self._network, self._source_limits)
        except SourceUnreadable:
            is_own = source.location == project.source
            credentials = self._credentials_for(project) if is_own else None
            if credentials is None:
                raise
        return checkout(
            source, workspace, files, self._network, self._source_limits, credentials=credentials
        )

    def _follow_up(self, update: Update, project: Project, report: BuildReport) -> None:
        """Load the edition, prepare for the next update, and delete old data."""
        self._editions.refresh()
        if self._standby_worker is not None and report.rendered and report.reused:
            self._standby_worker.prepare()  # after an edit, further edits are likely
        self._sweep(project)
        if update.target is not None:
            self.sweep_archives(project.id)

    def _sweep(self, project: Project) -> None:
        """Delete unused data; after an error the next update tries again."""
        if self._retention is None:
            return
        try:
            swept = self._retention.sweep(project.id)
        except (DocsteadError, OSError) as error:
            log_failure(_log, f"old editions of {project.id} could not be removed", error)
        else:
            if swept.editions or swept.assets:
                found = len(swept.editions), len(swept.assets)
                _log.info("removed %d old editions and %d files", *found)

    def sweep_archives(self, project_id: str) -> None:
        """Delete archives that are not the source of any project or waiting update."""
        try:
            used = {each.source for each in self._records.targets(project_id)}
            with suppress(NotFound):  # it was discarded before anything was published
                used.add(self._tenancy.project(project_id).source)
            self.archives.keep_only(project_id, used)
        except DocsteadError as error:
            log_failure(_log, f"old archives of {project_id} could not be removed", error)

    def _previous(self, project: Project) -> Edition | None:
        """Return the current edition, from which unchanged pages are copied."""
        for deployment in self._tenancy.deployments_of_project(project.id):
            if deployment.current_edition_id is not None:
                try:
                    return self._editions.open(deployment.current_edition_id)
                except OUTAGES:
                    raise
                except (DocsteadError, OSError):
                    _log.warning("edition %s cannot be read", deployment.current_edition_id)
        return None

    def _check_quota(
        self, project: Project, edition_id: str, file: Path, report: BuildReport
    ) -> None:
        if self._quota is not None:
            size = file.stat().st_size
            self._quota.check_edition(project.organization_id, edition_id, size, report.assets)

    def _store_assets(
        self,
        edition_id: str,
        tree: GitCheckout,
        report: BuildReport,
        previous: Edition | None,
        file: Path,
    ) -> None:
        """Store new files. If the edition is unchanged, verify that all its files are stored."""
        is_known = previous is not None and previous.id != edition_id
        present = {asset.object_key for asset in previous.assets()} if previous and is_known else ()
        fetched = {each.sha256: each.data for each in EditionFile(file).fetched()}
        upload(self._objects, tree.path, report.assets, present, fetched)

    def _store(
        self, update: Update, project: Project, edition_id: str, file: Path, report: BuildReport
    ) -> None:
        """Store the edition's file unless it is already intact in the store, and record it."""
        old_key, size = self._object_key(edition_id), file.stat().st_size
        owner = project.organization_id
        if old_key is not None and is_sound_object(self._objects, old_key):
            self._record(update, edition_id, old_key, report, owner=owner, size_bytes=size)
            return
        key = object_key(edition_id, sha256_of_file(file))
        self._objects.put(key, file)
        try:
            self._record(update, edition_id, key, report, owner=owner, size_bytes=size)
        except StorageFull:
            self._objects.delete(key)
            raise
        self._editions.adopt(key, file)
        if old_key is not None and old_key != key:
            self._objects.delete(old_key)

    def _object_key(self, edition_id: str) -> str | None:
        query = select(editions.c.object_key).where(editions.c.id == edition_id)
        with self._database.reading() as connection:
            return connection.execute(query).scalar_one_or_none()

    def _record(
        self,
        requested: Update,
        edition_id: str,
        key: str,
        report: BuildReport,
        *,
        owner: str,
        size_bytes: int,
    ) -> None:
        """Insert the edition's row, or update its location and publisher.

        Raises:
            StorageFull: other updates of the organization, `owner`, have used the space meanwhile.
        """
        sequence = editions.c.sequence
        latest = case((sequence > requested.sequence, sequence), else_=requested.sequence)
        known = update(editions).where(editions.c.id == edition_id)
        with self._database.transaction() as connection:
            if connection.execute(known.values(object_key=key, sequence=latest)).rowcount:
                return
            if self._quota is not None:
                self._quota.check_recorded(connection, owner, edition_id, size_bytes, report.assets)
            row = {
                "id": edition_id,
                "project_id": requested.project_id,
                "commit": report.commit,
                "object_key": key,
                "page_count": report.pages - report.left_out,
                "rendered_count": report.rendered,
                "failed_count": report.failed,
                "created_at": self._clock.now(),
                "sequence": requested.sequence,
                "size_bytes": size_bytes,
                "assets_bytes": sum({a.sha256: a.size_bytes for a in report.assets}.values()),
                "assets_listed": True,
            }
            connection.execute(insert(editions).values(row))
            list_assets(connection, edition_id, report.assets)

    def _make_current(
        self,
        requested: Update,
        edition_id: str,
        tree: GitCheckout,
        report: BuildReport,
        logs: list[str],
    ) -> None:
        """Make the edition current in one transaction; nothing is visible before."""
        project_id, target = requested.project_id, requested.target
        with self._database.transaction() as connection:
            overtaken, now = is_overtaken(connection, requested), self._clock.now()
            if not overtaken:
                deployment = update(deployments).where(deployments.c.project_id == project_id)
                connection.execute(deployment.values(current_edition_id=edition_id))
                if target is not None:
                    apply_target(connection, target, project_id, edition_id, now)
            summary = _summary(report) + ("; a later update is current already" * overtaken)
            UPDATE_STATES.advance(
                connection,
                requested.id,
                UpdateStatus.SUCCESS,
                summary=summary,
                logs=[*logs, summary],
                commit=_commit(tree.revision, report.changes),
                edition_id=edition_id,
                ended_at=now,
            )
            if not overtaken:
                self._on_current(connection, requested, edition_id)


def _edition_id(project: Project, report: BuildReport) -> str:
    """Return the edition's id, which is the same for the same content of the same project."""
    digest = hashlib.sha256(f"{project.id}\0{report.digest}".encode()).hexdigest()
    return f"ed_{digest[:24]}"


def _commit(found: Revision, changes: FileChanges) -> dict[str, Any]:
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


def _report_lines(report: BuildReport) -> list[str]:
    shown: tuple[Diagnostic, ...] = report.diagnostics[:_LOGGED_DIAGNOSTICS]
    more = len(report.diagnostics) - len(shown)
    return [*map(str, shown), *([f"and {counted(more, 'more diagnostic')}"] if more else [])]
