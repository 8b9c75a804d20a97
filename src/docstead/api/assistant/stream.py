"""Streaming response of an answer.

The status, the headers and the first event are sent immediately. Events that accumulate while the
client is slow are sent in one write. A client that disconnects ends only its response, not the
answer.
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
_STALLED_SECONDS = 120.0  # a client that reads nothing for so long is disconnected


class AnswerStream(Response):
    """Streams an answer from its first event, encoded by `protocol`."""

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
        encoder, position, over = self._protocol.encoder(), 0, False
        while not over:
            progress = await self._answer.after(position)
            position, over = position + len(progress.events), progress.over
            await line.write(b"".join(map(encoder.encode, progress.events)), over=over)

    async def _watch(self, line: _StreamLine, scope: CancelScope) -> None:
        """Send heartbeats while there are no events; end the response if a write hangs."""
        while True:
            await sleep(self._heartbeat_seconds)
            quiet_seconds = monotonic() - line.since
            if line.is_writing and quiet_seconds >= _STALLED_SECONDS:
                scope.cancel()
            elif not line.is_writing and quiet_seconds >= self._heartbeat_seconds / 2:
                await line.write(self._protocol.heartbeat)


class _StreamLine:
    """Connection to a client, and since when a write has been in progress."""

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
