"""Rate limit by IP address for endpoints that can be called without a secret key."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from docstead.api.cross_origin import PUBLIC_PREFIX
from docstead.api.errors import error_response
from docstead.base.errors import RateLimited

Admit = Callable[[HTTPConnection], None]


def everyone(_: HTTPConnection) -> None:
    """Accept every request."""


class AdmitByAddress:
    """Middleware that answers 429 below `/discovery/` if `admit` raises RateLimited."""

    def __init__(self, app: ASGIApp, admit: Admit) -> None:
        self._app = app
        self._admit = admit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            if scope["type"] == "http" and scope["path"].startswith(PUBLIC_PREFIX):
                self._admit(HTTPConnection(scope))
        except RateLimited as error:
            await error_response(error)(scope, receive, send)
        else:
            await self._app(scope, receive, send)
