"""A response that sends events as they happen.

The status, the headers and the first event leave at once. Texts that come close together
leave together: clients copy their whole message at every part they get. When the client
goes away the events are closed, so that their source can put away what was said.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence

from anyio import (
    CancelScope,
    EndOfStream,
    WouldBlock,
    create_memory_object_stream,
    create_task_group,
    sleep,
)
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from docstead.assistant.events import Event, TextDelta

_TOGETHER_SECONDS = 0.03
_SETTLE_SECONDS = 0.002  # what one step of the engine yields leaves in one write
_BUFFERED_EVENTS = 256


class EventStream(Response):
    """Streams `first` and then `events`, each as the bytes that `encode` makes of it."""

    def __init__(
        self,
        first: Event,
        events: AsyncGenerator[Event, None],
        encode: Callable[[Event], bytes],
        headers: Mapping[str, str],
    ) -> None:
        self.status_code = 200
        self.background = None
        self._first = first
        self._events = events
        self._encode = encode
        self.init_headers(headers)
        del self.headers["content-length"]

    async def __call__(self, _: Scope, receive: Receive, send: Send) -> None:
        try:
            await send(
                {
                    "type": "http.response.start",
                    "status": self.status_code,
                    "headers": self.raw_headers,
                }
            )
            await _write(send, self._encode(self._first))
            await self._stream(receive, send)
        finally:
            with CancelScope(shield=True):
                await self._events.aclose()

    async def _stream(self, receive: Receive, send: Send) -> None:
        sink, source = create_memory_object_stream[Event](_BUFFERED_EVENTS)
        async with create_task_group() as group:
            group.start_soon(_until_disconnect, receive, group.cancel_scope)
            group.start_soon(self._produce, sink)
            await self._consume(source, send)
            group.cancel_scope.cancel()

    async def _produce(self, sink: MemoryObjectSendStream[Event]) -> None:
        async with sink:
            async for event in self._events:
                await sink.send(event)

    async def _consume(self, source: MemoryObjectReceiveStream[Event], send: Send) -> None:
        last = float("-inf")
        async with source:
            async for event in source:
                await sleep(max(_SETTLE_SECONDS, last + _TOGETHER_SECONDS - time.monotonic()))
                batch = [event, *_waiting(source)]
                await _write(send, b"".join(map(self._encode, _joined(batch))))
                last = time.monotonic()
        await _write(send, b"", more=False)


async def _write(send: Send, body: bytes, *, more: bool = True) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": more})


async def _until_disconnect(receive: Receive, scope: CancelScope) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    scope.cancel()


def _waiting(source: MemoryObjectReceiveStream[Event]) -> Iterator[Event]:
    while True:
        try:
            yield source.receive_nowait()
        except (WouldBlock, EndOfStream):
            return


def _joined(events: Sequence[Event]) -> Iterator[Event]:
    """The events, with neighbouring texts made one."""
    texts: list[str] = []
    for event in events:
        if isinstance(event, TextDelta):
            texts.append(event.text)
            continue
        if texts:
            yield TextDelta("".join(texts))
            texts = []
        yield event
    if texts:
        yield TextDelta("".join(texts))
