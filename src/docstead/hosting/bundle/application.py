"""ASGI application that serves the live bundle.

`/livez` and `/healthz` report that the process is running, `/readyz` the live bundle and the
latest error. They are at the root, independent of the base path. All other paths belong to the
bundle.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from starlette.concurrency import iterate_in_threadpool, run_in_threadpool
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from docstead.base.conditions import accepted_coding, is_known, requested_range
from docstead.base.unexpected import request_failure
from docstead.hosting.bundle.files import BundleFile
from docstead.hosting.bundle.site import BundleSite
from docstead.hosting.notices import notice
from docstead.hosting.prepared_response import PreparedResponse
from docstead.hosting.requests import is_plain, wants_markdown
from docstead.hosting.responses import (
    FOREVER,
    REVALIDATE,
    SECURITY,
    moved_response,
    page_policy,
    with_charset,
    without_body,
    without_content,
)
from docstead.hosting.served_document import Redirection, ServedDocument

_log = logging.getLogger(__name__)
_METHODS = ("GET", "HEAD")
_READY_PATH = "/readyz"
_HEALTH_PATHS = ("/livez", "/healthz", _READY_PATH)
_USED = (b"accept", b"accept-encoding", b"if-none-match", b"range", b"if-range")
_NOT_READY = "No bundle is live yet", "No bundle has been installed yet. Try again in a moment."


class BundleProvider(Protocol):
    """Provider of the live bundle."""

    @property
    def site(self) -> BundleSite | None: ...

    def report(self) -> Mapping[str, Any]:
        """Return the body of `/readyz`; `status` is "ready" if a bundle is served."""
        ...


class BundleHosting:
    """ASGI application that serves the live bundle of `manager`.

    `waiting` returns title and text of the page that is shown while there is none.
    """

    def __init__(
        self, manager: BundleProvider, waiting: Callable[[], tuple[str, str]] = lambda: _NOT_READY
    ) -> None:
        self._manager = manager
        self._waiting = waiting

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # servers treat this as "lifespan is not supported"
            raise RuntimeError(f"bundles are not served over {scope['type']}")
        headers = {name: value for name, value in scope["headers"] if name in _USED}
        asked = {name.decode(): value.decode("latin-1") for name, value in headers.items()}
        try:
            answer = await self._answer(scope, asked)
        except Exception:
            failure = request_failure(_log, scope["method"], scope["path"])
            answer = _notice("This page cannot be shown", failure.message, 503)
        is_head = scope["method"] == "HEAD"
        if isinstance(answer, PreparedResponse):
            await answer.send(send, asked.get("if-none-match"), is_head=is_head)
        else:
            await (without_content(answer) if is_head else answer)(scope, receive, send)

    async def _answer(self, scope: Scope, asked: Mapping[str, str]) -> PreparedResponse | Response:
        path = scope["path"]
        if scope["method"] not in _METHODS:
            refusal = _notice("Method not allowed", "Use GET.", 405)
            refusal.headers["Allow"] = ", ".join(_METHODS)
            return refusal
        if path in _HEALTH_PATHS:
            return self._health(path)
        site = self._manager.site
        if site is None:
            return _notice(*self._waiting(), 503)
        return await self._of(site, path, scope, asked)

    async def _of(
        self, site: BundleSite, path: str, scope: Scope, asked: Mapping[str, str]
    ) -> PreparedResponse | Response:
        if not is_plain(path) or not f"{path}/".startswith(f"{site.base_path}/"):
            return _notice("Page not found", "Check the URL.", 404)
        markdown, accepted = wants_markdown(asked.get("accept", "")), accepted_coding(asked)
        part = "range" in asked
        key = (path, markdown, accepted)
        ready = None if part else site.ready.get(key)
        if ready is not None:
            return ready
        below = path[len(site.base_path) :]
        if part:
            return await run_in_threadpool(_part, site, below, asked)
        found = await run_in_threadpool(
            site.respond, below, wants_markdown=markdown, accepted=accepted
        )
        if isinstance(found, Redirection):
            return moved_response(found, scope["query_string"].decode("latin-1"))
        if isinstance(found, BundleFile):
            return _streamed(site, found, asked)
        if found.is_cacheable:
            site.ready.put(key, found)
        return found

    def _health(self, path: str) -> Response:
        report = self._manager.report() if path == _READY_PATH else {"status": "ok"}
        status = 200 if report["status"] in ("ok", "ready") else 503
        body = json.dumps(report, ensure_ascii=False).encode()
        headers = {**SECURITY, "Cache-Control": "no-store"}
        return Response(body, status, headers, "application/json")


def _part(site: BundleSite, path: str, asked: Mapping[str, str]) -> PreparedResponse | Response:
    """Return the response to a range request, never compressed."""
    found = site.files.at(path)
    if isinstance(found, BundleFile):
        return _streamed(site, found, asked)
    if isinstance(found, Redirection):
        return moved_response(found, "")
    answer = site.respond(path, wants_markdown=False, accepted=None)
    assert isinstance(answer, PreparedResponse)  # noqa: S101 - what is not there is a page of its own
    return answer


def _streamed(site: BundleSite, file: BundleFile, asked: Mapping[str, str]) -> Response:
    etag = f'"{file.etag}"'
    headers = {
        **SECURITY,
        "ETag": etag,
        "Cache-Control": FOREVER if file.is_immutable else REVALIDATE,
        "Accept-Ranges": "bytes",
        "Content-Type": with_charset(file.content_type),
        "Content-Security-Policy": site.policy(file.content_type),
    }
    if not file.path.endswith((".html", ".md", ".txt")):
        headers["X-Robots-Tag"] = "noindex"
    if is_known(asked, etag):
        return Response(status_code=304, headers=without_body(headers))
    start, end = requested_range(asked, etag, file.size_bytes) or (0, file.size_bytes)
    is_part = requested_range(asked, etag, file.size_bytes) is not None
    if is_part and start >= end:
        unsatisfiable = {**SECURITY, "Content-Range": f"bytes */{file.size_bytes}"}
        return Response(status_code=416, headers=unsatisfiable)
    if is_part:
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{file.size_bytes}"
    headers["Content-Length"] = str(end - start)
    blocks = iterate_in_threadpool(site.files.blocks(file, start, end))
    return StreamingResponse(blocks, 206 if is_part else 200, headers)


def _notice(title: str, text: str, status: int) -> Response:
    shown: ServedDocument = notice(title, text, status)
    headers = {
        **SECURITY,
        "Cache-Control": "no-store",
        "Content-Type": shown.content_type,
        "Content-Security-Policy": page_policy("'none'"),
    }
    return Response(shown.body, status, headers)
