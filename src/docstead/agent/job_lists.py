"""Filters and summaries for lists of jobs."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, or_, select

from docstead.agent.states import JobStatus
from docstead.agent.turn_ends import EndReason
from docstead.storage.schema import agent_jobs, agent_turns

CANCELLED = "cancelled"  # an additional filter: failed jobs that were cancelled


@dataclass(frozen=True, slots=True)
class JobFilter:
    """Filter of jobs. `status` is one of the API, "cancelled", or "" for all."""

    status: str = ""
    text: str = ""  # part of the title, branch or creator
    splits_cancelled: bool = True  # "failed" excludes cancelled jobs


@dataclass(frozen=True, slots=True)
class JobSummary:
    """Totals of a job's turns, and the reason why the last one ended."""

    steps: int
    tokens: int
    cost: float
    reason: EndReason | None


def conditions(filters: JobFilter) -> Iterator[ColumnElement[bool]]:
    """Yield the query conditions of a filter."""
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
    """Return a subquery for the end reason of a job's last turn."""
    last = agent_turns.alias()
    query = select(last.c.reason).where(last.c.job_id == agent_jobs.c.id)
    return query.order_by(last.c.position.desc()).limit(1).scalar_subquery()
