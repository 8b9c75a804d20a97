"""The description of server-sent events in the OpenAPI document."""

from __future__ import annotations

from typing import Any


def event_stream(description: str) -> dict[str, Any]:
    """The `content` of a response whose events have this in their `data`."""
    fields = {
        "event": {"type": "string", "description": "The kind of the event."},
        "id": {"type": "string", "description": "The number of the event."},
        "data": {"type": "string", "description": description},
        "retry": {"type": "integer", "description": "Milliseconds until the next connection."},
    }
    schema = {"type": "object", "description": "Each event.", "properties": fields}
    return {"text/event-stream": {"schema": schema}}
