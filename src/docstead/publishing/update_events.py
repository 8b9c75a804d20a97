"""Webhook events of updates: an edition was published, or an update failed."""

from __future__ import annotations

from sqlalchemy import Connection, select

from docstead.base.clock import rfc3339
from docstead.publishing.update_records import Update, stored_update
from docstead.storage.schema import deployments
from docstead.webhooks import RecordEvent, WebhookEvent

PUBLISHED = "edition.published"
FAILED = "edition.failed"


class UpdateEvents:
    """Records the events of updates in the transactions that end them."""

    def __init__(self, record: RecordEvent) -> None:
        self._record = record

    def published(self, connection: Connection, done: Update, _edition_id: str) -> None:
        """Record that the edition of an update or a rollback became current."""
        self._ended(connection, done, PUBLISHED)

    def failed(self, connection: Connection, failed: Update) -> None:
        """Record that an update failed, and the previous edition stays current."""
        self._ended(connection, failed, FAILED)

    def _ended(self, connection: Connection, found: Update, event_type: str) -> None:
        ended = stored_update(connection, found.id)
        of_project = select(deployments.c.domain).where(
            deployments.c.project_id == ended.project_id
        )
        domains = connection.execute(of_project.order_by(deployments.c.domain)).scalars().all()
        self._record(connection, _event(ended, event_type, list(domains)))


def _event(ended: Update, event_type: str, domains: list[str]) -> WebhookEvent:
    moment = ended.ended_at or ended.created_at
    return WebhookEvent(
        ended.project_id,
        ended.id,
        event_type,
        moment,
        {
            "domains": domains,
            "editionId": ended.edition_id,
            "update": {
                "_id": ended.id,
                "projectId": ended.project_id,
                "createdAt": rfc3339(ended.created_at),
                "endedAt": rfc3339(moment),
                "status": ended.status.value,
                "summary": ended.summary or "",
                "commit": ended.commit,
            },
        },
    )
