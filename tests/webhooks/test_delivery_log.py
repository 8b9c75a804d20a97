"""Deliveries in the database: what waits, and what is deleted."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from docstead.webhooks import DeliveryStatus
from docstead.webhooks.records import DeliveryAttempt, WebhookRecords
from manual_clock import ManualClock
from stored_jobs import event_of, waiting_delivery


@pytest.fixture
def waiting(backend: Any, clock: ManualClock) -> tuple[WebhookRecords, str]:
    return waiting_delivery(backend.database, clock)


def test_only_deliveries_without_an_attempt_are_new(
    waiting: tuple[WebhookRecords, str], clock: ManualClock
) -> None:
    records, delivery_id = waiting
    assert records.unattempted() == [delivery_id]
    records.attempted(delivery_id, 1, DeliveryAttempt("2026-11-21T12:00:00Z", 500, None))
    assert records.unattempted() == []
    assert [each.id for each in records.pending()] == [delivery_id]


def test_an_event_is_delivered_once(
    waiting: tuple[WebhookRecords, str], clock: ManualClock
) -> None:
    records, delivery_id = waiting
    records.attempted(delivery_id, 1, DeliveryAttempt("2026-11-21T12:00:00Z", 200, None))
    records.advance(delivery_id, DeliveryStatus.DELIVERED)
    project_id = records.webhook(delivery_id.partition(".")[0]).project_id
    assert records.record_event(event_of(project_id, clock)) == [delivery_id]
    (known,) = records.log(project_id)
    assert (known.status, len(known.attempts)) == (DeliveryStatus.DELIVERED, 1)


@pytest.mark.parametrize("status", [DeliveryStatus.DELIVERED, DeliveryStatus.FAILED])
def test_ended_deliveries_are_deleted_after_90_days(
    waiting: tuple[WebhookRecords, str], clock: ManualClock, status: DeliveryStatus
) -> None:
    records, delivery_id = waiting
    project_id = records.webhook(delivery_id.partition(".")[0]).project_id
    records.record_event(event_of(project_id, clock, "se_2"))
    records.advance(delivery_id, status)
    clock.move_to(clock.now() + timedelta(days=90))
    records.remove_old()
    assert len(records.log(project_id)) == 2
    clock.move_to(clock.now() + timedelta(seconds=1))
    records.remove_old()
    (left,) = records.log(project_id)
    assert (left.id.endswith("se_2"), left.status) == (True, DeliveryStatus.PENDING)
