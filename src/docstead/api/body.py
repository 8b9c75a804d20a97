"""Size limits of request bodies: 413 by `Content-Length`, otherwise while reading.

The total memory of large bodies is limited as well; requests beyond it get 503. Compressed bodies
get 415, because nothing here unpacks them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docstead.api.errors import error_response
from docstead.base.bodies import RequestMemory
from docstead.base.errors import CompressedBody, DocsteadError, PayloadTooLarge, Unavailable
from docstead.base.units import KIB, MIB

# Bytes of a rejected body that are read, so that clients that send first and read later
# receive the response instead of a connection error.
_DRAINED = 16 * MIB
_UNCOUNTED = 64 * KIB  # of each body, not counted: large bodies never block small ones
_MOST_TOGETHER = 256 * MIB
_RETRY_SECONDS = 5
_COMPRESSIONS = frozenset({"gzip", "x-gzip", "deflate", "br", "zstd", "compress", "x-compress"})


@dataclass(frozen=True, slots=True)
class BodyLimit:
    """Maximum size of a body, and advice on how to stay below it.

    Bodies that are written to a file as they arrive are not `in_memory`, and may be compressed.
    """

    max_bytes: int
    advice: str
    in_memory: bool = True


class LimitedBody:
    """Middleware that rejects bodies over `max_bytes`, or over a request's own limit.

    Bodies stay in memory, and are counted, until their requests are answered.
    """

    def __init__(
        self,
        app: ASGIApp,
        max_bytes: int,
        limit_of: Callable[[Scope], BodyLimit | None] = lambda _: None,
        memory: RequestMemory | None = None,
    ) -> None:
        self._app = app
        self._limit = BodyLimit(max_bytes, "DOCSTEAD_MAX_BODY_BYTES allows more")
        self._limit_of = limit_of
        self._memory = memory or RequestMemory(_MOST_TOGETHER)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = self._limit_of(scope) or self._limit
        body = _ReceivedBody(receive, limit, self._memory)
        if refusal := _refused_compression(scope, limit) or body.refusal(_announced_bytes(scope)):
            await body.drain()
            await error_response(refusal)(scope, receive, send)
            return
        try:
            await self._app(scope, body.receive, send)
        finally:
            body.release()


class _ReceivedBody:
    """Body of one request, counted while it is received."""

    def __init__(self, receive: Receive, limit: BodyLimit, memory: RequestMemory) -> None:
        self._receive = receive
        self._limit = limit
        self._memory = memory
        self._read = self._taken = 0

    async def receive(self) -> Message:
        message = await self._receive()
        self._read += len(message.get("body", b""))
        if refusal := self.refusal(self._read):
            await self.drain()
            # FastAPI passes only its own exception through while it reads a body.
            raise HTTPException(refusal.status, refusal.message, dict(refusal.headers))
        return message

    def refusal(self, size: int) -> DocsteadError | None:
        """Reserve memory for a body of `size` bytes; return an error if it is too large."""
        if size > self._limit.max_bytes:
            most, advice = self._limit.max_bytes, self._limit.advice
            return PayloadTooLarge(f"the request body is larger than {most} bytes; {advice}")
        more = size - _UNCOUNTED - self._taken if self._limit.in_memory else 0
        if more > 0 and not self._memory.take(more):
            return _BodyMemoryFull("too many large requests are being answered; try again")
        self._taken += max(0, more)
        return None

    def release(self) -> None:
        self._memory.release(self._taken)
        self._taken = 0

    async def drain(self) -> None:
        self.release()
        rest = max(self._limit.max_bytes, _DRAINED) if self._limit.in_memory else _DRAINED
        while rest > 0:
            message = await self._receive()
            rest -= len(message.get("body", b""))
            if message["type"] != "http.request" or not message.get("more_body"):
                return


class _BodyMemoryFull(Unavailable):
    @property
    def headers(self) -> dict[str, str]:
        return {"Retry-After": str(_RETRY_SECONDS)}


def _refused_compression(scope: Scope, limit: BodyLimit) -> DocsteadError | None:
    """Return an error for a compressed body. Unknown encodings are ignored."""
    encodings = Headers(scope=scope).get("content-encoding", "").lower()
    compressions = _COMPRESSIONS.intersection(each.strip() for each in encodings.split(","))
    return CompressedBody() if compressions and limit.in_memory else None


def _announced_bytes(scope: Scope) -> int:
    text = Headers(scope=scope).get("content-length", "0")
    return int(text) if text.isascii() and text.isdigit() else 0
