"""States of pull requests on GitHub and GitLab.

They come with the forge's webhooks. A state that somebody looks at, and that is older than some
minutes, is asked for in the background; until the forge answers, the last known one is shown.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from docstead.accounts.tenancy import Tenancy
from docstead.agent.forges.errors import ForgeNotFound
from docstead.agent.forges.factory import ForgeFactory
from docstead.agent.forges.forge import ChangeReport, Forge, ForgeChange
from docstead.agent.forges.urls import number_of
from docstead.agent.pull_request_records import PullRequestRecords
from docstead.agent.reviews.urls import is_review_url
from docstead.agent.values import AgentJob
from docstead.base.clock import Clock

_log = logging.getLogger(__name__)

_CURRENT_FOR = timedelta(minutes=5)
_PROJECTS_AT_ONCE = 4
_CLOSE_SECONDS = 5.0


class PullRequestStates:
    """Updates the states that jobs show."""

    def __init__(
        self, records: PullRequestRecords, tenancy: Tenancy, forges: ForgeFactory, clock: Clock
    ) -> None:
        self._records = records
        self._tenancy = tenancy
        self._forges = forges
        self._clock = clock
        self._threads: dict[str, threading.Thread] = {}  # by project
        self._lock = threading.Lock()
        self._is_closing = threading.Event()

    def receive(self, project_id: str, change: ForgeChange) -> bool:
        """Store a state that the forge sent; return False if no job has this pull request."""
        return self._records.record(project_id, change.url, ChangeReport(change))

    def refresh(self, project_id: str, jobs: Iterable[AgentJob]) -> bool:
        """Ask for outdated states of these jobs in the background.

        Returns whether a forge is being asked, so that there may be something new soon.
        """
        before = self._clock.now() - _CURRENT_FOR
        outdated = [job for job in jobs if _is_outdated(job, before)]
        with self._lock:
            is_free = project_id not in self._threads and len(self._threads) < _PROJECTS_AT_ONCE
            if outdated and is_free and not self._is_closing.is_set():
                thread = threading.Thread(
                    target=self._ask,
                    args=(project_id, outdated, before),
                    name="pull-requests",
                    daemon=True,
                )
                self._threads[project_id] = thread
                thread.start()
            return project_id in self._threads

    def wait(self, seconds: float) -> None:
        """Wait until no forge is being asked, but no longer than this."""
        deadline = time.monotonic() + seconds
        for thread in list(self._threads.values()):
            thread.join(max(0.0, deadline - time.monotonic()))

    def close(self) -> None:
        """Stop asking, after the current request."""
        self._is_closing.set()
        self.wait(_CLOSE_SECONDS)

    def _ask(self, project_id: str, jobs: Sequence[AgentJob], before: datetime) -> None:
        try:
            by_url = {job.pr_link: job for job in jobs if job.pr_link}
            claimed = self._records.claim(project_id, by_url, before)
            if claimed:
                self._update(project_id, [by_url[url] for url in by_url if url in claimed])
        except Exception as error:  # the states stay as they are
            _log.warning("pull requests of %s were not updated: %s", project_id, error)
        finally:
            with self._lock:
                del self._threads[project_id]

    def _update(self, project_id: str, jobs: Sequence[AgentJob]) -> None:
        """Ask for states, one after another; an unavailable forge ends this."""
        forge = self._forges.of(self._tenancy.project(project_id))
        for job in jobs if forge.kind.has_pull_requests else ():
            if self._is_closing.is_set():
                return
            try:
                self._update_one(forge, job)
            except ForgeNotFound as error:
                _log.warning("the pull request of %s was not found: %s", job.id, error)

    def _update_one(self, forge: Forge, job: AgentJob) -> None:
        url = job.pr_link or ""
        number = number_of(url)
        if number is None:
            return
        report = forge.report(number, job.pr_state.etag if job.pr_state else "")
        if report is None:
            self._records.confirm(job.project_id, url)
        elif report.change.branch == job.branch:  # otherwise the project has another repository
            self._records.record(job.project_id, url, report)


def _is_outdated(job: AgentJob, before: datetime) -> bool:
    if job.pr_link is None or is_review_url(job.pr_link):
        return False
    if job.pr_state is not None and job.pr_state.is_final:
        return False
    return all(at is None or at <= before for at in (job.pr_seen_at, job.pr_asked_at))
