from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from docstead.content.reference_entries import ComponentSchema, MessageChannel
from docstead.reference.openapi.spec import read_specification
from docstead.reference.view import reference_html
from docstead.repository.positions import Diagnostics

COMPONENTS = {
    "messages": {
        "Said": {"title": "What was said", "payload": {"$ref": "#/components/schemas/Words"}},
        "Tick": {"traits": [{"headers": {"type": "object"}}], "payload": {"type": "integer"}},
    },
    "schemas": {"Words": {"type": "object", "properties": {"text": {"type": "string"}}}},
    "securitySchemes": {"key": {"type": "httpApiKey", "in": "header", "name": "X-Key"}},
}
THREE: dict[str, Any] = {
    "asyncapi": "3.0.0",
    "servers": {
        "main": {
            "host": "{zone}.example.com",
            "pathname": "/v1",
            "protocol": "wss",
            "variables": {"zone": {"default": "eu"}},
            "security": [{"$ref": "#/components/securitySchemes/key"}],
        }
    },
    "channels": {
        "chat": {
            "address": "/rooms/{room}",
            "title": "Chat",
            "tags": [{"name": "Live"}],
            "parameters": {"room": {"description": "Which one."}},
            "messages": {"said": {"$ref": "#/components/messages/Said"}},
        },
        "quiet": {"address": None},
    },
    "operations": {
        "say": {
            "action": "receive",
            "channel": {"$ref": "#/channels/chat"},
            "messages": [{"$ref": "#/channels/chat/messages/said"}],
        },
        "hear": {"action": "send", "channel": {"$ref": "#/channels/chat"}},
        "tick": {
            "action": "send",
            "channel": {"$ref": "#/channels/chat"},
            "messages": [{"$ref": "#/components/messages/Tick"}],
        },
    },
    "components": COMPONENTS,
}
TWO: dict[str, Any] = {
    "asyncapi": "2.6.0",
    "servers": {"main": {"url": "ws://example.com", "protocol": "ws", "security": [{"key": []}]}},
    "channels": {
        "/rooms/{room}": {
            "parameters": {"room": {"schema": {"type": "integer"}}},
            "publish": {"message": {"$ref": "#/components/messages/Said"}},
            "subscribe": {
                "message": {
                    "oneOf": [
                        {"$ref": "#/components/messages/Said"},
                        {"$ref": "#/components/messages/Tick"},
                    ]
                }
            },
        }
    },
    "components": COMPONENTS,
}


def first(document: dict[str, Any]) -> MessageChannel:
    found = read_specification(json.dumps(document), "live.json", Diagnostics())
    assert found is not None
    (channel, *_) = found.entries
    assert isinstance(channel, MessageChannel)
    return channel


def titles(messages: Sequence[Mapping[str, Any]]) -> list[str]:
    return [message.get("title") or message["name"] for message in messages]


@pytest.mark.parametrize(
    ("document", "method", "server"),
    [(THREE, "WSS", "wss://eu.example.com/v1"), (TWO, "WS", "ws://example.com")],
)
def test_a_channel_has_its_messages_for_the_reader(
    document: dict[str, Any], method: str, server: str
) -> None:
    channel = first(document)
    assert (channel.method, channel.path) == (method, "/rooms/{room}")
    assert channel.servers == (server,)
    assert channel.security == ({"key": []},)
    assert titles(channel.sent) == ["What was said"]
    assert titles(channel.received) == ["What was said", "Tick"]


@pytest.mark.parametrize("document", [THREE, TWO])
def test_a_page_shows_both_directions(document: dict[str, Any]) -> None:
    html = reference_html(first(document))
    for part in ('id="send"', 'id="receive"', "X-Key", "What was said", "room", "text", "Tick"):
        assert part in html
    assert 'data-ds-example="request"' in html


@pytest.mark.parametrize(
    "odd",
    [
        {"channels": {"a": {}}},
        {"channels": {"a": {"messages": 3, "parameters": [1], "servers": [7]}}},
        {"channels": {"a": {"$ref": "#/channels/a"}}},
        {"channels": {"a": {"publish": {"message": [{"oneOf": 3}, None]}}}},
        {"channels": {"a": {"publish": {"message": {"payload": {"$ref": "#/nowhere"}}}}}},
        {"channels": {"a": {"subscribe": {"message": {"examples": [3, {"payload": 1}]}}}}},
        {"channels": {"a": {}}, "servers": {"s": {"protocol": 3, "security": 3}}, "operations": 3},
    ],
)
def test_an_odd_file_is_shown_as_far_as_it_goes(odd: dict[str, Any]) -> None:
    assert "ds-address" in reference_html(first({"asyncapi": "3.0.0", **odd}))


def test_what_a_file_says_is_text() -> None:
    nasty = "<script>alert(1)</script>"
    message = {"title": nasty, "description": nasty, "payload": {"properties": {nasty: {}}}}
    channel = {"title": nasty, "publish": {"message": message}, "parameters": {nasty: {}}}
    document = {"asyncapi": "2.0.0", "channels": {nasty: channel}, "servers": {"a": {"url": nasty}}}
    assert "<script>" not in reference_html(first(document))


def test_pages_and_the_navigation_name_channels_and_schemas(load: Any) -> None:
    files = {
        "live.json": json.dumps(THREE),
        "own.mdx": '---\nasyncapi: "live.json chat"\n---\n',
        "model.mdx": "---\nopenapi-schema: Words\n---\n",
        "lost.mdx": '---\nasyncapi: "live.json nothing"\n---\n',
    }
    navigation = {
        "tabs": [
            {"tab": "A", "pages": ["index", "own", "model", "lost"]},
            {"tab": "B", "asyncapi": {"source": "live.json", "directory": "live"}},
        ]
    }
    repository = load(files, navigation)
    pages = repository.pages
    assert isinstance(pages["own"].reference, MessageChannel)
    assert (pages["own"].meta.title, pages["own"].meta.method) == ("Chat", "WSS")
    assert isinstance(pages["model"].reference, ComponentSchema)
    assert pages["model"].meta.method is None
    assert "live/live/chat" in pages
    assert "live/quiet" in pages
    assert [diagnostic.code for diagnostic in repository.diagnostics] == ["unknown-operation"]
    assert "Words" in reference_html(pages["model"].reference)


def test_a_channel_over_websocket_can_be_tried() -> None:
    binding = {"ws": {"query": {"properties": {"since": {"type": "integer", "default": 3}}}}}
    chat = THREE["channels"]["chat"]
    document = {**THREE, "channels": {**THREE["channels"], "chat": {**chat, "bindings": binding}}}
    html = reference_html(first(document))
    assert " data-socket data-playground=" in html
    assert "&quot;name&quot;:&quot;since&quot;,&quot;in&quot;:&quot;query&quot;" in html
    assert "<code>since</code>" in html
    queue = {**THREE, "servers": {"queue": {"host": "queue.example", "protocol": "kafka"}}}
    assert "data-playground" not in reference_html(first(queue))
