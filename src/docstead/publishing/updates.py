"""Publishing as a job: source -> checkout -> build -> objects -> current, in that order.

Failure rule: whatever goes wrong, the edition before stays current and the update ends as
`failure` with the reason, with `file:line:column` where it has a place. A process that
dies leaves its update as it was; running it again starts from the checkout and ends the
same way, because nothing is visible before the last, single transaction.
"""

from __future__ import annotations

import errno
import logging
from dataclasses import dataclass
from datetime import timedelta

from docstead.accounts.tenancy import Tenancy
from docstead.base.clock import Clock
from docstead.base.errors import DocsteadError
from docstead.jobs import JobContext, Jobs
from docstead.publishing.build import BuildReport, Progress
from docstead.publishing.publisher import Publisher
from docstead.publishing.update_records import Update, UpdateRecords, UpdateStatus

KIND = "update"
OWN_PROCESS = "internal"  # the origin of updates that are run by whoever asks for them

_AT_ONCE = 8  # of different projects; how many of them build is decided by `builders.turns`
_LOST_AFTER = timedelta(hours=1)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an update ended; no report where it failed before there was one."""

    update: Update
    report: BuildReport | None = None


class Updates:
    """Publishes projects."""

    def __init__(
        self, records: UpdateRecords, publisher: Publisher, tenancy: Tenancy, clock: Clock
    ) -> None:
        self._records = records
        self._publisher = publisher
        self._tenancy = tenancy
        self._clock = clock
        self._jobs: Jobs | None = None

    def register(self, jobs: Jobs) -> None:
        """Let `jobs` run what `start` queues. Before `jobs.launch()`."""
        jobs.register(KIND, self._run_job, concurrency=_AT_ONCE, on_lost=self._lost)
        jobs.look_after(self.end_lost)
        self._jobs = jobs

    def start(self, project_id: str, origin: str) -> Update:
        """Queue an update of the project; its updates run one after the other.

        Raises:
            NotFound: there is no such project.
        """
        assert self._jobs is not None, "register() comes first"  # noqa: S101
        created = self.create(project_id, origin)
        self._jobs.start(KIND, created.id, partition=project_id)
        return created

    def start_queued(self) -> None:
        """Start what is unfinished and has no job. After `jobs.launch()`.

        A process queued it and died, or the jobs' database was lost.
        """
        assert self._jobs is not None, "register() comes first"  # noqa: S101
        unfinished = [
            *self._records.in_state(UpdateStatus.IN_PROGRESS),
            *self._records.in_state(UpdateStatus.QUEUED),
        ]
        for waiting in unfinished:
            is_own = waiting.origin == OWN_PROCESS and waiting.status is UpdateStatus.IN_PROGRESS
            if not is_own:
                self._jobs.start(KIND, waiting.id, partition=waiting.project_id)

    def end_lost(self) -> None:
        """End what a process was running by itself and has not ended for an hour.

        It is taken for lost: nothing else would ever end it. A project that was
        never shown anywhere goes with it.
        """
        for running in self._records.in_state(UpdateStatus.IN_PROGRESS):
            age = self._clock.now() - running.created_at
            if running.origin == OWN_PROCESS and age > _LOST_AFTER:
                self._lost(running.id)
                if not self._tenancy.deployments_of_project(running.project_id):
                    self._tenancy.discard_unpublished(running.project_id)

    def create(self, project_id: str, origin: str) -> Update:
        """A record for `run`, which the caller does itself."""
        return self._records.create(self._tenancy.project(project_id).id, origin)

    def get(self, update_id: str, *, organization_id: str | None = None) -> Update:
        """The update; that of another organization is NotFound, as an unknown one is."""
        return self._records.get(update_id, organization_id=organization_id)

    def of_project(self, project_id: str, limit: int = 20) -> list[Update]:
        """Newest first."""
        return self._records.of_project(project_id, limit)

    def run(self, update_id: str, progress: Progress | None = None) -> Outcome:
        """Do the update now, in this process, to its end. Failures are in the outcome."""
        found = self._records.get(update_id)
        if found.status.is_final:
            return Outcome(found)
        report = None
        try:
            if found.status is UpdateStatus.QUEUED:
                self._records.advance(update_id, UpdateStatus.IN_PROGRESS)
            report = self._publisher.publish(found, progress)
        except DocsteadError as error:
            self._fail(update_id, error.detail)
        except KeyboardInterrupt:
            self._fail(update_id, "the update was interrupted")
            raise
        except Exception as error:
            _log.exception("update %s failed", update_id)
            self._fail(update_id, _unforeseen(error))
        return Outcome(self._records.get(update_id), report)

    def _run_job(self, context: JobContext, update_id: str) -> None:
        context.step("publish", lambda: self.run(update_id).update.status.value)

    def _lost(self, update_id: str) -> None:
        self._fail(update_id, "the process that ran the update was lost")

    def _fail(self, update_id: str, reason: str) -> None:
        found = self._records.get(update_id)
        if found.status.is_final:  # another process was faster
            return
        logs = [*found.logs, f"Failed: {reason}"]
        values = {"summary": reason, "logs": logs, "ended_at": self._clock.now()}
        self._records.advance(update_id, UpdateStatus.FAILURE, **values)


def _unforeseen(error: Exception) -> str:
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "no space is left on the disk of this machine; free some and publish again"
    return f"the update failed unexpectedly: {type(error).__name__}"
