"""HTTP responses: validators, ranges, compression and security headers."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from urllib.parse import quote

from starlette.concurrency import iterate_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import Response, StreamingResponse

from docstead.base.conditions import Coding, accepted_coding, is_known, requested_range
from docstead.base.errors import NotFound, Unavailable
from docstead.base.throttled_log import ThrottledLog
from docstead.base.units import MIB
from docstead.hosting.served_document import Redirection, ServedDocument, SiteContent, StoredFile
from docstead.hosting.shared_hosts import shared_file_headers
from docstead.publishing.edition_format import StoredAsset
from docstead.storage.objects import ObjectStore

_log = logging.getLogger(__name__)
FOREVER = "public, max-age=31536000, immutable"
REVALIDATE = "public, no-cache"
_OK = 200
_READ_AT_ONCE_BYTES = MIB
# Characters of a Location header that are not escaped.
_LOCATION_SAFE = "/:?#[]@!$&'()*+,;=%-._~"
SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
}
# Images and documents of the repository may be opened directly, but get an opaque
# origin, so their scripts have no access to a session.
SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
_HTML_TYPE = "text/html"
# Browsers apply the policy of the page to scripts, style sheets and fonts.
_INERT_TYPES = ("text/css", "text/javascript", "font/")
# Browsers show every XML type as a document, in which elements of XHTML and SVG run scripts.
_XML_TYPE = re.compile(r"(?:text|application)/xml\b|[\w.-]+/[\w.-]+\+xml\b")


def page_policy(script_source: str, connect: Iterable[str] = ()) -> str:
    """Return the Content-Security-Policy of pages.

    Scripts are loaded only from `script_source` and connect to `connect` and the site itself. Media
    and frames of other hosts are allowed, because authors embed them.
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
            " ".join(("connect-src 'self'", *connect)),
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
        )
    )


def is_xml(content_type: str) -> bool:
    """Report whether browsers show files of a media type as XML documents."""
    return _XML_TYPE.match(content_type) is not None


class ResponseBuilder:
    """Builds responses; blocking. The bytes of stored files come from `objects`."""

    def __init__(self, objects: ObjectStore) -> None:
        self._objects = objects
        self._lost = ThrottledLog(_log)

    def of(
        self, answer: SiteContent, request: Headers, query: str, policy: str, *, is_shared: bool
    ) -> Response:
        """Return the response for content; `is_shared` means that the host also serves others."""
        if isinstance(answer, Redirection):
            return moved_response(answer, query)
        if isinstance(answer, StoredFile):
            return self._stored(answer.asset, request, is_shared=is_shared)
        return document_response(answer, request, policy)

    def _stored(self, asset: StoredAsset, request: Headers, *, is_shared: bool) -> Response:
        etag = f'"{asset.sha256[:32]}"'
        headers = {
            **SECURITY,
            "ETag": etag,
            "Cache-Control": REVALIDATE,
            "Accept-Ranges": "bytes",
            "X-Robots-Tag": "noindex",
            "Content-Type": with_charset(asset.content_type),
            **(shared_file_headers(asset.content_type) if is_shared else {}),
        }
        if asset.content_type.startswith(_HTML_TYPE) or is_xml(asset.content_type):
            headers["Content-Security-Policy"] = SANDBOX
        if is_known(request, etag):
            return Response(status_code=304, headers=without_body(headers))
        requested = requested_range(request, etag, asset.size_bytes)
        if requested is None:
            return self._streamed(asset, 0, asset.size_bytes, 200, headers)
        start, end = requested
        if start >= end:
            unsatisfiable = {**SECURITY, "Content-Range": f"bytes */{asset.size_bytes}"}
            return Response(status_code=416, headers=unsatisfiable)
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{asset.size_bytes}"
        return self._streamed(asset, start, end, 206, headers)

    def _streamed(
        self, asset: StoredAsset, start: int, end: int, status: int, headers: dict[str, str]
    ) -> Response:
        key = asset.object_key
        if end - start <= _READ_AT_ONCE_BYTES:
            try:
                return Response(self._objects.read(key, start, end), status, headers)
            except NotFound as error:
                raise self._loss(asset) from error
        if self._objects.size(key) is None:  # before the status is sent
            raise self._loss(asset)
        headers["Content-Length"] = str(end - start)
        blocks = self._objects.stream(key, start, end)
        return StreamingResponse(iterate_in_threadpool(blocks), status, headers)

    def _loss(self, asset: StoredAsset) -> Unavailable:
        self._lost.warning(
            "the stored file %s is lost (%s); publish its site again to restore it",
            asset.path,
            asset.object_key,
        )
        return Unavailable("a file of the site is lost")


def document_response(document: ServedDocument, request: Headers, policy: str) -> Response:
    """Return a document, compressed if the client accepts it, or 304 if it is unchanged."""
    body, coding = document.form(accepted_coding(request))
    headers = document_headers(document, policy, coding)
    if document.status == _OK and is_known(request, headers["ETag"]):
        return Response(status_code=304, headers=without_body(headers))
    return Response(body, document.status, headers)


def document_headers(
    document: ServedDocument, policy: str, coding: Coding | None
) -> dict[str, str]:
    """Return the headers of one representation of a document, without its length."""
    headers = {
        **SECURITY,
        **dict(document.headers),
        "ETag": f'"{document.etag}{f"-{coding}" if coding else ""}"',
        "Cache-Control": FOREVER if document.immutable else REVALIDATE,
        "Content-Type": document.content_type,
    }
    if not (document.immutable and document.content_type.startswith(_INERT_TYPES)):
        headers["Content-Security-Policy"] = policy
    if document.immutable:  # pages with an opaque origin also load fonts and modules with CORS
        headers["Access-Control-Allow-Origin"] = "*"
    if document.forms:
        headers["Vary"] = ", ".join(filter(None, (headers.get("Vary"), "Accept-Encoding")))
    if document.immutable:
        headers["X-Robots-Tag"] = "noindex"
    if coding:
        headers["Content-Encoding"] = coding
    return headers


def moved_response(answer: Redirection, query: str) -> Response:
    """Return a redirect that keeps the request's query unless the target has one."""
    location = answer.location
    if query and "?" not in location:
        path, hash_, fragment = location.partition("#")
        location = f"{path}?{query}{hash_}{fragment}"
    headers = {**SECURITY, "Location": quote(location, safe=_LOCATION_SAFE)}
    return Response(status_code=answer.status, headers=headers)


def without_body(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers of a response without a body."""
    return {
        name: value
        for name, value in headers.items()
        if name not in ("Content-Type", "Content-Length", "Content-Encoding")
    }


def without_content(response: Response) -> Response:
    """Return a copy of a response for HEAD, so that no file is read."""
    bare = Response(status_code=response.status_code)
    bare.raw_headers = response.raw_headers
    return bare


def with_charset(content_type: str) -> str:
    """Return a media type with a charset if it is text."""
    is_text = content_type.startswith("text/") or content_type == "application/json"
    return f"{content_type}; charset=utf-8" if is_text and ";" not in content_type else content_type
