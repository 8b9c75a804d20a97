"""Webhooks of two nodes on one PostgreSQL and one bucket."""

from __future__ import annotations

import json
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from chat_server import Reply, Rule, chat_server
from docstead.app.services import open_services
from docstead.settings import Settings
from free_ports import free_port
from running_service import Service
from webhook_listener import WebhookListener, listening

pytestmark = [pytest.mark.deep, pytest.mark.timeout(400)]

SECONDS = 180
NODES = ("first", "second")
STORES = {
    "secret": "a long enough secret that both nodes share",
    "s3_bucket": "docstead",
    "s3_access_key_id": "test-access",
    "s3_secret_access_key": "test-secret-of-the-test-server",
}
DELIVERIES = "SELECT id, status, attempts FROM webhook_deliveries ORDER BY created_at"
SENDERS = (
    "SELECT split_part(workflow_uuid, '#', 1), executor_id"
    " FROM docstead_jobs.workflow_status WHERE starts_with(workflow_uuid, 'wh_')"
)


@dataclass
class TwoNodes:
    """Two running nodes, and a listener for all events of their project."""

    nodes: dict[str, Service]
    listener: WebhookListener
    database_url: str

    def start(self, node: Service, kind: str) -> None:
        """Start an agent job, an export or an update at a node."""
        if kind == "export":
            node.export()
            return
        project = node.facts["projectId"]
        path = f"/v2/agent/{project}/job" if kind == "agent" else f"/v1/project/update/{project}"
        answer = node.admin("POST", path, json={"prompt": "Look."})
        assert answer.is_success, answer.text

    def until(self, is_so: Callable[[], bool]) -> None:
        deadline = time.monotonic() + SECONDS
        while not is_so():
            assert time.monotonic() < deadline, (self.received(), self.deliveries())
            time.sleep(0.1)

    def received(self) -> Counter[str]:
        """Return how often each delivery was received."""
        return Counter(json.loads(body)["id"] for _, body in self.listener.received)

    def deliveries(self) -> list[tuple[str, str, list[dict[str, Any]]]]:
        """Return id, status and attempts of each delivery."""
        return self._rows(DELIVERIES)

    def senders(self) -> dict[str, str]:
        """Return the node that sends each delivery."""
        return dict(self._rows(SENDERS))

    def _rows(self, query: str) -> list[Any]:
        with psycopg.connect(self.database_url) as connection:
            return list(connection.execute(query.encode()).fetchall())


@pytest.fixture
def both(
    tmp_path: Path, postgres_backend: Any, s3_endpoint: str, large_source: Callable[[int], Path]
) -> Iterator[TwoNodes]:
    source, url = large_source(12), postgres_backend.database_url
    with chat_server() as chat, listening() as listener:
        chat.rules = (Rule(lambda _: True, Reply("Nothing to do.")),)
        chosen = STORES | {
            "database_url": url,
            "s3_endpoint": s3_endpoint,
            "model_base_url": chat.url,
            "model_name": "scripted",
            "webhook_networks": "127.0.0.0/8",
        }
        more = [(f"DOCSTEAD_{name.upper()}", value) for name, value in chosen.items()]
        nodes = {
            name: Service(
                source, tmp_path / name, free_port(), more=(*more, ("DOCSTEAD_NODE_ID", name))
            )
            for name in NODES
        }
        try:
            for node in nodes.values():
                node.start()
            with open_services(Settings(data=tmp_path / "third", **chosen)) as services:
                services.agent.webhooks.create(nodes["first"].facts["projectId"], listener.url)
            yield TwoNodes(nodes, listener, url)
        finally:
            for node in nodes.values():
                if node.process is not None and node.process.poll() is None:
                    node.stop()


def test_each_event_of_two_nodes_is_sent_once(both: TwoNodes) -> None:
    for kind in ("agent", "export", "update") * 4:
        for node in both.nodes.values():
            both.start(node, kind)

    def is_all_delivered() -> bool:
        found = both.deliveries()
        kinds = Counter(name.partition(".")[2][:3] for name, _, _ in found)
        statuses = {status for _, status, _ in found}
        return kinds["aj_"] == kinds["se_"] == 8 and kinds["up_"] > 0 and statuses == {"delivered"}

    both.until(is_all_delivered)
    time.sleep(10)  # a second request would arrive meanwhile
    assert both.received() == {name: 1 for name, _, _ in both.deliveries()}
    assert {len(attempts) for _, _, attempts in both.deliveries()} == {1}
    assert set(both.senders().values()) == set(NODES)


@pytest.mark.parametrize("kind", ["agent", "export", "update"])
def test_another_node_sends_what_a_killed_one_was_sending(both: TwoNodes, kind: str) -> None:
    with both.listener.held():
        both.start(both.nodes["first"], kind)
        both.until(lambda: bool(both.received()))
        (delivery_id,) = both.received()
        both.nodes[both.senders()[delivery_id]].stop(signal.SIGKILL)
    both.until(lambda: both.deliveries()[0][1] == "delivered")
    ((_, _, (attempt,)),) = both.deliveries()
    assert (attempt["status"], attempt["requests"]) == (200, 2)
    assert both.received() == {delivery_id: 2}
