"""Answers in HTTP: validators, ranges, compression, and the headers that protect readers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote

from starlette.concurrency import iterate_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import Response, StreamingResponse

from docstead.base.units import MIB
from docstead.hosting.answers import Answer, Document, Moved, Stored
from docstead.publishing.edition_file import StoredAsset
from docstead.storage.objects import Objects

_FOREVER = "public, max-age=31536000, immutable"
_REVALIDATE = "public, no-cache"
_OK = 200
_READ_AT_ONCE_BYTES = MIB
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")
# Characters that may stand in a Location as they are; everything else is escaped.
_LOCATION_SAFE = "/:?#[]@!$&'()*+,;=%-._~"
_SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
}
# A drawing or a document of the repository that is opened by itself may show things, but
# has no origin: its scripts reach nobody's session.
_SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
_SANDBOXED_TYPES = ("image/svg+xml", "text/html", "application/xhtml+xml", "text/xml")


def page_policy(script_source: str) -> str:
    """The Content-Security-Policy of pages (hosting.md section 9).

    Scripts come from `script_source` alone. Media and frames of other hosts are shown, as
    authors use them; nothing is sent there by scripts.
    """
    return "; ".join(
        (
            "default-src 'self'",
            f"script-src {script_source}",
            "style-src 'self' 'unsafe-inline'",
            "font-src 'self' data:",
            "img-src 'self' https: data: blob:",
            "media-src 'self' https: data: blob:",
            "frame-src 'self' https: data:",
            "connect-src 'self'",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
        )
    )


class Responses:
    """Makes responses; blocking. Bytes of stored files come from `objects`."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects

    def of(self, answer: Answer, request: Headers, query: str, policy: str) -> Response:
        if isinstance(answer, Moved):
            return _moved(answer, query)
        if isinstance(answer, Stored):
            return self._stored(answer.asset, request)
        return document_response(answer, request, policy)

    def _stored(self, asset: StoredAsset, request: Headers) -> Response:
        etag = f'"{asset.sha256[:32]}"'
        headers = {
            **_SECURITY,
            "ETag": etag,
            "Cache-Control": _REVALIDATE,
            "Accept-Ranges": "bytes",
            "X-Robots-Tag": "noindex",
            "Content-Type": _with_charset(asset.content_type),
        }
        if asset.content_type.startswith(_SANDBOXED_TYPES):
            headers["Content-Security-Policy"] = _SANDBOX
        if _is_known(request, etag):
            return Response(status_code=304, headers=_without_body(headers))
        wanted = _wanted_range(request, etag, asset.size_bytes)
        if wanted is None:
            return self._streamed(asset, 0, asset.size_bytes, 200, headers)
        start, end = wanted
        if start >= end:
            unsatisfiable = {**_SECURITY, "Content-Range": f"bytes */{asset.size_bytes}"}
            return Response(status_code=416, headers=unsatisfiable)
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{asset.size_bytes}"
        return self._streamed(asset, start, end, 206, headers)

    def _streamed(
        self, asset: StoredAsset, start: int, end: int, status: int, headers: dict[str, str]
    ) -> Response:
        if end - start <= _READ_AT_ONCE_BYTES:
            return Response(self._objects.read(asset.object_key, start, end), status, headers)
        headers["Content-Length"] = str(end - start)
        blocks = self._objects.stream(asset.object_key, start, end)
        return StreamingResponse(iterate_in_threadpool(blocks), status, headers)


def document_response(document: Document, request: Headers, policy: str) -> Response:
    """A document, compressed where the reader takes that; 304 where they have it already."""
    zipped = document.gzipped if _takes_gzip(request) else None
    etag = f'"{document.etag}{"-gz" if zipped else ""}"'
    headers = {
        **_SECURITY,
        **dict(document.headers),
        "ETag": etag,
        "Cache-Control": _FOREVER if document.immutable else _REVALIDATE,
        "Content-Type": document.content_type,
        "Content-Security-Policy": policy,
    }
    if document.gzipped:
        headers["Vary"] = ", ".join(filter(None, (headers.get("Vary"), "Accept-Encoding")))
    if document.immutable:
        headers["X-Robots-Tag"] = "noindex"
    if document.status == _OK and _is_known(request, etag):
        return Response(status_code=304, headers=_without_body(headers))
    if zipped:
        headers["Content-Encoding"] = "gzip"
    return Response(zipped or document.body, document.status, headers)


def _moved(answer: Moved, query: str) -> Response:
    location = answer.location
    if query and "?" not in location:
        path, hash_, fragment = location.partition("#")
        location = f"{path}?{query}{hash_}{fragment}"
    headers = {**_SECURITY, "Location": quote(location, safe=_LOCATION_SAFE)}
    return Response(status_code=answer.status, headers=headers)


def _is_known(request: Headers, etag: str) -> bool:
    known = request.get("if-none-match", "")
    return known.strip() == "*" or etag in (
        tag.strip().removeprefix("W/") for tag in known.split(",")
    )


def _wanted_range(request: Headers, etag: str, size: int) -> tuple[int, int] | None:
    """Start and end of the one range that is asked for; start = end where there are no bytes."""
    match = _RANGE.fullmatch(request.get("range", "").strip())
    if match is None or request.get("if-range", etag) != etag or match[0] == "bytes=-":
        return None
    if not match[1]:
        length = min(int(match[2]), size)
        return size - length, size
    start = int(match[1])
    end = min(int(match[2]) + 1, size) if match[2] else size
    if match[2] and int(match[2]) < start:
        return None
    return min(start, end), end


def _takes_gzip(request: Headers) -> bool:
    for coding in request.get("accept-encoding", "").lower().split(","):
        name, _, weight = coding.strip().partition(";")
        if name.strip() == "gzip":
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def _without_body(headers: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value
        for name, value in headers.items()
        if name not in ("Content-Type", "Content-Length", "Content-Encoding")
    }


def _with_charset(content_type: str) -> str:
    is_text = content_type.startswith("text/") or content_type == "application/json"
    return f"{content_type}; charset=utf-8" if is_text and ";" not in content_type else content_type
