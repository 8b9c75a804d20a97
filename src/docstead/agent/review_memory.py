"""Requests of reviewers in earlier jobs of a project, so that they need not be made again."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import or_, select

from docstead.agent.turn_ends import EndReason
from docstead.agent.values import COMMENT_TURN, AgentJob
from docstead.storage.database import Database
from docstead.storage.schema import agent_jobs, agent_turns, change_comments

_SHOWN_CHARACTERS = 300


@dataclass(frozen=True)
class ReviewMemory:
    """Remembers comments that led to a change. `count` is how many of them a job is given."""

    database: Database
    count: int

    def before(self, job: AgentJob) -> tuple[str, ...]:
        """Return what reviewers asked for before the job began, the newest first."""
        turns, comments = agent_turns.c, change_comments.c
        is_comment = or_(
            comments.id.is_not(None), turns.id.startswith(COMMENT_TURN, autoescape=True)
        )
        query = (
            select(turns.messages, comments.text, comments.path)
            .join(agent_jobs, agent_jobs.c.id == turns.job_id)
            .outerjoin(change_comments, comments.turn_id == turns.id)
            .where(agent_jobs.c.project_id == job.project_id)
            .where(turns.reason == EndReason.FINISHED, turns.created_at < job.created_at)
            .where(is_comment)
            .order_by(turns.created_at.desc(), turns.id)
            .limit(self.count)
        )
        with self.database.reading() as connection:
            rows = connection.execute(query).all()
        return tuple(_request(row.text or row.messages[-1][1], row.path) for row in rows)


def _request(text: str, path: str | None) -> str:
    words = " ".join(text.split())
    cut = words if len(words) <= _SHOWN_CHARACTERS else f"{words[:_SHOWN_CHARACTERS]}…"
    return f"{path}: {cut}" if path else cut
