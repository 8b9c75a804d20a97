"""OpenAPI description of server-sent events."""

from __future__ import annotations

from typing import Any


def event_stream(description: str) -> dict[str, Any]:
    """Return the `content` of a response that streams events with this `data`."""
    fields = {
        "event": {"type": "string", "description": "Event kind."},
        "id": {"type": "string", "description": "Event number."},
        "data": {"type": "string", "description": description},
        "retry": {"type": "integer", "description": "Reconnection delay in milliseconds."},
    }
    schema = {"type": "object", "description": "Data of each event.", "properties": fields}
    return {"text/event-stream": {"schema": schema}}
