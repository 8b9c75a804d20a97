"""Server-sent events of an agent job, resumable from any event.

Each event has its number as `id`, its kind as `event` and JSON as `data`. The stream ends when the
job is no longer active and all events are sent. A client that reconnects with `Last-Event-ID` then
gets 204, which stops the automatic reconnection of browsers.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Mapping

from anyio import sleep, to_thread
from starlette.responses import Response, StreamingResponse

from docstead.agent.agent import AgentJobs
from docstead.agent.states import JobStatus
from docstead.agent.values import AgentJob, JobEvent
from docstead.api.event_stream import event_stream
from docstead.base.clock import rfc3339
from docstead.base.errors import InvalidRequest

EVENT_STREAM = {
    "description": (
        "Server-sent events: `id` is the event's number, `event` its kind, `data` is JSON."
    ),
    "content": event_stream("JSON of the event."),
}

_POLLING_SECONDS = 0.3
_KEEP_ALIVE_SECONDS = 15.0
_HEADERS = {"cache-control": "no-cache, no-transform", "x-accel-buffering": "no"}
_NO_CONTENT = 204


def last_event_number(header: str | None) -> int:
    """Return the number in a `Last-Event-ID` header, or 0 without one.

    Raises:
        InvalidRequest: it is not a number.
    """
    if header is None or not header.strip():
        return 0
    if not (header.isascii() and header.isdigit()) or len(header) > 9:  # noqa: PLR2004
        raise InvalidRequest("header Last-Event-ID: must be the number of an event")
    return int(header)


async def event_response(
    agent: AgentJobs, job: AgentJob, after: int = 0, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a response that streams the events after number `after` as they happen."""
    if job.status is not JobStatus.ACTIVE and after >= job.event_count:
        return Response(status_code=_NO_CONTENT)
    return StreamingResponse(
        _lines(agent, job, after),
        media_type="text/event-stream",
        headers={**_HEADERS, **(headers or {})},
    )


async def _lines(agent: AgentJobs, job: AgentJob, after: int) -> AsyncIterator[bytes]:
    spoken = time.monotonic()
    yield b"retry: 2000\n\n"
    while True:
        # Read the job before its events, so that none of an ended job are missed.
        found = await to_thread.run_sync(
            lambda: agent.get(
                job.id, project_id=job.project_id, organization_id=job.organization_id
            )
        )
        while after < found.event_count:
            events = await to_thread.run_sync(agent.events, job.id, after)
            yield b"".join(map(_encoded, events))
            after, spoken = events[-1].number, time.monotonic()
        if found.status is not JobStatus.ACTIVE:
            return
        if time.monotonic() - spoken > _KEEP_ALIVE_SECONDS:
            yield b": still here\n\n"
            spoken = time.monotonic()
        await sleep(_POLLING_SECONDS)


def _encoded(event: JobEvent) -> bytes:
    data = json.dumps({**event.data, "at": rfc3339(event.created_at)}, ensure_ascii=True)
    return f"id: {event.number}\nevent: {event.kind}\ndata: {data}\n\n".encode()
