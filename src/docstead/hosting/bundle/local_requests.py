"""Previews on this machine, without access for other websites in the same browser.

A website can point its own name at 127.0.0.1 (DNS rebinding), or name a script of the preview,
such as the search records, and read unpublished pages.
"""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from docstead.accounts.site_hosts import is_ip_address, is_loopback
from docstead.hosting.requests import host_of

_WRONG_HOST = (
    "A preview answers at localhost, names below it, and IP addresses. "
    "Start it with --host 0.0.0.0 to use another name.\n"
)
_WRONG_SITE = "A preview is not part of other websites.\n"


class LocalRequests:
    """Passes requests to `app` if they name this machine and come from its own pages."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = _refusal(Headers(scope=scope)) if scope["type"] == "http" else ""
        app = PlainTextResponse(refusal, 403) if refusal else self._app
        await app(scope, receive, send)


def _refusal(headers: Headers) -> str:
    host = host_of(headers.get("host", ""))
    if not is_loopback(host) and not is_ip_address(host):
        return _WRONG_HOST
    is_foreign = headers.get("sec-fetch-site") == "cross-site"
    return _WRONG_SITE if is_foreign and headers.get("sec-fetch-mode") != "navigate" else ""
