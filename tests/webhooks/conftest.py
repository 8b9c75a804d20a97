"""A delivery that waits for its first attempt."""

from __future__ import annotations

from typing import Any

import pytest

from docstead.webhooks.records import WebhookRecords
from stored_jobs import waiting_delivery


@pytest.fixture
def waiting(sqlite_backend: Any, clock: Any) -> tuple[WebhookRecords, str]:
    return waiting_delivery(sqlite_backend.database, clock)


@pytest.fixture
def records(waiting: tuple[WebhookRecords, str]) -> WebhookRecords:
    return waiting[0]


@pytest.fixture
def delivery_id(waiting: tuple[WebhookRecords, str]) -> str:
    return waiting[1]
