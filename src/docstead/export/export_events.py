"""Webhook events of exports."""

from __future__ import annotations

from sqlalchemy import Connection, select

from docstead.base.clock import rfc3339
from docstead.export.records import Export
from docstead.storage.schema import deployments
from docstead.webhooks import RecordEvent, WebhookEvent


class ExportEvents:
    """Records the events of exports in the transactions that end them."""

    def __init__(self, record: RecordEvent) -> None:
        self._record = record

    def ended(self, connection: Connection, export: Export) -> None:
        """Record that an export has completed or failed."""
        query = select(deployments.c.project_id, deployments.c.hostname)
        project_id, hostname = connection.execute(
            query.where(deployments.c.id == export.deployment_id)
        ).one()
        self._record(connection, _event(export, project_id, hostname))


def _event(export: Export, project_id: str, hostname: str) -> WebhookEvent:
    job = {
        "jobId": export.id,
        "status": export.status.value,
        "progress": export.progress,
        "pageCount": export.page_count,
        "createdAt": rfc3339(export.created_at),
        "updatedAt": rfc3339(export.updated_at),
    }
    if export.error is not None:
        job["error"] = export.error
    return WebhookEvent(
        project_id,
        export.id,
        f"export.{export.status.value}",
        export.updated_at,
        {"domain": hostname, "version": export.version or export.edition_id, "export": job},
    )
