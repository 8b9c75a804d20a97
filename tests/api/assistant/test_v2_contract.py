"""The second version of the message endpoint: what it accepts, refuses and streams."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from chat_server import ChatServer
from docstead.api.assistant.protocols.v2 import UiMessageStream
from docstead.assistant.conversation import AnswerSource
from docstead.assistant.events import (
    AnswerData,
    AnswerFailed,
    AnswerFinished,
    AnswerStarted,
    Event,
    ReasoningDelta,
    SourceFound,
    TextDelta,
    TokenUsage,
    ToolAnswered,
    ToolCalled,
)
from docstead.limits import policies
from docstead.models.openai_compatible import OpenAICompatible
from docstead.storage.schema import rate_limits, turns
from ui_messages import FIRST_PATH, KEYS, PATH, TEXT, answer_parts, body, chunks, message

FEEDBACK = "/discovery/v2/assistant/parcelo/feedback"


def with_part(**fields: Any) -> dict[str, Any]:
    """The history of a second question, with a part in the answer."""
    answer = message(id="a1", role="assistant", parts=[fields, {"type": "text", "text": "So."}])
    return {"messages": [message(id="q1"), answer, message(id="q2")]}


ACCEPTED: dict[str, dict[str, Any]] = {
    "nothing but what is required": {},
    "what the transport adds": {"id": "c", "trigger": "regenerate-message", "messageId": "m1"},
    "metadata": {"messages": [message(metadata={"threadId": "T"}, createdAt=None)]},
    "content as well": {"messages": [message(content="ignored")]},
    "groups": {"filter": {"version": None, "groups": ["a", "b"]}},
    "reasoning": with_part(type="reasoning", text="Hm", state="done", providerMetadata={}),
    "source": with_part(type="source-url", sourceId="1", url="u", title="t"),
    "document": with_part(type="source-document", sourceId="1", mediaType="x/y", title="t"),
    "file": with_part(type="file", mediaType="image/png", url="data:image/png;base64,aGk="),
    "step": with_part(type="step-start"),
    "tool": with_part(type="tool-search", toolCallId="c", state="output-available", output=[]),
    "dynamic tool": with_part(type="dynamic-tool", toolName="t", toolCallId="c", state="x"),
    "data": with_part(type="data-suggestions", data=["a"]),
    "of later versions": with_part(type="steering-message", text=7),
    "no parts": {"messages": [message(parts=[])]},
    "an answer at the end": {"messages": [message(), message(role="assistant")]},
    "200 messages": {"messages": [message(id=str(n)) for n in range(200)]},
}
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no fp": ({"fp": ...}, "fp"),
    "no messages": ({"messages": ...}, "messages"),
    "messages empty": ({"messages": []}, "messages"),
    "role data": ({"messages": [message(role="data")]}, "messages.0.role"),
    "no id": ({"messages": [message(id=...)]}, "messages.0.id"),
    "no parts": ({"messages": [message(parts=...)]}, "messages.0.parts"),
    "a message of version 4": (
        {"messages": [message(parts=..., content=KEYS)]},
        "messages.0.parts is required",
    ),
    "part without type": (
        {"messages": [message(parts=[{"text": "a"}])]},
        "messages.0.parts.0.type is required",
    ),
    "a type that is no string": (
        {"messages": [message(parts=[{"type": 5}])]},
        "messages.0.parts.0.type: must be a string, not a number",
    ),
    "part a string": (
        {"messages": [message(parts=["a"])]},
        "messages.0.parts.0: must be an object, not a string",
    ),
    "text without text": (with_part(type="text"), "messages.1.parts.0.text is"),
    "source without url": (with_part(type="source-url", sourceId="1"), "parts.0.url is"),
    "groups a string": ({"filter": {"groups": "a"}}, "filter.groups"),
    "path too long": ({"currentPath": "/" * 201}, "currentPath"),
}


@pytest.mark.parametrize("case", ACCEPTED)
def test_accepted(shared_client: TestClient, case: str) -> None:
    response = shared_client.post(PATH, json=body(**ACCEPTED[case]))
    assert response.status_code == 200, response.text
    assert chunks(response.text)[-1]["type"] == "finish"


@pytest.mark.parametrize("case", REFUSED)
def test_refused_by_name(shared_client: TestClient, case: str) -> None:
    changes, field = REFUSED[case]
    response = shared_client.post(PATH, json=body(**changes))
    assert response.status_code == 400, response.text
    assert field in response.json()["error"]


def test_a_history_of_more_than_200_messages_goes_on(client: TestClient) -> None:
    response = client.post(PATH, json=body(messages=[message(id=str(n)) for n in range(1_001)]))
    assert chunks(response.text)[-1]["type"] == "finish"


def test_headers(client: TestClient) -> None:
    headers = client.post(PATH, json=body()).headers
    assert headers["content-type"] == "text/event-stream"
    assert headers["x-vercel-ai-ui-message-stream"] == "v1"
    assert headers["cache-control"] == "no-cache, no-transform"
    assert headers["x-accel-buffering"] == "no"
    assert "deprecation" not in headers
    assert "content-length" not in headers


def test_the_chunks_of_an_answer(client: TestClient) -> None:
    response = client.post(PATH, json=body())
    start, *middle, finish = chunks(response.text)
    thread = response.headers["x-thread-id"]
    assert start["messageMetadata"] == {"threadId": thread}
    assert finish["messageMetadata"]["threadId"] == thread
    assert set(finish) == {"type", "messageMetadata"}
    assert not any("threadId" in chunk for chunk in (start, *middle, finish))
    kinds = [chunk["type"] for chunk in middle]
    assert kinds[-1] == "text-end"
    assert {"source-url", "text-start", "text-delta", "text-end"} <= set(kinds)
    assert kinds.count("text-start") == kinds.count("text-end") == 1


def test_every_kind_of_event() -> None:
    events: list[Event] = [
        AnswerStarted("msg_1", "T1", "key"),
        ReasoningDelta("Hm."),
        ToolCalled("c1", "search", {"query": "keys"}),
        ToolAnswered("c1", "search", [{"url": "u"}]),
        SourceFound(AnswerSource("1", "https://a/b", "")),
        TextDelta("Press “New”"),
        AnswerData("suggestions", ["And then?"]),
        TextDelta("."),
        AnswerFinished("T1", True, TokenUsage(1, 2)),
    ]
    stream = UiMessageStream()
    done = {"threadId": "T1", "finishReason": "stop", "answered": True}
    usage = {"inputTokens": 1, "outputTokens": 2}
    assert chunks(b"".join(map(stream.encode, events)).decode()) == [
        {"type": "start", "messageId": "msg_1", "messageMetadata": {"threadId": "T1"}},
        {"type": "reasoning-start", "id": "0"},
        {"type": "reasoning-delta", "id": "0", "delta": "Hm."},
        {"type": "reasoning-end", "id": "0"},
        {"type": "start-step"},
        {
            "type": "tool-input-available",
            "toolCallId": "c1",
            "toolName": "search",
            "input": {"query": "keys"},
            "providerExecuted": True,
        },
        {
            "type": "tool-output-available",
            "toolCallId": "c1",
            "output": [{"url": "u"}],
            "providerExecuted": True,
        },
        {"type": "finish-step"},
        {"type": "start-step"},
        {"type": "source-url", "sourceId": "1", "url": "https://a/b"},
        {"type": "text-start", "id": "1"},
        {"type": "text-delta", "id": "1", "delta": "Press “New”"},
        {"type": "data-suggestions", "data": ["And then?"]},
        {"type": "text-delta", "id": "1", "delta": "."},
        {"type": "text-end", "id": "1"},
        {"type": "finish-step"},
        {"type": "finish", "messageMetadata": {**done, "usage": usage}},
    ]


def test_a_failure_ends_the_text_and_says_why() -> None:
    stream = UiMessageStream()
    events: list[Event] = [
        AnswerStarted("m", "T", None),
        TextDelta("Op"),
        AnswerFailed("T", "It broke."),
    ]
    assert chunks(b"".join(map(stream.encode, events)).decode())[2:] == [
        {"type": "text-delta", "id": "0", "delta": "Op"},
        {"type": "text-end", "id": "0"},
        {"type": "finish", "messageMetadata": {"threadId": "T", "finishReason": "error"}},
        {"type": "error", "errorText": "It broke."},
    ]


CALLED = ToolCalled("c1", "search", {"query": "keys"})
ANSWERED = ToolAnswered("c1", "search", [{"url": "u"}])
AGAIN = ToolCalled("c2", "search", {"query": "tokens"}), ToolAnswered("c2", "search", [])
FINISHED, FAILED = AnswerFinished("T1", True), AnswerFailed("T1", "It broke.")
STEPS: dict[str, tuple[list[Event], int]] = {
    "no tools": ([TextDelta("a"), FINISHED], 0),
    "text after tools": ([CALLED, ANSWERED, TextDelta("a"), FINISHED], 2),
    "tools after text": ([TextDelta("a"), CALLED, ANSWERED, FINISHED], 1),
    "tools again": ([CALLED, ANSWERED, TextDelta("a"), *AGAIN, TextDelta("b"), FINISHED], 4),
    "a failure in a tool": ([CALLED, FAILED], 1),
    "a failure after tools": ([CALLED, ANSWERED, FAILED], 1),
    "a failure in the text": ([CALLED, ANSWERED, TextDelta("a"), FAILED], 2),
    "a refusal": ([CALLED, ANSWERED, TextDelta("No."), AnswerFinished("T1", False)], 2),
}
RELEASES = ("chat-5.0.0", "chat-5", "chat-6.0.0", "chat-6", "chat-7.0.0", "chat-7")


def streamed(events: list[Event]) -> bytes:
    stream = UiMessageStream()
    return b"".join(map(stream.encode, [AnswerStarted("msg_1", "T1", None), *events]))


@pytest.mark.parametrize("case", STEPS)
def test_every_step_ends_before_the_next_one(case: str) -> None:
    events, count = STEPS[case]
    kinds = [chunk["type"] for chunk in chunks(streamed(events).decode())]
    assert [kind for kind in kinds if "-step" in kind] == ["start-step", "finish-step"] * count
    for kind, index in ((kind, index) for index, kind in enumerate(kinds) if "-step" in kind):
        opened = sum(each.endswith("-start") for each in kinds[:index])
        closed = sum(each.endswith("-end") for each in kinds[:index])
        assert opened == closed, f"{kind} within a text: {kinds}"


@pytest.mark.parametrize("release", RELEASES)
def test_every_release_reads_steps(
    chat_client: Callable[..., dict[str, Any]], release: str
) -> None:
    for case, (events, count) in STEPS.items():
        pieces = [base64.b64encode(streamed(events)).decode()]
        read = chat_client("uiRead", client=release, chunks=pieces)
        said = "".join(each.text for each in events if isinstance(each, TextDelta))
        parts = read["message"]["parts"]
        assert "".join(part.get("text", "") for part in parts) == said, case
        assert [part["type"] for part in parts].count("step-start") == count, case
        assert [part["state"] for part in parts if part["type"] == "text"].count("streaming") == 0
        assert len(read["failures"]) == (events[-1] is FAILED), (case, read["failures"])


@pytest.mark.parametrize("release", RELEASES)
def test_every_release_reads_every_kind_of_event(
    chat_client: Callable[..., dict[str, Any]], release: str
) -> None:
    stream = UiMessageStream()
    events: list[Event] = [
        AnswerStarted("msg_1", "T1", None),
        ReasoningDelta("Hm."),
        ToolCalled("c1", "search", {"query": "keys"}),
        ToolAnswered("c1", "search", [{"url": "u"}]),
        SourceFound(AnswerSource("1", "https://a/b", "")),
        TextDelta("Press"),
        AnswerData("suggestions", ["And then?"]),
        TextDelta(" it."),
        AnswerFinished("T1", True, TokenUsage(1, 2)),
    ]
    raw = b": ping\n\n" + b"".join(map(stream.encode, events))
    pieces = [base64.b64encode(raw[at : at + 7]).decode() for at in range(0, len(raw), 7)]
    read = chat_client("uiRead", client=release, chunks=pieces)
    assert read["failures"] == []
    said = read["message"]
    assert (said["id"], said["metadata"]["threadId"]) == ("msg_1", "T1")
    kinds = [part["type"] for part in said["parts"] if part["type"] != "step-start"]
    assert kinds == ["reasoning", "tool-search", "source-url", "text", "data-suggestions"]
    assert [part["text"] for part in said["parts"] if part["type"] == "text"] == ["Press it."]


def test_each_version_counts_by_itself(harness: Any, client: TestClient) -> None:
    old = {**body(), "messages": [message(content=KEYS)]}
    assert client.post(FIRST_PATH, json=old).status_code == 200
    assert client.post(PATH, json=body()).status_code == 200
    with harness.database.reading() as connection:
        counts = {row.bucket: row.n for row in connection.execute(select(rate_limits))}
    charges = [
        charge.bucket
        for version in ("v1", "v2")
        for charge in policies.assistant_message(
            harness.deployment.organization_id, "0.0.0.0", version
        )
    ]
    assert counts == dict.fromkeys(charges, 1)


class TestFeedback:
    def answered(self, client: TestClient) -> str:
        message_id: str = chunks(client.post(PATH, json=body()).text)[0]["messageId"]
        return message_id

    def test_the_last_word_counts(self, client: TestClient, harness: Any) -> None:
        answer = {"messageId": self.answered(client), "fp": "reader"}
        for word in ({"helpful": True}, {"helpful": False, "comment": "Wrong\x00 version"}):
            response = client.post(FEEDBACK, json={**answer, **word})
            assert (response.status_code, response.content) == (204, b"")
        row = harness.feedback(answer["messageId"])
        assert (row["helpful"], row["comment"], row["fp"]) == (
            False,
            "Wrong\ufffd version",
            "reader",
        )

    def test_null_counts_as_missing(self, client: TestClient, harness: Any) -> None:
        optional = {"comment": None, "fp": None}
        given = {"messageId": self.answered(client), "helpful": True, **optional}
        assert client.post(FEEDBACK, json=given).status_code == 204
        assert harness.feedback(given["messageId"])["fp"] == "anonymous"

    def test_on_an_answer_of_another_deployment(self, client: TestClient, harness: Any) -> None:
        given = {"messageId": self.answered(client), "helpful": True}
        other = TestClient(
            harness.app(), headers={"authorization": f"Bearer {harness.key(harness.other)}"}
        )
        response = other.post(FEEDBACK.replace("parcelo", "other"), json=given)
        assert response.status_code == 404
        assert "messageId" in response.json()["error"]

    @pytest.mark.parametrize(
        ("changes", "field"),
        [
            ({"messageId": ...}, "messageId"),
            ({"helpful": "yes"}, "helpful"),
            ({"comment": "x" * 4001}, "comment"),
        ],
    )
    def test_refused_by_name(self, client: TestClient, changes: dict[str, Any], field: str) -> None:
        fields = {"messageId": "m", "helpful": True, **changes}
        given = {name: value for name, value in fields.items() if value is not ...}
        response = client.post(FEEDBACK, json=given)
        assert response.status_code == 400
        assert field in response.json()["error"]


class TestAttachments:
    def test_text_is_read_and_nothing_is_fetched(
        self, harness: Any, model_server: ChatServer
    ) -> None:
        model = OpenAICompatible(model_server.url, "key", "tiny")
        headers = {"authorization": f"Bearer {harness.key()}"}
        encoded = base64.b64encode(b"retries: 8 # from my file").decode()
        files = [
            {"type": "file", "mediaType": "text/yaml", "url": f"data:text/yaml;base64,{encoded}"},
            {"type": "file", "mediaType": "image/png", "url": "data:image/png;base64,aGk="},
            {"type": "file", "mediaType": "text/plain", "url": "http://127.0.0.1:9/far-away"},
            {"type": "file", "mediaType": "text/plain", "url": "data:text/plain;base64,%%%"},
        ]
        asked = body(messages=[message(parts=[TEXT, *files])])
        response = TestClient(harness.app(model), headers=headers).post(PATH, json=asked)
        assert response.status_code == 200
        sent_to_model = json.dumps(model_server.last_messages)
        assert "retries: 8 # from my file" in sent_to_model
        assert "far-away" not in sent_to_model


def test_the_words_are_stored(client: TestClient, harness: Any) -> None:
    response = client.post(PATH, json=body())
    with harness.database.reading() as connection:
        turn = connection.execute(select(turns)).mappings().one()
    assert turn["question"] == KEYS
    assert turn["answer"] == answer_parts(response.text)[1]
    assert turn["answer_id"] == chunks(response.text)[0]["messageId"]
