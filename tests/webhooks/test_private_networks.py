"""Private networks that webhooks may reach."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from docstead.app.webhooks import webhooks_of
from docstead.base.errors import InvalidRequest
from docstead.settings import Settings
from docstead.webhooks.records import WebhookRecords


def test_the_setting_and_its_former_name_both_count(
    waiting: tuple[WebhookRecords, str], sqlite_backend: Any, clock: Any
) -> None:
    records, delivery_id = waiting
    project_id = records.webhook(delivery_id.partition(".")[0]).project_id
    settings = Settings(
        webhook_networks=("10.0.0.0/8",), agent_webhook_networks=("192.168.0.0/16",)
    )
    shared: Any = SimpleNamespace(
        database=sqlite_backend.database,
        clock=clock,
        keyring=SimpleNamespace(vault=None),
        settings=settings,
    )
    webhooks = webhooks_of(shared)
    for host in ("10.1.2.3", "192.168.1.2"):
        assert webhooks.create(project_id, f"http://{host}/hook").url == f"http://{host}/hook"
    with pytest.raises(InvalidRequest, match="DOCSTEAD_WEBHOOK_NETWORKS"):
        webhooks.create(project_id, "http://172.16.0.1/hook")
