"""Each field of a request reaches the answer: the model is sent it, or the search obeys it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from chat_server import ChatServer
from docstead.api.assistant.protocols.v1 import DataStreamRequest
from docstead.models.chat import InputFile
from docstead.models.openai_compatible import OpenAICompatible

PATH = "/discovery/v1/assistant/parcelo/message"
KEYS = "How do I create or revoke an API key for webhooks and labels?"
LABELS = "In which format are labels printed as files?"
Body = Callable[..., dict[str, Any]]
Sent = Callable[..., str]


@pytest.fixture
def sent(harness: Any, body: Body, model_server: ChatServer) -> Sent:
    """Ask with some fields changed; the text of all messages that the model was sent."""
    model = OpenAICompatible(model_server.url, "key", "tiny")
    headers = {"authorization": f"Bearer {harness.key()}"}
    client = TestClient(harness.app(model), headers=headers)

    def ask(**changes: Any) -> str:
        response = client.post(PATH, json=body(KEYS, **changes))
        assert response.status_code == 200, response.text
        return "\n".join(str(each["content"]) for each in model_server.last_messages)

    return ask


def message(role: str, content: str, **more: Any) -> dict[str, Any]:
    return {"id": content[:9], "role": role, "content": content, "parts": [], **more}


@pytest.mark.parametrize(("size", "used"), [(..., 5), (None, 5), (5, 5), (3, 3), (6, 6)], ids=str)
def test_as_many_results_are_used_as_the_client_asks_for(sent: Sent, size: Any, used: int) -> None:
    text = sent(retrievalPageSize=size)
    urls = re.findall(r"^\[\d+\] .+\n(\S+)$", text, re.MULTILINE)
    results = urls[:used]
    assert len(set(results)) == used
    # Behind the results come only other sections of their pages.
    pages = {each.partition("#")[0] for each in results}
    assert {each.partition("#")[0] for each in urls[used:]} <= pages


@pytest.mark.parametrize(("kind", "word"), [("code", "code"), ("textSelection", "text")])
def test_the_context_with_its_origin(sent: Sent, kind: str, word: str) -> None:
    item = {"type": kind, "value": "parcel.send()", "path": "/guides/send", "elementId": "code-7"}
    text = sent(context=[item])
    location = "on /guides/send in the element code-7"
    assert f"The reader selected this {word} {location}:\nparcel.send()" in text


def test_the_page_that_the_user_is_viewing(sent: Sent) -> None:
    assert "/guides/where-i-am" in sent(currentPath="/guides/where-i-am")


def test_the_conversation_in_its_order(sent: Sent) -> None:
    said = [
        message("user", "What is a parcel?"),
        message("assistant", "A box with an address."),
        message("user", KEYS),
    ]
    text = sent(messages=said)
    positions = [text.index(each["content"]) for each in said]
    assert positions == sorted(positions)


def test_the_content_is_the_question(sent: Sent) -> None:
    parts = [{"type": "text", "text": "Something that only the parts say"}]
    text = sent(messages=[message("user", KEYS, parts=parts)])
    assert f"Question: {KEYS}" in text
    assert "only the parts say" not in text


def test_a_system_message_is_a_note_and_data_is_ignored(sent: Sent) -> None:
    text = sent(
        messages=[
            message("system", "Answer in two sentences."),
            message("data", "some-hidden-data"),
            message("user", KEYS),
        ]
    )
    assert "<note>\nAnswer in two sentences.\n</note>" in text
    assert "some-hidden-data" not in text


@pytest.mark.parametrize("named", [{}, {"contentType": "text/plain", "name": "notes.txt"}])
def test_an_attachment_that_is_text(sent: Sent, named: dict[str, str]) -> None:
    file = {"url": "data:text/plain,what-the-file-says", **named}
    assert "what-the-file-says" in sent(
        messages=[message("user", KEYS, experimental_attachments=[file])]
    )


def test_the_content_type_of_an_attachment_counts(sent: Sent) -> None:
    file = {"url": "data:text/plain,what-the-file-says", "contentType": "image/png"}
    text = sent(messages=[message("user", KEYS, experimental_attachments=[file])])
    assert "what-the-file-says" not in text


def test_pictures_and_pdfs_go_to_the_model() -> None:
    files = [
        {"url": "data:image/png;base64,cG5n", "name": "shot.png"},
        {"url": "data:;base64,cGRm", "contentType": "application/pdf"},
        {"url": "data:image/svg+xml;base64,cG5n"},
        {"url": "data:image/png;base64,@@"},
        {"url": "https://example.com/a.png", "contentType": "image/png"},
    ]
    asked = DataStreamRequest.model_validate(
        {"fp": "a", "messages": [message("user", KEYS, experimental_attachments=files)]}
    )
    assert asked.question().files == (
        InputFile("shot.png", "image/png", b"png"),
        InputFile("application/pdf", "application/pdf", b"pdf"),
    )


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [({"version": "v1"}, "v1/labels"), ({"version": "v2"}, "v2/labels"), ({"language": "fr"}, "")],
    ids=["version v1", "version v2", "language"],
)
def test_the_filter(client: TestClient, body: Body, chosen: Any, expected: str) -> None:
    text = client.post(PATH, json=body(LABELS, filter=chosen)).text
    sources = [line for line in text.splitlines() if line.startswith("h:")]
    assert bool(sources) is bool(expected)
    assert all(f"/{expected}" in line for line in sources)
