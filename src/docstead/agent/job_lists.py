"""Lists of jobs: filters, and a summary of the turns of each job."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, or_, select

from docstead.agent.states import JobStatus
from docstead.agent.values import EndReason
from docstead.storage.schema import agent_jobs, agent_turns

CANCELLED = "cancelled"  # a filter beyond the statuses: failed jobs that somebody cancelled


@dataclass(frozen=True, slots=True)
class JobFilter:
    """Conditions on jobs. `status` is one of the API, "cancelled", or "" for all."""

    status: str = ""
    text: str = ""  # part of the title, the branch or the name of whoever started it
    splits_cancelled: bool = True  # "failed" leaves out cancelled jobs


@dataclass(frozen=True, slots=True)
class JobSummary:
    """Sums over the turns of a job, and the reason for which the last one ended."""

    steps: int
    tokens: int
    cost: float
    reason: EndReason | None


def conditions(filters: JobFilter) -> Iterator[ColumnElement[bool]]:
    """Return the conditions of a query that these filters mean."""
    if filters.status == CANCELLED or (
        filters.status == JobStatus.FAILED and filters.splits_cancelled
    ):
        yield agent_jobs.c.status == JobStatus.FAILED
        is_cancelled = _last_reason() == EndReason.CANCELLED
        yield is_cancelled if filters.status == CANCELLED else ~is_cancelled
    elif filters.status:
        yield agent_jobs.c.status == filters.status
    if filters.text:
        columns = (agent_jobs.c.title, agent_jobs.c.branch, agent_jobs.c.started_by)
        yield or_(*(column.icontains(filters.text, autoescape=True) for column in columns))


def summaries_of(connection: Connection, job_ids: Collection[str]) -> dict[str, JobSummary]:
    """Return the summaries of these jobs, by id."""
    turns = agent_turns.c
    query = (
        select(
            turns.job_id,
            func.sum(turns.steps),
            func.sum(turns.input_tokens + turns.output_tokens),
            func.sum(turns.cost),
            agent_jobs.c.id,
            _last_reason().label("reason"),
        )
        .join(agent_jobs, agent_jobs.c.id == turns.job_id)
        .where(turns.job_id.in_(job_ids))
        .group_by(turns.job_id, agent_jobs.c.id)
    )
    return {row[0]: _summary(row) for row in connection.execute(query)}


def _summary(row: Any) -> JobSummary:
    reason = EndReason(row.reason) if row.reason else None
    return JobSummary(int(row[1]), int(row[2]), float(row[3]), reason)


def _last_reason() -> ColumnElement[Any]:
    """Return the reason of the last turn of the job that the outer query is at."""
    last = agent_turns.alias()
    query = select(last.c.reason).where(last.c.job_id == agent_jobs.c.id)
    return query.order_by(last.c.position.desc()).limit(1).scalar_subquery()
