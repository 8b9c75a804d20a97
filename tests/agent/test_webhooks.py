"""Webhooks: a program that waits for a job, behind a real server."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_harness import AgentHarness, agent_harness
from chat_server import Reply, chat_server, held
from docstead.base.errors import Conflict, InvalidRequest, NotFound
from docstead.webhooks import DeliveryStatus
from docstead.webhooks.records import WebhookDelivery, WebhookRecords
from webhook_listener import WebhookListener, listening


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AgentHarness]:
    with (
        chat_server() as chat,
        agent_harness(
            tmp_path_factory.mktemp("agent"),
            chat,
            checks_here=True,
            webhook_networks=("127.0.0.0/8",),
            webhook_waits_seconds=(0.1, 0.1, 0.1),
        ) as harness,
    ):
        yield harness


@pytest.fixture
def listener() -> Iterator[WebhookListener]:
    with listening() as listener:
        yield listener


@pytest.fixture
def harness(shared: AgentHarness, tmp_path: Path, listener: WebhookListener) -> AgentHarness:
    """A project whose webhook is the listener."""
    shared.begin_anew(tmp_path)
    shared.agent.webhooks.create(shared.project.id, listener.url)
    return shared


def delivery(harness: AgentHarness) -> WebhookDelivery:
    """The only delivery of the project, once it is no longer pending."""

    def log() -> list[WebhookDelivery]:
        return harness.agent.webhooks.log(harness.project.id)

    return harness.until(
        log, lambda found: found and found[0].status is not DeliveryStatus.PENDING
    )[0]


@pytest.mark.parametrize(
    ("reply", "event"),
    [
        (Reply("Nothing to do."), "agent.job.completed"),
        (Reply(status=402, error="no credit"), "agent.job.failed"),
    ],
)
def test_the_end_of_a_job_is_reported_and_signed(harness, listener, reply, event) -> None:
    harness.says(reply)
    job = harness.run("Look")
    sent = delivery(harness)
    assert sent.status is DeliveryStatus.DELIVERED
    headers, body = listener.received[0]
    payload = json.loads(body)
    assert (payload["type"], payload["id"]) == (event, headers["docstead-delivery"])
    assert payload["job"]["id"] == job.id
    assert payload["job"]["status"] == job.status.value
    assert headers["docstead-event"] == event
    parts = dict(part.split("=", 1) for part in headers["docstead-signature"].split(","))
    secret = harness.agent.webhooks.of_project(harness.project.id)[0].secret
    signed = f"{parts['t']}.".encode() + body
    assert parts["v1"] == hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


def test_only_the_last_of_waiting_turns_is_reported(harness, listener) -> None:
    waiting = threading.Event()
    harness.says(held(waiting, Reply("One.")), Reply("Two."))
    job = harness.start("First")
    harness.follow_up(job, "Second")
    waiting.set()
    harness.ended(job)
    delivery(harness)
    assert [json.loads(body)["turn"]["reply"] for _, body in listener.received] == ["Two."]


def test_it_is_tried_again_until_it_is_taken(harness, listener) -> None:
    listener.statuses = [500, 302, 200]
    harness.says(Reply("Done."))
    harness.run("Look")
    sent = delivery(harness)
    assert sent.status is DeliveryStatus.DELIVERED
    assert [attempt.status for attempt in sent.attempts] == [500, 302, 200]
    assert len({body for _, body in listener.received}) == 1


@pytest.mark.deep
def test_it_is_given_up_and_can_be_tried_by_hand(harness, listener) -> None:
    listener.statuses = [503]
    harness.says(Reply("Done."))
    harness.run("Look")
    sent = delivery(harness)
    assert sent.status is DeliveryStatus.FAILED
    assert [attempt.status for attempt in sent.attempts] == [503] * 4
    listener.statuses = [204]
    harness.agent.webhooks.redeliver(harness.project.id, sent.id)
    again = delivery(harness)
    assert again.status is DeliveryStatus.DELIVERED
    assert [attempt.status for attempt in again.attempts] == [503] * 4 + [204]


def test_private_ip_addresses_are_not_asked_unless_they_are_allowed(harness) -> None:
    webhooks = harness.agent.webhooks
    for webhook in webhooks.of_project(harness.project.id):
        webhooks.remove(harness.project.id, webhook.id)
    with pytest.raises(InvalidRequest, match="DOCSTEAD_WEBHOOK_NETWORKS"):
        webhooks.create(harness.project.id, "http://10.0.0.1/hook")
    # One that was public when it was made.
    records = WebhookRecords(
        harness.services.database, harness.services.clock, harness.services.keyring.vault
    )
    records.create(harness.project.id, "http://10.0.0.1/hook")
    harness.says(Reply("Done."))
    harness.run("Look")
    sent = delivery(harness)
    assert sent.status is DeliveryStatus.FAILED
    assert "not a public address" in sent.attempts[0].error


def test_a_project_has_ten_at_most_and_only_its_own(harness) -> None:
    webhooks = harness.agent.webhooks
    for number in range(9):
        webhooks.create(harness.project.id, f"https://hooks.example.com/{number}")
    with pytest.raises(Conflict, match="at most 10"):
        webhooks.create(harness.project.id, "https://hooks.example.com/more")
    mine = webhooks.of_project(harness.project.id)[0]
    with pytest.raises(NotFound):
        webhooks.remove("prj_other", mine.id)
