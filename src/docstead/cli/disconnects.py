"""Logging of clients that disconnect while sending a request: one line, no traceback."""

from __future__ import annotations

import logging

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Receive, Scope, Send

_log = logging.getLogger(__name__)


class LoggedDisconnects:
    """Middleware that ends requests whose body was interrupted."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._app(scope, receive, send)
        except ClientDisconnect:
            _log.info("%s %r: the body broke off", scope["method"], scope["path"])
