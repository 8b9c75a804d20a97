"""Webhooks of a process that ends between a request and the record of its answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from docstead.jobs.context import JobInterrupted
from docstead.webhooks import DeliveryStatus, WebhookService
from docstead.webhooks.records import WebhookRecords


class Receiver:
    """Stands in for the network; answers each request with 200."""

    def __init__(self) -> None:
        self.deliveries: list[str] = []

    @contextmanager
    def post(self, _url: str, _body: bytes, headers: Mapping[str, str]) -> Iterator[Any]:
        self.deliveries.append(headers["Docstead-Delivery"])
        yield SimpleNamespace(status=200, blocks=[b"ok"])


class StepContext:
    """Runs each step of a job; the process ends after the step `dies_after`."""

    def __init__(self, dies_after: str = "") -> None:
        self._dies_after = dies_after

    def step(self, name: str, function: Callable[[], object]) -> object:
        result = function()
        if name == self._dies_after:
            raise JobInterrupted
        return result


def test_a_request_that_was_sent_twice_is_one_attempt_that_says_so(
    records: WebhookRecords, delivery_id: str, clock: Any
) -> None:
    receiver = Receiver()
    service: Any = WebhookService(records, receiver, clock)
    with pytest.raises(JobInterrupted):
        service._attempt(StepContext(dies_after="send"), f"{delivery_id}#1")
    pending = records.delivery(delivery_id)
    assert [attempt.has_ended for attempt in pending.attempts] == [False]
    assert service.next_attempt_at(pending) is None
    service._attempt(StepContext(), f"{delivery_id}#1")
    delivered = records.delivery(delivery_id)
    assert delivered.status is DeliveryStatus.DELIVERED
    assert [(each.status, each.requests) for each in delivered.attempts] == [(200, 2)]
    assert receiver.deliveries == [delivered.id] * 2
