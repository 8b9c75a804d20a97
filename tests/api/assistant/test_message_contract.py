"""Fields of the message endpoint: accepted and refused values."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from docstead.api.assistant.protocols.v1 import DataStreamRequest
from docstead.base.features import ALL_FEATURES
from docstead.base.units import MIB
from docstead.storage.schema import turns

PATH = "/discovery/v1/assistant/parcelo/message"
Body = Callable[..., dict[str, Any]]

TEXT = {"type": "text", "text": "How do I create an API key?"}
CALL = {"toolCallId": "c1", "toolName": "search", "args": {"q": 1}}


def message(**changes: Any) -> dict[str, Any]:
    fields = {"id": "m1", "role": "user", "content": TEXT["text"], "parts": [TEXT], **changes}
    return {name: value for name, value in fields.items() if value is not ...}


def part(**fields: Any) -> dict[str, Any]:
    return {"messages": [message(parts=[fields])]}


def tool(**fields: Any) -> dict[str, Any]:
    return part(type="tool-invocation", toolInvocation=fields)


def reasoning(details: Any) -> dict[str, Any]:
    return part(type="reasoning", reasoning="because", details=details)


ACCEPTED: dict[str, dict[str, Any]] = {
    "nothing but what is required": {},
    "a named user": {"fp": "user-42"},
    "thread null": {"threadId": None},
    "thread empty": {"threadId": ""},
    "thread blank": {"threadId": " "},
    "filter null": {"filter": None},
    "filter empty": {"filter": {}},
    "filter with both": {"filter": {"version": "v2", "language": "en"}},
    "filter with more": {"filter": {"version": None, "groups": ["a"]}},
    "page size 1": {"retrievalPageSize": 1},
    "page size 50": {"retrievalPageSize": 50},
    "page size below": {"retrievalPageSize": -3},
    "page size above": {"retrievalPageSize": 1e9},
    "page size not whole": {"retrievalPageSize": 2.5},
    "context empty": {"context": []},
    "context code": {"context": [{"type": "code", "value": "x = 1"}]},
    "context whole": {
        "context": [{"type": "textSelection", "value": "a", "path": "/p", "elementId": "e"}]
    },
    "path of 200 characters": {"currentPath": "/" + "é" * 199},
    "path empty": {"currentPath": ""},
    "unknown keys on top": {"id": "chat-1", "data": {"a": 1}, "x": None},
    "roles": {
        "messages": [
            message(id="1", role="system", content="Be nice."),
            message(id="2", role="data", content="{}"),
            message(id="3"),
            message(id="4", role="assistant", content="", parts=[]),
        ]
    },
    "content empty": {"messages": [message(content="")]},
    "parts empty": {"messages": [message(parts=[])]},
    "unknown keys on a message": {
        "messages": [message(revisionId="r", reasoning="x", toolInvocations=[], data=None)]
    },
    "created": {"messages": [message(createdAt="2026-11-21T12:00:00.000Z")]},
    "created elsewhere": {"messages": [message(createdAt="2026-11-21T12:00:00+02:00")]},
    "annotations": {"messages": [message(annotations=[None, 1, "a", {"type": "finish"}])]},
    "attachment": {"messages": [message(experimental_attachments=[{"url": "data:,x"}])]},
    "attachment whole": {
        "messages": [
            message(
                experimental_attachments=[
                    {"url": "https://a/b", "name": "b", "contentType": "image/png"}
                ]
            )
        ]
    },
    "part step-start": part(type="step-start"),
    "part reasoning": reasoning([]),
    "part reasoning details": reasoning(
        [
            {"type": "text", "text": "a"},
            {"type": "text", "text": "a", "signature": "s"},
            {"type": "redacted", "data": "d"},
        ]
    ),
    "part source": part(type="source", source={"sourceType": "url", "id": "1", "url": "u"}),
    "part source with more": part(
        type="source",
        source={"sourceType": "url", "id": "1", "url": "u", "title": "t", "providerMetadata": {}},
    ),
    "part file": part(type="file", mimeType="image/png", data="aGk="),
    "tool partial": tool(state="partial-call", toolCallId="c", toolName="t"),
    "tool partial with args": tool(state="partial-call", **CALL, step=0),
    "tool call": tool(state="call", **CALL, step=1),
    "tool call with args null": tool(state="call", toolCallId="c", toolName="t", args=None),
    "tool result": tool(state="result", **CALL, result={"found": []}),
    "tool result null": tool(state="result", **CALL, result=None),
    "200 messages": {"messages": [message(id=str(n)) for n in range(200)]},
    "a system message alone": {"messages": [message(role="system")]},
    "an answer alone": {"messages": [message(role="assistant")]},
    "data alone": {"messages": [message(role="data")]},
    "page size null": {"retrievalPageSize": None},
    "context null": {"context": None},
    "path null": {"currentPath": None},
    "an answer at the end": {
        "messages": [message(), message(id="2", role="assistant", content="Open")]
    },
    "controls": {
        "fp": "a\x01\x1b[31m",
        "messages": [message(content="\u202eA\u202d key?\x07\x9b")],
    },
    "groups": {"filter": {"groups": ["staff"]}},
    "a chat": {"id": "x" * 5000},
    "zero bytes": {"fp": "a\x00b", "currentPath": "/\x00", "messages": [message(content="a\x00")]},
}

REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no fp": ({"fp": ...}, "fp"),
    "fp null": ({"fp": None}, "fp"),
    "fp a number": ({"fp": 7}, "fp"),
    "no messages": ({"messages": ...}, "messages"),
    "messages null": ({"messages": None}, "messages"),
    "messages an object": ({"messages": {}}, "messages"),
    "messages empty": ({"messages": []}, "messages"),
    "message a string": ({"messages": ["hi"]}, "messages.0"),
    "message without id": ({"messages": [message(id=...)]}, "messages.0.id"),
    "message without role": ({"messages": [message(role=...)]}, "messages.0.role"),
    "message without content": ({"messages": [message(content=...)]}, "messages.0.content"),
    "message without parts": ({"messages": [message(parts=...)]}, "messages.0.parts"),
    "id a number": ({"messages": [message(id=1)]}, "messages.0.id"),
    "part type null": (part(type=None), "parts.0.type: must be one of 'text', 'reasoning', "),
    "part type null as it was sent": (part(type=None), "not null"),
    "part type an array": (part(type=[]), "not an array"),
    "role unknown": ({"messages": [message(role="tool")]}, "messages.0.role"),
    "role null": ({"messages": [message(role=None)]}, "messages.0.role"),
    "content null": ({"messages": [message(content=None)]}, "messages.0.content"),
    "parts null": ({"messages": [message(parts=None)]}, "messages.0.parts"),
    "second message": ({"messages": [message(), message(role="x")]}, "messages.1.role"),
    "created not a date": ({"messages": [message(createdAt="soon")]}, "messages.0.createdAt"),
    "created without zone": (
        {"messages": [message(createdAt="2026-11-21T12:00:00")]},
        "messages.0.createdAt",
    ),
    "created a number": ({"messages": [message(createdAt=1)]}, "messages.0.createdAt"),
    "annotations an object": ({"messages": [message(annotations={})]}, "messages.0.annotations"),
    "attachment without url": (
        {"messages": [message(experimental_attachments=[{"name": "a"}])]},
        "experimental_attachments.0.url",
    ),
    "attachment name a number": (
        {"messages": [message(experimental_attachments=[{"url": "a", "name": 1}])]},
        "experimental_attachments.0.name",
    ),
    "part without type": (part(text="a"), "messages.0.parts.0.type is required"),
    "part unknown": (part(type="video"), "messages.0.parts.0.type: must be one of 'text', "),
    "part text without text": (part(type="text"), "messages.0.parts.0.text is"),
    "part text a number": (part(type="text", text=1), "text"),
    "part reasoning without text": (part(type="reasoning", details=[]), "reasoning"),
    "part reasoning without details": (part(type="reasoning", reasoning="a"), "details"),
    "detail unknown": (reasoning([{"type": "image"}]), "details.0"),
    "detail text without text": (reasoning([{"type": "text"}]), "details.0"),
    "detail redacted without data": (reasoning([{"type": "redacted"}]), "0.details.0.data is"),
    "part source without source": (part(type="source"), "messages.0.parts.0.source is"),
    "source of another type": (
        part(type="source", source={"sourceType": "file", "id": "1", "url": "u"}),
        "sourceType",
    ),
    "source without its type": (
        part(type="source", source={"id": "1", "url": "u"}),
        "parts.0.source.sourceType is",
    ),
    "source without id": (
        part(type="source", source={"sourceType": "url", "url": "u"}),
        "parts.0.source.id is",
    ),
    "source without url": (part(type="source", source={"sourceType": "url", "id": "1"}), "url"),
    "part tool without invocation": (part(type="tool-invocation"), "toolInvocation"),
    "tool without state": (tool(**CALL), "toolInvocation"),
    "tool state unknown": (tool(state="done", **CALL), "toolInvocation"),
    "tool call without args": (tool(state="call", toolCallId="c", toolName="t"), "args"),
    "tool call without id": (tool(state="call", toolName="t", args=1), "toolCallId"),
    "tool call without name": (tool(state="call", toolCallId="c", args=1), "toolName"),
    "tool result without result": (tool(state="result", **CALL), "result"),
    "tool result without args": (
        tool(state="result", toolCallId="c", toolName="t", result=1),
        "toolInvocation.args is",
    ),
    "tool step a string": (
        tool(state="call", **CALL, step="1"),
        "messages.0.parts.0.toolInvocation.step:",
    ),
    "thread a number": ({"threadId": 5}, "threadId"),
    "page size a string": ({"retrievalPageSize": "5"}, "retrievalPageSize"),
    "page size a truth value": ({"retrievalPageSize": True}, "retrievalPageSize"),
    "filter a string": ({"filter": "v1"}, "filter"),
    "filter version a number": ({"filter": {"version": 1}}, "filter.version"),
    "filter language a list": ({"filter": {"language": ["en"]}}, "filter.language"),
    "context an object": ({"context": {}}, "context"),
    "context without type": ({"context": [{"value": "a"}]}, "context.0.type"),
    "context of another type": ({"context": [{"type": "image", "value": "a"}]}, "context.0.type"),
    "context without value": ({"context": [{"type": "code"}]}, "context.0.value"),
    "context path a number": (
        {"context": [{"type": "code", "value": "a", "path": 1}]},
        "context.0.path",
    ),
    "path of 201 characters": ({"currentPath": "/" * 201}, "currentPath"),
    "path a number": ({"currentPath": 1}, "currentPath"),
}


@pytest.mark.parametrize("case", ACCEPTED)
def test_accepted(client: TestClient, body: Body, case: str) -> None:
    response = client.post(PATH, json=body(**ACCEPTED[case]))
    assert response.status_code == 200, response.text
    assert response.text.splitlines()[-1].startswith("d:")


@pytest.mark.parametrize("case", REFUSED)
def test_refused_by_name(client: TestClient, body: Body, case: str) -> None:
    changes, field = REFUSED[case]
    response = client.post(PATH, json=body(**changes))
    assert response.status_code == 400, response.text
    assert response.json().keys() == {"error"}
    assert field in response.json()["error"]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"   ",
        b"{",
        b"[]",
        b'"text"',
        b"null",
        b'{"fp": "a", "messages": NaN}',
        b'{"fp": "\xff", "messages": []}',
        b'{"fp": "\\ud800", "messages": []}',
        b"[" * 100_000,
        b'{"fp": "a", "messages": [], "retrievalPageSize": 1e999}',
        b'{"fp": "a", "messages": [], "retrievalPageSize": NaN}',
    ],
)
def test_a_body_that_is_no_such_object_is_refused(client: TestClient, raw: bytes) -> None:
    response = client.post(PATH, content=raw, headers={"content-type": "application/json"})
    assert response.status_code == 400
    assert response.json().keys() == {"error"}


@pytest.mark.parametrize("content_type", [None, "text/plain", "application/json; charset=utf-8"])
def test_the_declared_type_of_the_body_does_not_matter(
    client: TestClient, body: Body, content_type: str | None
) -> None:
    headers = {"content-type": content_type} if content_type else {}
    response = client.post(PATH, content=json.dumps(body()), headers=headers)
    assert response.status_code == 200


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (rb"cut \ud83d", "cut \ufffd"),
        (rb"cut \uDE00 here", "cut \ufffd here"),
        (rb"\ud83d\ud83d\ude00", "\ufffd\U0001f600"),
        (rb"\\ud83d \"\ud83d\ude00\"", '\\ud83d "\U0001f600"'),
    ],
)
def test_half_characters_are_replaced(
    client: TestClient, house: Any, sent: bytes, kept: str
) -> None:
    raw = json.dumps({"fp": "anonymous", "messages": [message(content="?")]}).encode()
    response = client.post(PATH, content=raw.replace(b'"?"', b'"%b"' % sent))
    assert response.status_code == 200, response.text
    with house.database.reading() as connection:
        assert connection.execute(select(turns.c.question)).scalar_one() == kept


def test_a_body_of_almost_four_megabytes_is_read(client: TestClient, body: Body) -> None:
    large = body(context=[{"type": "code", "value": "x" * (4 * MIB - 2000)}])
    assert client.post(PATH, json=large).status_code == 200


@pytest.mark.parametrize("size", [4 * MIB + 1, 15 * MIB])
def test_a_larger_body_is_too_large(client: TestClient, body: Body, size: int) -> None:
    response = client.post(PATH, json=body(data="x" * size))
    assert response.status_code == 413
    assert response.json().keys() == {"error"}
    assert "leave out earlier messages" in response.json()["error"]


@pytest.mark.parametrize(("size", "status"), [(8 * MIB - 99, 200), (8 * MIB + 99, 413)])
def test_attachments_have_room_beside_the_body(
    client: TestClient, body: Body, size: int, status: int
) -> None:
    picture = "data:image/png;base64," + base64.b64encode(bytes(size)).decode()
    asked = message(experimental_attachments=[{"url": picture, "contentType": "image/png"}])
    response = client.post(PATH, json=body(messages=[asked]))
    assert response.status_code == status
    if status != 200:
        assert "attachments" in response.json()["error"]


def test_an_attachment_makes_no_room_for_other_words(client: TestClient, body: Body) -> None:
    asked = message(experimental_attachments=[{"url": "data:text/plain," + "x" * 2 * MIB}])
    response = client.post(PATH, json=body(messages=[asked], data="x" * (4 * MIB + 1)))
    assert response.status_code == 413
    assert "without attachments; leave out earlier messages" in response.json()["error"]


def test_a_long_history_goes_on_without_its_oldest_messages(client: TestClient, body: Body) -> None:
    asked = [message(id=str(n), content=f"Question {n}") for n in range(1_001)]
    question = DataStreamRequest.model_validate_json(json.dumps(body(messages=asked))).question()
    assert [each.text for each in question.messages] == [f"Question {n}" for n in range(801, 1_001)]
    assert question.asked == 1_001
    assert client.post(PATH, json=body(messages=asked)).status_code == 200


class TestKeys:
    @pytest.mark.parametrize(
        "header", [None, "", "Bearer", "Bearer nonsense", "Basic abc", "Bearer svc_dsc_" + "x" * 38]
    )
    def test_no_good_key(self, house: Any, body: Body, header: str | None) -> None:
        headers = {"authorization": header} if header is not None else {}
        response = TestClient(house.app()).post(PATH, json=body(), headers=headers)
        assert response.status_code == 401
        assert response.json().keys() == {"error"}

    @pytest.mark.parametrize("scheme", ["Basic", "Token", "Bearer:", ""])
    def test_a_good_key_in_another_scheme(self, house: Any, body: Body, scheme: str) -> None:
        headers = {"authorization": f"{scheme} {house.key()}"}
        response = TestClient(house.app()).post(PATH, json=body(), headers=headers)
        assert response.status_code == 401

    def test_a_key_is_asked_for_before_the_body_is_read(self, house: Any) -> None:
        assert TestClient(house.app()).post(PATH, content=b"{").status_code == 401

    def test_an_admin_key_is_of_the_wrong_kind(self, house: Any, body: Body) -> None:
        assert self.status(house, body, house.admin_key()) == 401

    def test_an_expired_key(self, house: Any, body: Body) -> None:
        key = house.key(expires_at=house.clock.now() + timedelta(days=1))
        assert self.status(house, body, key) == 200
        house.clock.move_to(house.clock.now() + timedelta(days=2))
        assert self.status(house, body, key) == 401

    def test_a_key_from_the_wrong_address(self, house: Any, body: Body) -> None:
        key = house.key(allowlist=["203.0.113.0/24"])
        assert self.status(house, body, key) == 403

    def test_the_key_of_another_deployment(self, house: Any, body: Body) -> None:
        assert self.status(house, body, house.key(house.other)) == 404

    def status(self, house: Any, body: Body, key: str) -> int:
        client = TestClient(house.app(), headers={"authorization": f"Bearer {key}"})
        response = client.post(PATH, json=body())
        if response.status_code != 200:
            assert response.json().keys() == {"error"}
        return response.status_code


class TestPlaces:
    @pytest.mark.parametrize("domain", ["nowhere", "PARCELO", "parcelo.example.com", "%00", "a b"])
    def test_an_unknown_domain(self, client: TestClient, body: Body, domain: str) -> None:
        response = client.post(f"/discovery/v1/assistant/{domain}/message", json=body())
        assert response.status_code == 404
        assert response.json().keys() == {"error"}

    def test_others_are_not_told_from_unknown_ones(self, client: TestClient, body: Body) -> None:
        answers = {
            client.post(f"/discovery/v1/assistant/{domain}/message", json=body()).text
            for domain in ("other", "nowhere")
        }
        assert len(answers) == 1

    @pytest.mark.parametrize("thread_id", ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "\x00", "x" * 3000])
    def test_an_unknown_thread(
        self, house: Any, client: TestClient, body: Body, thread_id: str
    ) -> None:
        response = client.post(PATH, json=body(threadId=thread_id))
        assert response.status_code == 200
        begun = response.headers["x-thread-id"]
        assert begun != thread_id
        assert f'"threadId":"{begun}"' in response.text
        headers = {"authorization": f"Bearer {house.key()}"}
        strict = TestClient(house.app(thread_must_exist=True), headers=headers)
        refused = strict.post(PATH, json=body(threadId=thread_id))
        assert refused.status_code == 404
        assert "threadId" in refused.json()["error"]

    def test_a_thread_of_another_deployment(
        self, house: Any, client: TestClient, body: Body
    ) -> None:
        theirs = TestClient(
            house.app(), headers={"authorization": f"Bearer {house.key(house.other)}"}
        )
        response = theirs.post("/discovery/v1/assistant/other/message", json=body())
        thread_id = response.headers["x-thread-id"]
        answered = client.post(PATH, json=body(threadId=thread_id))
        assert answered.status_code == 200
        assert answered.headers["x-thread-id"] != thread_id

    def test_nothing_published(self, house: Any, body: Body) -> None:
        key = house.key(house.empty)
        client = TestClient(house.app(), headers={"authorization": f"Bearer {key}"})
        response = client.post("/discovery/v1/assistant/empty/message", json=body())
        assert response.status_code == 503
        assert response.json().keys() == {"error"}

    def test_switched_off(self, house: Any, body: Body) -> None:
        headers = {"authorization": f"Bearer {house.key()}"}
        client = TestClient(
            house.app(features=replace(ALL_FEATURES, assistant=False)), headers=headers
        )
        assert client.post(PATH, json=body()).status_code == 503

    @pytest.mark.parametrize("method", ["PUT", "DELETE"])
    def test_another_method(self, client: TestClient, method: str) -> None:
        response = client.request(method, PATH)
        assert response.status_code == 405
        assert response.json().keys() == {"error"}
