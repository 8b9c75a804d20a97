"""Fields of the message endpoint: accepted and refused values."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from docstead.api.assistant.protocols.v1 import DataStreamRequest
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
def test_accepted(shared_client: TestClient, body: Body, case: str) -> None:
    response = shared_client.post(PATH, json=body(**ACCEPTED[case]))
    assert response.status_code == 200, response.text
    assert response.text.splitlines()[-1].startswith("d:")


@pytest.mark.parametrize("case", REFUSED)
def test_refused_by_name(shared_client: TestClient, body: Body, case: str) -> None:
    changes, field = REFUSED[case]
    response = shared_client.post(PATH, json=body(**changes))
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
def test_a_body_that_is_no_such_object_is_refused(shared_client: TestClient, raw: bytes) -> None:
    response = shared_client.post(PATH, content=raw, headers={"content-type": "application/json"})
    assert response.status_code == 400
    assert response.json().keys() == {"error"}


@pytest.mark.parametrize("content_type", [None, "text/plain", "application/json; charset=utf-8"])
def test_the_declared_type_of_the_body_does_not_matter(
    client: TestClient, body: Body, content_type: str | None
) -> None:
    headers = {"content-type": content_type} if content_type else {}
    response = client.post(PATH, content=json.dumps(body()), headers=headers)
    assert response.status_code == 200
    assert response.text.splitlines()[-1].startswith("d:")


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (rb"cut \ud83d", "cut \ufffd"),
        (rb"cut \uDE00 here", "cut \ufffd here"),
        (rb"\ud83d\ud83d\ude00", "\ufffd\U0001f600"),
        (rb"\\ud83d \"\ud83d\ude00\"", '\\ud83d "\U0001f600"'),
    ],
)
def test_lone_surrogates_are_replaced(
    client: TestClient, harness: Any, sent: bytes, kept: str
) -> None:
    raw = json.dumps({"fp": "anonymous", "messages": [message(content="?")]}).encode()
    response = client.post(PATH, content=raw.replace(b'"?"', b'"%b"' % sent))
    assert response.status_code == 200, response.text
    with harness.database.reading() as connection:
        assert connection.execute(select(turns.c.question)).scalar_one() == kept


def test_a_body_of_almost_four_megabytes_is_read(client: TestClient, body: Body) -> None:
    large = body(context=[{"type": "code", "value": "x" * (4 * MIB - 2000)}])
    assert client.post(PATH, json=large).text.splitlines()[-1].startswith("d:")


@pytest.mark.parametrize("size", [4 * MIB + 1, 15 * MIB])
def test_a_larger_body_is_too_large(client: TestClient, body: Body, size: int) -> None:
    response = client.post(PATH, json=body(data="x" * size))
    assert response.status_code == 413
    assert response.json().keys() == {"error"}
    assert "leave out earlier messages" in response.json()["error"]


@pytest.mark.parametrize(("size", "status"), [(8 * MIB - 99, 200), (8 * MIB + 99, 413)])
def test_attachments_have_space_beside_the_body(
    client: TestClient, body: Body, size: int, status: int
) -> None:
    picture = "data:image/png;base64," + base64.b64encode(bytes(size)).decode()
    asked = message(experimental_attachments=[{"url": picture, "contentType": "image/png"}])
    response = client.post(PATH, json=body(messages=[asked]))
    assert response.status_code == status
    if status != 200:
        assert "attachments" in response.json()["error"]


def test_an_attachment_makes_no_exception_for_other_words(client: TestClient, body: Body) -> None:
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
