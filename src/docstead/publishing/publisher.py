"""Execution of an update, from source to current edition."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, suppress

from docstead.accounts.tenancy import Project, Tenancy
from docstead.base.errors import OUTAGES, DocsteadError, NotFound
from docstead.base.texts import counted
from docstead.base.unexpected import log_failure
from docstead.content.diagnostics import Diagnostic
from docstead.jobs.outage_retries import KeepTrying, try_once
from docstead.publishing.build import BuildReport, Progress, without_pages
from docstead.publishing.edition import Edition
from docstead.publishing.edition_builds import BuildFiles, EditionBuild, EditionBuilds
from docstead.publishing.editions import EditionStore
from docstead.publishing.folders import FileMemory
from docstead.publishing.new_editions import NewEdition, NewEditions, commit_of
from docstead.publishing.project_sources import ProjectSources
from docstead.publishing.retention import Retention
from docstead.publishing.targets import PublishTarget
from docstead.publishing.update_records import Update, UpdateRecords
from docstead.publishing.values import FileChanges, GitCheckout, Revision
from docstead.rendering import StandbyWorker

_LOGGED_DIAGNOSTICS = 200

_log = logging.getLogger(__name__)


class Publisher:
    """Executes updates.

    `standby_worker` is used by `builds` and prepared again after each edit. `retention` decides
    what is deleted after an update. `fetches_assets` decides by the domains of an edition whether
    assets with URLs are fetched for it.
    """

    def __init__(
        self,
        *,
        tenancy: Tenancy,
        records: UpdateRecords,
        sources: ProjectSources,
        builds: EditionBuilds,
        editions: EditionStore,
        new_editions: NewEditions,
        standby_worker: StandbyWorker | None = None,
        retention: Retention | None = None,
        fetches_assets: Callable[[Iterable[str]], bool] = lambda _: True,
    ) -> None:
        self._tenancy = tenancy
        self._records = records
        self._sources = sources
        self._builds = builds
        self._editions = editions
        self._new_editions = new_editions
        self._standby_worker = standby_worker
        self._retention = retention
        self._fetches_assets = fetches_assets
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
        source = self._sources.source(project, update.target)
        logs = [f"Reading {source.shown}"]
        self._records.note(update.id, logs)
        self._builds.prepare()
        files = BuildFiles(self._blob_ids)
        tree = self._sources.checkout(project, source, files)
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
            self._sources.archives.keep_only(project_id, used)
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
