"""Allowed methods of paths, and implicit HEAD support."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Receive, Scope, Send

_METHODS = ("DELETE", "GET", "PATCH", "POST", "PUT")
_FILES = "/_files/"  # without reading data for HEAD


class HeadAsGet:
    """Middleware that answers HEAD like GET; the server omits the body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_head = scope["type"] == "http" and scope["method"] == "HEAD"
        if is_head and not scope["path"].startswith(_FILES):
            scope = {**scope, "method": "GET"}
        await self._app(scope, receive, send)


def allowed(routes: Sequence[BaseRoute], scope: Scope) -> str:
    """Return the `Allow` header of a path, with the methods of all its routes."""
    known = [
        method
        for method in _METHODS
        if any(route.matches({**scope, "method": method})[0] is Match.FULL for route in routes)
    ]
    return ", ".join(sorted([*known, *(["HEAD"] if "GET" in known else [])]))
