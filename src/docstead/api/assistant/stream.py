"""A response that follows an answer.

The status, the headers and the first event leave at once; what happened while the reader
was slow leaves in one write. When the reader goes away only the response ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic

from anyio import CancelScope, create_task_group, sleep
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from docstead.api.assistant.protocols.protocol import ChatProtocol
from docstead.assistant.streams import RecordedStream

_HEARTBEAT_SECONDS = 15.0
_STALLED_SECONDS = 120.0  # a reader who takes nothing for so long is gone


class AnswerStream(Response):
    """Streams an answer from its first event, as `protocol` writes it."""

    def __init__(
        self,
        answer: RecordedStream,
        protocol: ChatProtocol,
        headers: Mapping[str, str],
        *,
        heartbeat_seconds: float = _HEARTBEAT_SECONDS,
    ) -> None:
        self.status_code = 200
        self.background = None
        self._answer = answer
        self._protocol = protocol
        self._heartbeat_seconds = heartbeat_seconds
        self.init_headers({**protocol.headers, **headers})
        del self.headers["content-length"]

    async def __call__(self, _: Scope, receive: Receive, send: Send) -> None:
        start = {"status": self.status_code, "headers": self.raw_headers}
        await send({"type": "http.response.start", **start})
        line = _StreamLine(send)
        async with create_task_group() as group:
            group.start_soon(_until_disconnect, receive, group.cancel_scope)
            group.start_soon(self._watch, line, group.cancel_scope)
            await self._follow(line)
            group.cancel_scope.cancel()

    async def _follow(self, line: _StreamLine) -> None:
        encoder, place, over = self._protocol.encoder(), 0, False
        while not over:
            progress = await self._answer.after(place)
            place, over = place + len(progress.events), progress.over
            await line.write(b"".join(map(encoder.encode, progress.events)), over=over)

    async def _watch(self, line: _StreamLine, scope: CancelScope) -> None:
        """Heartbeats while it is quiet; the end when a write does not end."""
        while True:
            await sleep(self._heartbeat_seconds)
            quiet_seconds = monotonic() - line.since
            if line.is_writing and quiet_seconds >= _STALLED_SECONDS:
                scope.cancel()
            elif not line.is_writing and quiet_seconds >= self._heartbeat_seconds / 2:
                await line.write(self._protocol.heartbeat)


class _StreamLine:
    """Connection to a reader: whether a write is in progress, and since when."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.is_writing = False
        self.since = monotonic()

    async def write(self, body: bytes, *, over: bool = False) -> None:
        self.is_writing, self.since = True, monotonic()
        await self._send({"type": "http.response.body", "body": body, "more_body": not over})
        self.is_writing, self.since = False, monotonic()


async def _until_disconnect(receive: Receive, scope: CancelScope) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    scope.cancel()
