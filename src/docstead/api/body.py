"""Request bodies have a size limit: 413 at once by `Content-Length`, else while they arrive."""

from __future__ import annotations

from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docstead.api.errors import error_response
from docstead.base.errors import PayloadTooLarge

# A refused body is read to this multiple of the limit, so that an ordinary client has
# sent it all and reads the answer instead of meeting a closed connection.
_DRAIN_FACTOR = 16


class LimitedBody:
    """Refuses bodies of more than `max_bytes`, and of what `more` adds to that for a request."""

    def __init__(
        self, app: ASGIApp, max_bytes: int, more: Callable[[Scope], int] = lambda _: 0
    ) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._more = more

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = self._max_bytes + self._more(scope)
        if _announced_bytes(scope) > most:
            await self._drain(receive)
            await error_response(self._refusal())(scope, receive, send)
        else:
            await self._app(scope, self._counted(receive, most), send)

    def _counted(self, receive: Receive, most: int) -> Receive:
        read = 0

        async def receive_counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                await self._drain(receive)
                # The framework lets only its own exception through while it reads a body.
                raise HTTPException(PayloadTooLarge.status, self._refusal().message)
            return message

        return receive_counted

    async def _drain(self, receive: Receive) -> None:
        rest = self._max_bytes * _DRAIN_FACTOR
        while rest > 0:
            message = await receive()
            rest -= len(message.get("body", b""))
            if message["type"] != "http.request" or not message.get("more_body"):
                return

    def _refusal(self) -> PayloadTooLarge:
        return PayloadTooLarge(
            f"the request body is larger than {self._max_bytes} bytes; "
            "DOCSTEAD_MAX_BODY_BYTES allows more"
        )


def _announced_bytes(scope: Scope) -> int:
    text = Headers(scope=scope).get("content-length", "0")
    return int(text) if text.isascii() and text.isdigit() else 0
