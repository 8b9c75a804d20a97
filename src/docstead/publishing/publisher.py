"""Execution of an update, from source to current edition."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from docstead.accounts.tenancy import Project, Tenancy
from docstead.base.clock import Clock
from docstead.base.errors import OUTAGES, DocsteadError, NotFound, SourceUnreadable
from docstead.base.texts import counted
from docstead.base.unexpected import log_failure
from docstead.content.diagnostics import Diagnostic
from docstead.jobs.outage_retries import KeepTrying, try_once
from docstead.publishing.archive_sources import ArchiveSources, is_archive
from docstead.publishing.build import BuildReport, Progress, without_pages
from docstead.publishing.edition import Edition
from docstead.publishing.edition_builds import BuildFiles, EditionBuild, EditionBuilds
from docstead.publishing.editions import EditionStore
from docstead.publishing.folders import FileMemory
from docstead.publishing.git_network import NAMED_BY_OPERATOR, GitNetwork
from docstead.publishing.new_editions import NewEdition, NewEditions, commit_of
from docstead.publishing.retention import Retention
from docstead.publishing.source_limits import SourceLimits
from docstead.publishing.sources import DocumentationSource, SourceCredentials, checkout
from docstead.publishing.storage_quota import StorageQuota
from docstead.publishing.targets import PublishTarget
from docstead.publishing.update_records import (
    OnCurrent,
    Update,
    UpdateRecords,
    no_extra_records,
)
from docstead.publishing.values import FileChanges, GitCheckout, Revision
from docstead.rendering import StandbyWorker
from docstead.storage.database import Database
from docstead.storage.objects import ObjectStore

_LOGGED_DIAGNOSTICS = 200

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
        self._editions = editions
        self._tenancy = tenancy
        self._builds = builds
        self._standby_worker = standby_worker
        self._workspace = workspace
        self._network = network
        self._source_limits = source_limits
        self._retention = retention
        self._credentials_for = credentials_for
        self._fetches_assets = fetches_assets
        self._new_editions = NewEditions(
            database, objects, editions, clock, quota=quota, show=show, on_current=on_current
        )
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
            with self._open_build(project, update.target, tree) as build:
                files.build = build
                self._note_revision(update, logs, tree.revision)
                previous = self._previous(project)
                file, report = build.build(tree.revision, previous, progress)
                logs += _report_lines(report)
                keep_trying(lambda: self._records.note(update.id, logs))
                if not report.pages:
                    raise without_pages(report)
                if built is not None:
                    keep_trying(lambda: built(report))
                new = NewEdition(update, project, tree, previous, file, report)
                keep_trying(lambda: self._new_editions.publish(new, logs))
                if previous is not None and previous.id != new.id:
                    previous.forget()
                self._follow_up(update, project, report)
        finally:
            tree.discard()
        return report

    def _open_build(
        self, project: Project, target: PublishTarget | None, tree: GitCheckout
    ) -> AbstractContextManager[EditionBuild]:
        return self._builds.open(
            project.id,
            tree.path,
            lasting=not tree.temporary,
            fetches_assets=self._fetches_assets(self._domains(project, target)),
        )

    def _note_revision(self, update: Update, logs: list[str], found: Revision) -> None:
        logs.append(f"At {found.commit}" + (f" ({found.ref})" if found.ref else ""))
        self._records.note(update.id, logs, commit_of(found, FileChanges()))

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


def _report_lines(report: BuildReport) -> list[str]:
    shown: tuple[Diagnostic, ...] = report.diagnostics[:_LOGGED_DIAGNOSTICS]
    more = len(report.diagnostics) - len(shown)
    return [*map(str, shown), *([f"and {counted(more, 'more diagnostic')}"] if more else [])]
