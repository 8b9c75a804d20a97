"""Precomputed responses, down to the header bytes, which are cheap to send."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from starlette.types import Message, Send

from docstead.base.conditions import Coding, matches
from docstead.hosting.responses import document_headers, without_body
from docstead.hosting.served_document import ServedDocument

_OK = 200
_OVERHEAD_BYTES = 2048  # headers and keys of one response


@dataclass(frozen=True, slots=True)
class PreparedResponse:
    """One representation of a document as the ASGI messages that send it."""

    etag: str
    start: Message
    bare_start: Message  # of a response without a body
    unchanged: Message
    body: bytes
    content_type: str
    is_cacheable: bool

    @classmethod
    def of(cls, document: ServedDocument, policy: str, accepted: Coding | None) -> PreparedResponse:
        body, coding = document.form(accepted)
        headers = document_headers(document, policy, coding)
        whole = {**headers, "Content-Length": str(len(body))}
        return cls(
            headers["ETag"] if document.status == _OK else "",
            _start(document.status, whole),
            _start(document.status, whole),
            _start(304, without_body(headers)),
            body,
            document.content_type,
            document.is_cacheable,
        )

    async def send(self, send: Send, known: str | None, *, is_head: bool) -> None:
        """Send the response, or 304 if `known` (the request's If-None-Match) has its ETag."""
        if known and self.etag and matches(known, self.etag):
            await send(self.unchanged)
            await send(_EMPTY)
            return
        await send(self.bare_start if is_head else self.start)
        await send(_EMPTY if is_head else {"type": "http.response.body", "body": self.body})

    @property
    def size_bytes(self) -> int:
        return len(self.body) + _OVERHEAD_BYTES


_EMPTY: Message = {"type": "http.response.body", "body": b""}


def _start(status: int, headers: Mapping[str, str]) -> Message:
    raw = [(name.lower().encode("latin-1"), value.encode("latin-1"))
           for name, value in headers.items()]  # fmt: skip
    return {"type": "http.response.start", "status": status, "headers": raw}
