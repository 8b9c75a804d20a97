"""Publishing as a job, in this order: source, checkout, build, upload, make current.

Failure rule: after any failure the previous edition stays current, and the update ends as `failure`
with the reason and, if known, `file:line:column`. If a process dies, its update is run again from
the checkout with the same result, because nothing is visible before the final transaction. During a
database or object store outage, the job waits and continues.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from docstead.accounts.tenancy import Tenancy
from docstead.base.clock import Clock
from docstead.base.errors import OUTAGES, Conflict, ObjectsUnreachable
from docstead.base.memory import PeakMemory
from docstead.base.texts import printable
from docstead.base.unexpected import failure_reason, log_failure
from docstead.jobs import JobContext, Jobs
from docstead.jobs.fair_shares import fair_share
from docstead.jobs.outage_retries import KeepTrying, try_once
from docstead.publishing.archive_sources import is_archive
from docstead.publishing.build import BuildReport, Progress
from docstead.publishing.builders.task_slots import LARGE
from docstead.publishing.publisher import Publisher
from docstead.publishing.targets import PublishTarget
from docstead.publishing.update_records import OnFailed, Update, UpdateRecords, UpdateStatus
from docstead.publishing.update_reports import UpdateProgress, UpdateReport, UpdateReports

KIND = "update"
OWN_PROCESS = "internal"  # origin of updates that are run by the process that created them
COMMAND = "command"  # origin of updates that the service runs for a command

# For different projects; `builders.turns` limits concurrent builds.
_LARGE_KIND = f"{KIND}-large"
_AT_ONCE = {KIND: 8, _LARGE_KIND: 2}
_LOOKED_AT = 100  # waiting projects of one organization
_LOST_AFTER = timedelta(hours=1)
_BEGUN_AFTER = timedelta(minutes=1)  # for the process that creates an update for itself

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class UpdateOutcome:
    """Result of an update; the report is missing if it failed early."""

    update: Update
    report: BuildReport | None = None


class UpdateService:
    """Publishes projects."""

    def __init__(
        self,
        records: UpdateRecords,
        publisher: Publisher,
        tenancy: Tenancy,
        clock: Clock,
        reports: UpdateReports | None = None,
        *,
        on_failed: OnFailed = lambda _connection, _update: None,
        on_ended: Callable[[Update], object] = lambda _: None,
    ) -> None:
        """Create the service.

        `on_failed` is called in the transaction in which an update fails, and `on_ended` after an
        update has succeeded or failed. It may be called again, or not at all for lost updates.
        """
        self._on_failed = on_failed
        self._on_ended = on_ended
        self._records = records
        self._publisher = publisher
        self._tenancy = tenancy
        self._clock = clock
        self._reports = reports
        self._jobs: Jobs | None = None

    def register(self, jobs: Jobs) -> None:
        """Register the jobs that `start` queues. Call before `jobs.launch()`."""
        for kind, at_once in _AT_ONCE.items():
            jobs.register(
                kind, self._run_job, concurrency=at_once, on_lost=self._lose_job, in_order=True
            )
        jobs.run_periodically(self.end_lost)
        jobs.run_periodically(self.start_waiting)
        jobs.run_periodically(self.remove_failed)
        self._jobs = jobs

    def start(self, project_id: str, origin: str, target: PublishTarget | None = None) -> Update:
        """Queue an update of the project; its updates run one after the other.

        `target` replaces the project's source once the update succeeds.

        Raises:
            NotFound: the project does not exist.
        """
        created = self.create(project_id, origin, target)
        self._queue_next_of(created)
        return created

    def start_queued(self) -> None:
        """Queue unfinished updates without a job. Call after `jobs.launch()`.

        The process that created them has died, or the job database was lost.
        """
        self._queue_all()

    def start_waiting(self) -> None:
        """Queue updates whose creator died before it could queue them."""
        assert self._jobs is not None, "register() comes first"  # noqa: S101
        for running in self._records.in_state(UpdateStatus.IN_PROGRESS):
            if running.origin != OWN_PROCESS and self._jobs.has_ended(running.id):
                self._lost(running.id)
        self._queue_all()

    def _queue_all(self) -> None:
        for organization_id in self._records.unfinished_organizations():
            self._queue_next(organization_id)

    def _queue_next_of(self, known: Update) -> None:
        self._queue_next(self._tenancy.project(known.project_id).organization_id)

    def _queue_next(self, organization_id: str) -> None:
        """Queue the oldest update of each project, up to the organization's share.

        The next ones are queued as others end. Small updates are counted and run separately, so
        that they do not wait for large ones.
        """
        assert self._jobs is not None, "register() comes first"  # noqa: S101
        left = self._share()
        for each in self._oldest_of_projects(organization_id)[:_LOOKED_AT]:
            is_large = self._records.page_count(each.project_id) >= LARGE
            kind = _LARGE_KIND if is_large else KIND
            if left[kind] > 0:
                left[kind] -= 1
                with suppress(Conflict):  # already queued with the other size
                    self._jobs.start(kind, each.id)
            if not any(left.values()):
                return

    def _share(self) -> dict[str, int]:
        """Return the number of concurrent updates per organization, by size class."""
        organizations = len(self._tenancy.organizations())
        return {kind: fair_share(at_once, organizations) for kind, at_once in _AT_ONCE.items()}

    def _oldest_of_projects(self, organization_id: str) -> list[Update]:
        """Return the oldest unfinished update of each project: running ones first, then by age."""
        oldest: dict[str, Update] = {}
        for each in self._records.unfinished_of_organization(organization_id):
            if not self._is_run_elsewhere(each):
                oldest.setdefault(each.project_id, each)
        return sorted(
            oldest.values(),
            key=lambda each: (each.status is UpdateStatus.QUEUED, each.created_at, each.id),
        )

    def end_lost(self) -> None:
        """End updates that a process ran outside of jobs and that have not ended within an hour.

        Their process is considered lost. Projects without a deployment are deleted with them.
        """
        for running in self._records.in_state(UpdateStatus.IN_PROGRESS):
            age = self._clock.now() - running.created_at
            if running.origin == OWN_PROCESS and age > _LOST_AFTER:
                self._lost(running.id)
                if not self._tenancy.deployments_of_project(running.project_id):
                    self._tenancy.discard_unpublished(running.project_id)

    def remove_failed(self) -> None:
        """Delete projects whose first update failed an hour ago or earlier."""
        for project_id in self._records.failed_before(self._clock.now() - _LOST_AFTER):
            self._tenancy.discard_unpublished(project_id)
            self._publisher.sweep_archives(project_id)

    def create(self, project_id: str, origin: str, target: PublishTarget | None = None) -> Update:
        """Create a record for `run`."""
        return self._records.create(self._tenancy.project(project_id).id, origin, target)

    def progress(self, update_id: str) -> UpdateProgress:
        """Return an update's progress, and its report after the end."""
        return self._reports.get(update_id) if self._reports else UpdateProgress()

    def get(self, update_id: str, *, organization_id: str | None = None) -> Update:
        """Return an update; raise NotFound if it is unknown or another organization's."""
        return self._records.get(update_id, organization_id=organization_id)

    def of_project(self, project_id: str, limit: int = 20) -> list[Update]:
        """Return updates of a project, newest first."""
        return self._records.of_project(project_id, limit)

    def run(self, update_id: str, progress: Progress | None = None) -> UpdateOutcome:
        """Run the update in this process to its end. Failures are part of the outcome."""
        try:
            return self._attempt(update_id, progress)
        except OUTAGES as error:
            self._fail(update_id, error.detail)
            return UpdateOutcome(self._records.get(update_id))

    def _attempt(
        self,
        update_id: str,
        progress: Progress | None = None,
        keep_trying: KeepTrying = try_once,
    ) -> UpdateOutcome:
        """Run the update. Raises one of `OUTAGES` if an outage interrupted it."""
        found = self._records.get(update_id)
        if found.status.is_final:
            return UpdateOutcome(self._followed(found))  # in case the previous process died
        report = None
        try:
            if found.status is UpdateStatus.QUEUED:
                self._records.advance(update_id, UpdateStatus.IN_PROGRESS)
            report = self._published(found, progress, keep_trying)
        except OUTAGES:
            raise
        except KeyboardInterrupt:
            self._fail(update_id, "the update was interrupted")
            raise
        except Exception as error:
            self._fail(update_id, failure_reason(_log, "update", update_id, error))
        return UpdateOutcome(self._followed(self._records.get(update_id)), report)

    def _followed(self, ended: Update) -> Update:
        try:
            self._on_ended(ended)
        except OUTAGES:
            raise
        except Exception as error:
            log_failure(_log, f"follow-up work of update {ended.id} failed", error)
        return ended

    def _published(
        self, update: Update, progress: Progress | None, keep_trying: KeepTrying
    ) -> BuildReport:
        """Publish; unless the caller has its own `progress`, store it for clients."""
        reports = self._reports
        if reports is None or progress is not None:
            return self._publisher.publish(update, progress, keep_trying=keep_trying)
        with PeakMemory(lifetime=False) as memory:
            return self._publisher.publish(
                update,
                reports.progress(update.id),
                lambda built: reports.store(
                    update.id, update.project_id, UpdateReport.of(built, memory.sample())
                ),
                keep_trying,
            )

    def _is_run_elsewhere(self, found: Update) -> bool:
        """Report whether the process that created the update runs it or is about to."""
        is_fresh = self._clock.now() - found.created_at < _BEGUN_AFTER
        is_running = found.status is UpdateStatus.IN_PROGRESS
        return found.origin == OWN_PROCESS and (is_running or is_fresh)

    def _run_job(self, context: JobContext, update_id: str) -> None:
        def publish() -> str:
            outcome = self._attempt(update_id, keep_trying=context.keep_trying)
            return outcome.update.status.value

        try:
            context.step("publish", publish)
        except ObjectsUnreachable as error:
            context.keep_trying(partial(self._fail, update_id, error.detail))
        context.keep_trying(lambda: self._end_job(update_id))

    def _end_job(self, update_id: str) -> None:
        ended = self._records.get(update_id)
        level = logging.INFO if ended.status is UpdateStatus.SUCCESS else logging.WARNING
        said = f"{ended.status.value}: {printable(ended.summary or '')}"
        _log.log(level, "update %s of project %s: %s", ended.id, ended.project_id, said)
        self._queue_next_of(ended)

    def _lose_job(self, update_id: str) -> None:
        self._lost(update_id)
        self._end_job(update_id)

    def _lost(self, update_id: str) -> None:
        self._fail(update_id, "the process that ran the update was lost")

    def _fail(self, update_id: str, reason: str) -> None:
        found = self._records.get(update_id)
        if found.status.is_final:  # another process was faster
            return
        self._records.fail(found, reason, self._on_failed)
        if found.target is not None and is_archive(found.target.source):
            self._publisher.sweep_archives(found.project_id)
