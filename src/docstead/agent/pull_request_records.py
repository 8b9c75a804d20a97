"""States of pull requests in the database, stored with each of their jobs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, or_, select, update

from docstead.agent.forges.forge import ChangeReport, ChangeState
from docstead.agent.values import PullRequestState
from docstead.base.clock import Clock
from docstead.storage.database import Database
from docstead.storage.schema import agent_jobs

UNKNOWN_STATE = {"pr_state": None, "pr_seen_at": None, "pr_asked_at": None}  # of a job


class PullRequestRecords:
    """States in the database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def record(self, project_id: str, url: str, report: ChangeReport) -> bool:
        """Store the state of a pull request; return False if no job has it.

        A merged one stays merged, because webhooks arrive in any order.
        """
        change = report.change
        state = PullRequestState(change.state, change.draft, change.reviewers, report.etag)
        jobs = _jobs_of(project_id, [url])
        with self._database.transaction() as connection:
            query = select(agent_jobs.c.pr_state).where(*jobs).with_for_update()
            known = [stored_state(value) for value in connection.execute(query).scalars()]
            if not any(each is not None and each.is_final for each in known):
                values = {"pr_state": asdict(state), "pr_seen_at": self._clock.now()}
                connection.execute(update(agent_jobs).where(*jobs).values(values))
        return bool(known)

    def confirm(self, project_id: str, url: str) -> None:
        """Record that a state is unchanged."""
        seen = update(agent_jobs).where(*_jobs_of(project_id, [url]))
        with self._database.transaction() as connection:
            connection.execute(seen.values(pr_seen_at=self._clock.now()))

    def claim(self, project_id: str, urls: Collection[str], before: datetime) -> set[str]:
        """Mark pull requests as being asked about; return those not asked since `before`.

        Each is returned to one caller, of all nodes.
        """
        asked_at = agent_jobs.c.pr_asked_at
        claimed = (
            update(agent_jobs)
            .where(*_jobs_of(project_id, urls), or_(asked_at.is_(None), asked_at <= before))
            .values(pr_asked_at=self._clock.now())
            .returning(agent_jobs.c.pr_link)
        )
        with self._database.transaction() as connection:
            return set(connection.execute(claimed).scalars())


def stored_state(value: dict[str, Any] | None) -> PullRequestState | None:
    """Return the state in a job's row."""
    if value is None:
        return None
    more = {"state": ChangeState(value["state"]), "reviewers": tuple(value["reviewers"])}
    return PullRequestState(**{**value, **more})


def _jobs_of(project_id: str, urls: Collection[str]) -> list[ColumnElement[bool]]:
    return [agent_jobs.c.project_id == project_id, agent_jobs.c.pr_link.in_(urls)]
