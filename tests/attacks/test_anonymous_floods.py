"""Anonymous readers who send long fingerprints and questions: little of them is stored."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator

import pytest

from attacked_service import attacked_service, call
from docstead.assistant.stored_text import stored_name, stored_question
from docstead.limits import policies
from running_service import Service

LONG = "x" * 900_000
LIMIT = 40


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("bounded")
    running = attacked_service(
        folder, address_requests_per_hour=str(LIMIT), trusted_proxies="127.0.0.1"
    )
    running.start()
    yield running
    running.stop()


def ask(service: Service, question: str, **body: object) -> str:
    message = {
        "id": "1",
        "role": "user",
        "content": question,
        "parts": [{"type": "text", "text": question}],
    }
    path = "/discovery/v1/assistant/{}/message"
    sent = {"fp": "anonymous", "messages": [message], **body}
    answer = call(service, "assistant", "POST", path, json=sent)
    assert answer.status_code == 200, answer.text
    return answer.text


def rows(service: Service, query: str) -> list[tuple[str, ...]]:
    with sqlite3.connect(service.data / "docstead.sqlite") as connection:
        return connection.execute(query).fetchall()


def test_long_fingerprints_are_stored_as_their_digest(service: Service) -> None:
    assert "two hours" in ask(service, "How long do elephants sleep?", fp=LONG)
    ((longest,),) = rows(service, "SELECT max(length(fp)) FROM threads")
    assert int(longest) <= 200
    ((known,),) = rows(service, f"SELECT count(*) FROM threads WHERE fp = '{stored_name(LONG)}'")
    assert int(known) == 1


def test_long_questions_are_answered_whole_and_stored_in_part(service: Service) -> None:
    question = f"{'please ' * 20_000}tell how long elephants sleep"
    body = ask(service, question)
    parts = [line for line in body.splitlines() if line.startswith("2:")]
    (thread,) = [
        event["threadId"]
        for part in parts
        for event in json.loads(part[2:])
        if event.get("type") == "finish"
    ]
    found = rows(service, f"SELECT question FROM turns WHERE thread_id = '{thread}'")
    assert found == [(stored_question(question),)]
    assert len(found[0][0]) < 10_100


def test_long_chats_and_feedback_are_bounded(service: Service) -> None:
    message = {"id": "1", "role": "user", "parts": [{"type": "text", "text": "Do they sleep?"}]}
    path = "/discovery/v2/assistant/{}/message"
    sent = {"id": LONG[:300_000], "fp": LONG[:300_000], "messages": [message]}
    answer = call(service, "assistant", "POST", path, json=sent)
    assert answer.status_code == 200, answer.text
    ((longest,),) = rows(service, "SELECT coalesce(max(length(chat)), 0) FROM answers")
    assert int(longest) <= 300


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/discovery/v1/search/{}", {"query": "elephants"}),
        ("POST", "/discovery/v1/page/{}", {"path": "/"}),
        ("POST", "/discovery/v1/events/{}", {"event": "view", "path": "/"}),
        ("GET", "/discovery/v2/assistant/{}/starters", None),
        ("GET", "/discovery/v2/assistant/{}/message/none/stream", None),
        ("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "ping"}),
    ],
)
def test_public_calls_are_limited_by_ip_address(
    service: Service, method: str, path: str, body: object
) -> None:
    def send(ip_address: str) -> int:
        headers = {"X-Forwarded-For": ip_address, "Accept": "application/json, text/event-stream"}
        answer = call(service, "assistant", method, path, json=body, headers=headers)
        if answer.status_code == 429:
            assert list(answer.json()) == ["error"]
            assert answer.headers["RateLimit-Policy"] == f'"address";q={LIMIT};w=3600'
            assert int(answer.headers["Retry-After"]) > 0
        return answer.status_code

    network = f"2001:db8:0:{sum(path.encode()):x}"
    statuses = [send(f"{network}::{number:x}") for number in range(LIMIT + 1)]
    assert 429 not in statuses[:LIMIT]
    assert statuses[LIMIT] == 429
    assert send("192.0.2.77") != 429


def test_a_subscriber_gives_feedback_from_one_network() -> None:
    charges = {policies.page_feedback(f"2001:db8::{host}").bucket for host in ("1", "2")}
    assert len(charges) == 1
    assert policies.page_feedback("2001:db8:0:1::1").bucket not in charges
