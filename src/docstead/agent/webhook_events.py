"""Webhook events of agent jobs."""

from __future__ import annotations

from docstead.agent.states import JobStatus
from docstead.agent.values import AgentJob, Turn
from docstead.base.clock import rfc3339
from docstead.webhooks import WebhookEvent


def job_event(job: AgentJob, turn: Turn, status: JobStatus) -> WebhookEvent:
    """Return the event of a job that has ended with `turn`.

    `status` is the status after the turn, even if it has changed since.
    """
    end = turn.end
    return WebhookEvent(
        job.project_id,
        turn.id,
        f"agent.job.{status.value}",
        turn.ended_at or turn.created_at,
        {
            "job": {
                "id": job.id,
                "status": status.value,
                "source": {"repository": job.repository, "ref": job.branch},
                "model": job.model,
                "prLink": job.pr_link,
                "createdAt": rfc3339(job.created_at),
                "archivedAt": rfc3339(job.archived_at) if job.archived_at else None,
            },
            "turn": {
                "position": turn.position,
                "reason": end.reason.value if end else None,
                "reply": end.reply if end else None,
                "error": end.error if end else None,
                "commit": turn.commit,
                "cost": turn.cost,
            },
        },
    )
