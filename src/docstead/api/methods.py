"""HEAD, which no route names itself."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

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
