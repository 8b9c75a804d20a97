"""Responses that are finished down to their header bytes, so that sending them costs little."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from starlette.types import Message, Send

from docstead.hosting.answers import ServedDocument
from docstead.hosting.conditions import is_known
from docstead.hosting.responses import document_headers, without_body

_OK = 200
_OVERHEAD_BYTES = 2048  # headers and keys of one response


@dataclass(frozen=True, slots=True)
class Ready:
    """One form of a document as the messages that send it."""

    etag: str
    start: Message
    bare_start: Message  # of an answer without a body
    unchanged: Message
    body: bytes
    content_type: str

    @classmethod
    def of(cls, document: ServedDocument, policy: str, *, is_zipped: bool) -> Ready:
        headers = document_headers(document, policy, is_zipped=is_zipped)
        body = (document.gzipped if is_zipped else None) or document.body
        whole = {**headers, "Content-Length": str(len(body))}
        return cls(
            headers["ETag"] if document.status == _OK else "",
            _start(document.status, whole),
            _start(document.status, whole),
            _start(304, without_body(headers)),
            body,
            document.content_type,
        )

    async def send(self, send: Send, known: str | None, *, is_head: bool) -> None:
        """`known` is the request's If-None-Match."""
        if known and self.etag and is_known({"if-none-match": known}, self.etag):
            await send(self.unchanged)
            await send(_EMPTY)
            return
        await send(self.bare_start if is_head else self.start)
        await send(_EMPTY if is_head else {"type": "http.response.body", "body": self.body})

    @property
    def size_bytes(self) -> int:
        return len(self.body) + _OVERHEAD_BYTES


_EMPTY: Message = {"type": "http.response.body", "body": b""}


class Sized(Protocol):
    """Object with a known size in memory."""

    @property
    def size_bytes(self) -> int: ...


S = TypeVar("S", bound=Sized)


class FirstKept(Generic[S]):
    """Cache that keeps the first entries, up to `max_bytes`. For the event loop only."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._size_bytes = 0
        self._kept: OrderedDict[tuple[object, ...], S] = OrderedDict()

    def get(self, key: tuple[object, ...]) -> S | None:
        return self._kept.get(key)

    def add(self, key: tuple[object, ...], value: S) -> None:
        if value.size_bytes > self._max_bytes:
            return  # the others stay
        replaced = self._kept.get(key)
        self._size_bytes += value.size_bytes - (replaced.size_bytes if replaced else 0)
        self._kept[key] = value
        while self._size_bytes > self._max_bytes and self._kept:
            _, oldest = self._kept.popitem(last=False)
            self._size_bytes -= oldest.size_bytes


def _start(status: int, headers: Mapping[str, str]) -> Message:
    raw = [(name.lower().encode("latin-1"), value.encode("latin-1"))
           for name, value in headers.items()]  # fmt: skip
    return {"type": "http.response.start", "status": status, "headers": raw}
