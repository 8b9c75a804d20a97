"""Requests and streams of version 2 of the message endpoint."""

from __future__ import annotations

import json
from typing import Any

PATH = "/discovery/v2/assistant/parcelo/message"
FIRST_PATH = "/discovery/v1/assistant/parcelo/message"
KEYS = "How do I create an API key?"
TEXT = {"type": "text", "text": KEYS}


def message(**changes: Any) -> dict[str, Any]:
    fields = {"id": "m1", "role": "user", "parts": [TEXT], **changes}
    return {name: value for name, value in fields.items() if value is not ...}


def body(**changes: Any) -> dict[str, Any]:
    fields = {"fp": "anonymous", "messages": [message()], **changes}
    return {name: value for name, value in fields.items() if value is not ...}


def chunks(text: str) -> list[dict[str, Any]]:
    """Return the chunks of a stream, which must be complete."""
    *events, done, nothing = text.split("\n\n")
    assert (done, nothing) == ("data: [DONE]", "")
    assert all(event.startswith("data: ") for event in events)
    return [json.loads(event.removeprefix("data: ")) for event in events]


def answer_parts(text: str) -> tuple[list[str], str]:
    """Return sources and text of a stream."""
    found = chunks(text)
    said = "".join(chunk["delta"] for chunk in found if chunk["type"] == "text-delta")
    return [chunk["url"] for chunk in found if chunk["type"] == "source-url"], said
