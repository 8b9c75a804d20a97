"""Responses to HTTP/1.0 clients, which know no chunks: the end of the connection ends a body.

uvicorn sends chunks to every client (RFC 9112, section 6.1, forbids it). Its `chunked_encoding` and
`expected_content_length` are internals: a test names the version that was checked.
"""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle


class UnframedResponses:
    """Application whose responses without a length are not sent in chunks.

    Set `cycle`, which uvicorn creates for each request, before the application runs.
    """

    cycle: RequestResponseCycle

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_length = True

        async def send_unframed(message: Message) -> None:
            nonlocal has_length
            if message["type"] == "http.response.start":
                names = [name.lower() for name, _ in message.get("headers", ())]
                has_length = b"content-length" in names
                if not has_length:
                    self.cycle.chunked_encoding = False
            elif not has_length:
                self.cycle.expected_content_length += len(message.get("body", b""))
            await send(message)

        await self._app(scope, receive, send_unframed)
