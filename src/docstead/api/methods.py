"""Which methods an address knows, and HEAD, which no route names itself."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Receive, Scope, Send

_METHODS = ("DELETE", "GET", "PATCH", "POST", "PUT")
_FILES = "/_files/"  # which reads nothing for HEAD


class HeadAsGet:
    """Answers HEAD as GET is answered; the server leaves the body out."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_head = scope["type"] == "http" and scope["method"] == "HEAD"
        if is_head and not scope["path"].startswith(_FILES):
            scope = {**scope, "method": "GET"}
        await self._app(scope, receive, send)


def allowed(routes: Sequence[BaseRoute], scope: Scope) -> str:
    """The header `Allow` of an address: the methods of all routes that share it."""
    known = [
        method
        for method in _METHODS
        if any(route.matches({**scope, "method": method})[0] is Match.FULL for route in routes)
    ]
    return ", ".join(sorted([*known, *(["HEAD"] if "GET" in known else [])]))
