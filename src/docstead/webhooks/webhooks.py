"""Webhook deliveries as durable jobs: one job per attempt, and a failed one queues the next.

Failure rule: failed deliveries are retried with increasing delays for about two days; then they
stay in the log as failed.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection
from contextlib import suppress
from datetime import datetime, timedelta

from sqlalchemy import Connection

from docstead.base.clock import Clock
from docstead.base.errors import DocsteadError, InvalidRequest, NotFound
from docstead.base.outbound import OutboundClient
from docstead.base.units import HOUR_SECONDS, MINUTE_SECONDS
from docstead.jobs import JobContext, Jobs
from docstead.webhooks.events import EventGroup, WebhookEvent
from docstead.webhooks.records import (
    DeliveryAttempt,
    DeliveryStatus,
    Webhook,
    WebhookDelivery,
    WebhookRecords,
)

KIND = "webhook"
SIGNATURE = "Docstead-Signature"

_AT_ONCE = 8  # organizations in parallel, so that slow webhooks of one do not delay others
_ANSWER_BYTES = 10_000
_WAITS_SECONDS = (
    10, MINUTE_SECONDS, 5 * MINUTE_SECONDS, 30 * MINUTE_SECONDS, 2 * HOUR_SECONDS,
    6 * HOUR_SECONDS, 12 * HOUR_SECONDS, 24 * HOUR_SECONDS,
)  # fmt: skip
_LONGEST_ERROR = 500
_LOST = "the process that sent it ended each time"


class WebhookService:
    """Webhooks of all projects. `waits_seconds` are the delays between attempts."""

    def __init__(
        self,
        records: WebhookRecords,
        outbound: OutboundClient,
        clock: Clock,
    ) -> None:
        self._records = records
        self._outbound = outbound
        self._clock = clock
        self.waits_seconds = _WAITS_SECONDS
        self._jobs: Jobs | None = None

    def register(self, jobs: Jobs) -> None:
        """Register the jobs that make attempts. Call before `jobs.launch()`."""
        jobs.register(
            KIND, self._attempt, concurrency=_AT_ONCE, on_lost=self._lose, is_awaited=False
        )
        jobs.run_periodically(self.start_new)  # commands and dead processes record some, too
        self._jobs = jobs

    def start_queued(self) -> None:
        """Queue deliveries that a dead process left unqueued. Call after `jobs.launch()`."""
        for delivery in self._records.pending():
            self._queue(delivery.id, len(delivery.ended) + 1)

    def start_new(self) -> None:
        """Queue deliveries that wait for their first attempt.

        A process that runs no jobs leaves them to another one, which queues them within a minute.
        """
        if self._jobs is not None:
            for delivery_id in self._records.unattempted():
                self._queue(delivery_id, 1)

    def remove_old(self) -> None:
        """Delete deliveries that have ended and are older than 90 days."""
        self._records.remove_old()

    # --- for maintainers ----------------------------------------------------

    def create(
        self, project_id: str, url: str, events: Collection[EventGroup] = tuple(EventGroup)
    ) -> Webhook:
        """Create a webhook for these groups of events, with a new secret.

        Raises:
            InvalidRequest: there is no event, or the URL is invalid or private.
            Conflict: the project has too many webhooks.
        """
        if not events:
            raise InvalidRequest("choose at least one kind of event")
        try:
            self._outbound.check(url)
        except InvalidRequest as error:
            raise InvalidRequest(f"url: {error.message}") from error
        return self._records.create(project_id, url, events)

    def of_project(self, project_id: str) -> list[Webhook]:
        return self._records.of_project(project_id)

    def remove(self, project_id: str, webhook_id: str) -> None:
        """Remove a webhook.

        Raises:
            NotFound: the project has no such webhook.
        """
        self._records.remove(project_id, webhook_id)

    def log(self, project_id: str) -> list[WebhookDelivery]:
        """Return the latest deliveries of a project, newest first."""
        return self._records.log(project_id)

    def next_attempt_at(self, delivery: WebhookDelivery) -> datetime | None:
        """Return the time of the next retry, or None."""
        done = len(delivery.ended)
        waits = delivery.status is DeliveryStatus.PENDING and done == len(delivery.attempts)
        if not waits or not 0 < done <= len(self.waits_seconds):
            return None
        last = datetime.fromisoformat(delivery.ended[-1].at)
        return last + timedelta(seconds=self.waits_seconds[done - 1])

    def redeliver(self, project_id: str, delivery_id: str) -> None:
        """Attempt a delivery once more, now.

        Raises:
            NotFound: the project has no such delivery, or its webhook was removed.
        """
        delivery = self._records.delivery(delivery_id)
        webhook = self._records.webhook(delivery.webhook_id)
        if webhook.project_id != project_id or webhook.removed_at is not None:
            raise NotFound("there is no such delivery")
        self._records.advance(delivery_id, DeliveryStatus.PENDING)
        self._queue(delivery_id, len(delivery.ended) + 1)

    # --- for events ---------------------------------------------------------

    def record(self, connection: Connection, event: WebhookEvent) -> None:
        """Record an event for the project's webhooks, in the transaction of what it reports.

        Call `start_new` after the transaction.
        """
        self._records.record(connection, event)

    def notify(self, event: WebhookEvent) -> None:
        """Record an event for the project's webhooks, and queue it. Idempotent."""
        for delivery_id in self._records.record_event(event):
            self._queue(delivery_id, 1)

    def _queue(self, delivery_id: str, number: int, after_seconds: float | None = None) -> None:
        assert self._jobs is not None, "register() comes first"  # noqa: S101
        self._jobs.start(
            KIND,
            f"{delivery_id}#{number}",
            partition=self._records.organization_of(delivery_id),
            after_seconds=after_seconds,
        )

    def _attempt(self, context: JobContext, attempt_id: str) -> None:
        delivery_id, number = _parts(attempt_id)
        attempt = context.step("send", lambda: self._sent(delivery_id, number))
        context.step("note", lambda: self._noted(delivery_id, number, attempt))

    def _lose(self, attempt_id: str) -> None:
        """End an attempt whose process died too often; the next one follows as after a failure."""
        delivery_id, number = _parts(attempt_id)
        with suppress(NotFound):  # it was removed meanwhile
            attempts = self._records.delivery(delivery_id).attempts
            requests = sum(each.requests for each in attempts if not each.has_ended)
            lost = DeliveryAttempt(self._records.now(), None, _LOST, max(1, requests))
            self._noted(delivery_id, number, lost)

    def _sent(self, delivery_id: str, number: int) -> DeliveryAttempt | None:
        delivery = self._records.delivery(delivery_id)
        webhook = self._records.webhook(delivery.webhook_id)
        if delivery.status is not DeliveryStatus.PENDING or len(delivery.ended) >= number:
            return None
        if webhook.removed_at is not None:
            return DeliveryAttempt(self._records.now(), None, "the webhook was removed")
        requests = self._records.begin(delivery_id)
        status, failure = None, None
        try:
            status = self._posted(webhook, delivery)
        except DocsteadError as error:
            failure = error.message[:_LONGEST_ERROR]
        return DeliveryAttempt(self._records.now(), status, failure, requests)

    def _posted(self, webhook: Webhook, delivery: WebhookDelivery) -> int:
        body = delivery.body.encode()
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "docstead",
            "Docstead-Event": delivery.event,
            "Docstead-Delivery": delivery.id,
            SIGNATURE: signature(webhook.secret, int(self._clock.now().timestamp()), body),
        }
        with self._outbound.post(webhook.url, body, headers) as answer:
            read = 0
            for block in answer.blocks:
                read += len(block)
                if read > _ANSWER_BYTES:
                    break
            return answer.status

    def _noted(self, delivery_id: str, number: int, attempt: DeliveryAttempt | None) -> None:
        if attempt is None:
            return
        self._records.attempted(delivery_id, number, attempt)
        if attempt.status is not None and 200 <= attempt.status < 300:  # noqa: PLR2004
            self._records.advance(delivery_id, DeliveryStatus.DELIVERED)
        elif number <= len(self.waits_seconds):
            self._queue(delivery_id, number + 1, self.waits_seconds[number - 1])
        else:
            self._records.advance(delivery_id, DeliveryStatus.FAILED)


def _parts(attempt_id: str) -> tuple[str, int]:
    """Return the delivery and the number of an attempt."""
    delivery_id, _, number = attempt_id.rpartition("#")
    return delivery_id, int(number)


def signature(secret: str, timestamp: int, body: bytes) -> str:
    """Return `t=<Unix seconds>,v1=<HMAC-SHA256 of "t.body" in hexadecimal>`."""
    signed = f"{timestamp}.".encode() + body
    digest = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return f"t={timestamp},v1={digest}"
