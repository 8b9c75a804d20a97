"""Publishing as a job: source -> checkout -> build -> objects -> current, in that order.

Failure rule: after any failure the previous edition stays current and the update ends as
`failure` with the reason, with `file:line:column` where it has a place. A process that
dies leaves its update as it was; running it again starts from the checkout and ends the
same way, because nothing is visible before the last, single transaction. A job waits for a
database or an object store that is away, and goes on.
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
from docstead.base.errors import OUTAGES, Conflict, DocsteadError, ObjectsUnreachable
from docstead.base.machine import is_full_disk
from docstead.base.memory import PeakMemory
from docstead.jobs import JobContext, Jobs
from docstead.jobs.fair_shares import fair_share
from docstead.jobs.outage_retries import KeepTrying, try_once
from docstead.publishing.archive_sources import is_archive
from docstead.publishing.build import BuildReport, Progress
from docstead.publishing.builders.task_slots import LARGE
from docstead.publishing.publisher import Publisher
from docstead.publishing.targets import PublishTarget
from docstead.publishing.update_records import Update, UpdateRecords, UpdateStatus
from docstead.publishing.update_reports import UpdateProgress, UpdateReport, UpdateReports

KIND = "update"
OWN_PROCESS = "internal"  # the origin of updates that are run by whoever asks for them
COMMAND = "command"  # the origin of updates that the service runs for a command

# Of different projects; how many of them build is decided by `builders.turns`.
_LARGE_KIND = f"{KIND}-large"
_AT_ONCE = {KIND: 8, _LARGE_KIND: 2}
_LOOKED_AT = 100  # waiting projects of one organization
_LOST_AFTER = timedelta(hours=1)
_BEGUN_AFTER = timedelta(minutes=1)  # by the process that creates an update for itself

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class UpdateOutcome:
    """Result of an update; without a report if it failed early."""

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
        on_published: Callable[[Update], object] = lambda _: None,
    ) -> None:
        """`on_published` is called after each successful update."""
        self._on_published = on_published
        self._records = records
        self._publisher = publisher
        self._tenancy = tenancy
        self._clock = clock
        self._reports = reports
        self._jobs: Jobs | None = None

    def register(self, jobs: Jobs) -> None:
        """Let `jobs` run what `start` queues. Before `jobs.launch()`."""
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

        `target` is published in place of the project's own source, and becomes it.

        Raises:
            NotFound: there is no such project.
        """
        created = self.create(project_id, origin, target)
        self._queue_next_of(created)
        return created

    def start_queued(self) -> None:
        """Start what is unfinished and has no job. After `jobs.launch()`.

        A process queued it and died, or the jobs' database was lost.
        """
        self._queue_all()

    def start_waiting(self) -> None:
        """Start updates that wait for one whose process died before it could start them."""
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
        """Let the jobs run the oldest update of each project, as many as may be under way.

        The next ones are queued when one has ended. Small updates are counted and run on their
        own, so that none waits for a large one.
        """
        assert self._jobs is not None, "register() comes first"  # noqa: S101
        left = self._share()
        for each in self._oldest_of_projects(organization_id)[:_LOOKED_AT]:
            is_large = self._records.page_count(each.project_id) >= LARGE
            kind = _LARGE_KIND if is_large else KIND
            if left[kind] > 0:
                left[kind] -= 1
                with suppress(Conflict):  # it is queued already, as one of the other size
                    self._jobs.start(kind, each.id)
            if not any(left.values()):
                return

    def _share(self) -> dict[str, int]:
        """Return how many updates of each kind one organization may have under way."""
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
        """End updates that a process ran outside of jobs and that have not ended for an hour.

        It is taken for lost: nothing else would ever end it. A project that was
        never shown anywhere goes with it.
        """
        for running in self._records.in_state(UpdateStatus.IN_PROGRESS):
            age = self._clock.now() - running.created_at
            if running.origin == OWN_PROCESS and age > _LOST_AFTER:
                self._lost(running.id)
                if not self._tenancy.deployments_of_project(running.project_id):
                    self._tenancy.discard_unpublished(running.project_id)

    def remove_failed(self) -> None:
        """Remove projects whose first update failed an hour ago; until then it can be read."""
        for project_id in self._records.failed_before(self._clock.now() - _LOST_AFTER):
            self._tenancy.discard_unpublished(project_id)
            self._publisher.sweep_archives(project_id)

    def create(self, project_id: str, origin: str, target: PublishTarget | None = None) -> Update:
        """A record for `run`, which the caller does itself."""
        return self._records.create(self._tenancy.project(project_id).id, origin, target)

    def progress(self, update_id: str) -> UpdateProgress:
        """The progress of an update, and its report once it has ended."""
        return self._reports.get(update_id) if self._reports else UpdateProgress()

    def get(self, update_id: str, *, organization_id: str | None = None) -> Update:
        """The update; that of another organization is NotFound, as an unknown one is."""
        return self._records.get(update_id, organization_id=organization_id)

    def of_project(self, project_id: str, limit: int = 20) -> list[Update]:
        """Newest first."""
        return self._records.of_project(project_id, limit)

    def run(self, update_id: str, progress: Progress | None = None) -> UpdateOutcome:
        """Do the update now, in this process, to its end. Failures are in the outcome."""
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
        """Run the update. Raises one of `OUTAGES` where it was interrupted by one."""
        found = self._records.get(update_id)
        if found.status.is_final:
            return UpdateOutcome(self._followed(found))  # a process may have died before it did
        report = None
        try:
            if found.status is UpdateStatus.QUEUED:
                self._records.advance(update_id, UpdateStatus.IN_PROGRESS)
            report = self._published(found, progress, keep_trying)
        except OUTAGES:
            raise
        except DocsteadError as error:
            self._fail(update_id, error.detail)
        except KeyboardInterrupt:
            self._fail(update_id, "the update was interrupted")
            raise
        except Exception as error:
            _log.exception("update %s failed", update_id)
            self._fail(update_id, _unforeseen(error))
        return UpdateOutcome(self._followed(self._records.get(update_id)), report)

    def _followed(self, ended: Update) -> Update:
        if ended.status is UpdateStatus.SUCCESS:
            try:
                self._on_published(ended)
            except OUTAGES:
                raise
            except Exception:
                _log.exception("what follows update %s failed", ended.id)
        return ended

    def _published(
        self, wanted: Update, progress: Progress | None, keep_trying: KeepTrying
    ) -> BuildReport:
        """Publish; without `progress` of the caller's own, store it for others to follow."""
        reports = self._reports
        if reports is None or progress is not None:
            return self._publisher.publish(wanted, progress, keep_trying=keep_trying)
        with PeakMemory(lifetime=False) as memory:
            return self._publisher.publish(
                wanted,
                reports.progress(wanted.id),
                lambda built: reports.store(
                    wanted.id, wanted.project_id, UpdateReport.of(built, memory.sample())
                ),
                keep_trying,
            )

    def _is_run_elsewhere(self, found: Update) -> bool:
        """Whether the process that created it runs it, or is about to."""
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
        context.keep_trying(lambda: self._queue_next_of(self._records.get(update_id)))

    def _lose_job(self, update_id: str) -> None:
        self._lost(update_id)
        self._queue_next_of(self._records.get(update_id))

    def _lost(self, update_id: str) -> None:
        self._fail(update_id, "the process that ran the update was lost")

    def _fail(self, update_id: str, reason: str) -> None:
        found = self._records.get(update_id)
        if found.status.is_final:  # another process was faster
            return
        logs = [*found.logs, f"Failed: {reason}"]
        values = {"summary": reason, "logs": logs, "ended_at": self._clock.now()}
        self._records.advance(update_id, UpdateStatus.FAILURE, **values)
        if found.target is not None and is_archive(found.target.source):
            self._publisher.sweep_archives(found.project_id)


def _unforeseen(error: Exception) -> str:
    if is_full_disk(error):
        return "no space is left on the disk of this machine; free some and publish again"
    return f"the update failed unexpectedly: {type(error).__name__}"
