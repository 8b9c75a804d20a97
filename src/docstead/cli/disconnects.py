"""Requests whose client goes away before it has sent them: one line in the log, no trace."""

from __future__ import annotations

import logging

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Receive, Scope, Send

_log = logging.getLogger(__name__)


class LoggedDisconnects:
    """Ends a request whose body broke off; nobody is left to answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._app(scope, receive, send)
        except ClientDisconnect:
            _log.info("%s %r: the body broke off", scope["method"], scope["path"])
