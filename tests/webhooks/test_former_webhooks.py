"""Webhooks that an earlier version stored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic import command
from sqlalchemy import MetaData, Table, insert

from docstead.base.clock import SystemClock
from docstead.storage.migrating import migration_config
from docstead.storage.schema import (
    agent_jobs,
    agent_turns,
    organizations,
    projects,
    webhook_deliveries,
    webhooks,
)
from docstead.webhooks import EventGroup
from docstead.webhooks.records import WebhookRecords
from manual_clock import ManualClock
from migrated_data import empty_database
from stored_jobs import event_of

NOW = SystemClock().now()
ROWS = (
    (organizations, {"id": "org", "name": "Acme", "plan": "pro"}),
    (projects, {"id": "prj", "organization_id": "org", "name": "A", "source": "/x",
                "source_root": ""}),
    (agent_jobs, {"id": "aj", "project_id": "prj", "organization_id": "org", "status": "completed",
                  "title": "", "repository": "/x", "branch": "b", "model": "m", "draft": False,
                  "started_by": "k", "todos": [], "diff": "", "event_count": 0, "updated_at": NOW}),
    (agent_turns, {"id": "at", "job_id": "aj", "position": 1, "messages": [], "status": "ended",
                   "steps": 0, "input_tokens": 0, "output_tokens": 0, "cost": 0.0}),
    (webhooks, {"id": "wh", "project_id": "prj", "url": "https://x.example", "secret": "s"}),
    (webhook_deliveries, {"id": "wh.at", "webhook_id": "wh", "turn_id": "at", "status": "pending",
                          "event": "agent.job.completed", "body": "{}", "attempts": []}),
)  # fmt: skip


def test_they_report_agent_jobs_only(backend: Any, tmp_path: Path) -> None:
    database = empty_database(backend, tmp_path)
    with database.transaction() as connection:
        command.upgrade(migration_config(connection), "0027")
        for table, values in ROWS:
            former = Table(table.name, MetaData(), autoload_with=connection)
            connection.execute(insert(former).values({"created_at": NOW, **values}))
    database.migrate()
    records = WebhookRecords(database, ManualClock(NOW))
    (webhook,) = records.of_project("prj")
    assert webhook.events == {EventGroup.AGENT}
    assert [each.id for each in records.log("prj")] == ["wh.at"]
    assert records.record_event(event_of("prj", ManualClock(NOW))) == []
    new = records.create("prj", "https://y.example")
    assert records.record_event(event_of("prj", ManualClock(NOW))) == [f"{new.id}.se_1"]
    database.close()
