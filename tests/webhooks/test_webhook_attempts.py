"""Attempts of webhooks one by one, without a network and without a queue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

from docstead.webhooks import DeliveryStatus, WebhookService
from docstead.webhooks.records import WebhookRecords

DAY_SECONDS = 24 * 60 * 60


class EndlessReceiver:
    """Stands in for the network: answers with a status, and a body without an end."""

    def __init__(self, status: int) -> None:
        self.status = status
        self.read = 0

    @contextmanager
    def post(self, _url: str, _body: bytes, _headers: Mapping[str, str]) -> Iterator[Any]:
        yield SimpleNamespace(status=self.status, blocks=self._blocks())

    def _blocks(self) -> Iterator[bytes]:
        while self.read < 1_000_000:
            self.read += 1_000
            yield bytes(1_000)


class JobList:
    """Stands in for the queue: keeps what is registered and started."""

    def __init__(self) -> None:
        self.concurrency = 0
        self.started: list[tuple[str, float | None]] = []

    def register(
        self, _kind: str, _function: object, *, concurrency: int, on_lost: Any, **_: object
    ) -> None:
        self.concurrency, self.on_lost = concurrency, on_lost

    def run_periodically(self, _task: object) -> None:
        """Run nothing: tests make each attempt."""

    def start(self, _kind: str, attempt: str, *, after_seconds: float | None, **_: object) -> None:
        self.started.append((attempt, after_seconds))


CONTEXT = SimpleNamespace(step=lambda _name, function: function())


def service(records: WebhookRecords, clock: Any, status: int) -> tuple[Any, Any, Any]:
    receiver, jobs = EndlessReceiver(status), JobList()
    made: Any = WebhookService(records, receiver, clock)
    made.register(jobs)
    return made, receiver, jobs


def test_the_queue_is_asked_to_run_eight_attempts_at_once(
    records: WebhookRecords, clock: Any
) -> None:
    _, _, jobs = service(records, clock, 200)
    assert jobs.concurrency == 8


def test_no_more_of_an_answer_is_read_than_10_000_bytes(
    records: Any, delivery_id: str, clock: Any
) -> None:
    webhooks, receiver, _ = service(records, clock, 200)
    webhooks._attempt(CONTEXT, f"{delivery_id}#1")
    assert records.delivery(delivery_id).status is DeliveryStatus.DELIVERED
    assert receiver.read == 11_000  # the block that is too much is the last


def test_it_is_retried_after_10_seconds_then_less_and_less_often_for_two_days(
    records: WebhookRecords, delivery_id: str, clock: Any
) -> None:
    webhooks, _, jobs = service(records, clock, 503)
    webhooks._attempt(CONTEXT, f"{delivery_id}#1")
    for attempt, _ in jobs.started:  # grows with each failure
        webhooks._attempt(CONTEXT, attempt)
    assert records.delivery(delivery_id).status is DeliveryStatus.FAILED
    assert [attempt for attempt, _ in jobs.started] == [
        f"{delivery_id}#{number}" for number in range(2, 10)
    ]
    waits = [seconds for _, seconds in jobs.started]
    assert waits[0] == 10
    assert waits == sorted(set(waits))
    assert 1.75 * DAY_SECONDS < sum(waits) < 2.25 * DAY_SECONDS


def test_an_attempt_that_is_given_up_is_followed_by_the_next(
    records: WebhookRecords, delivery_id: str, clock: Any
) -> None:
    webhooks, _, jobs = service(records, clock, 200)
    for _ in range(3):
        records.begin(delivery_id)
    for _ in range(2):  # it may be reported more than once
        jobs.on_lost(f"{delivery_id}#1")
    (attempt,) = records.delivery(delivery_id).attempts
    assert (attempt.status, attempt.requests) == (None, 3)
    assert set(jobs.started) == {(f"{delivery_id}#2", 10)}
    webhooks._attempt(CONTEXT, f"{delivery_id}#2")
    assert records.delivery(delivery_id).status is DeliveryStatus.DELIVERED


def test_a_removed_delivery_that_is_given_up_is_no_error(
    records: WebhookRecords, clock: Any
) -> None:
    _, _, jobs = service(records, clock, 200)
    jobs.on_lost("wh_1.se_1#1")
    assert jobs.started == []
