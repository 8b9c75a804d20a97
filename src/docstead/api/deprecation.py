"""`Deprecation` header on all responses of deprecated paths, including errors."""

from __future__ import annotations

from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

DEPRECATED_PREFIXES = ("/discovery/v1/assistant/", "/v1/agent/")
_HEADER = "Deprecation"
_DESCRIBED = {"description": "`true`: use the second version.", "schema": {"type": "string"}}


class DeprecationMiddleware:
    """Middleware that adds `Deprecation: true` below the deprecated prefixes."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(DEPRECATED_PREFIXES):
            await self._app(scope, receive, send)
            return

        async def send_deprecated(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[_HEADER] = "true"
            await send(message)

        await self._app(scope, receive, send_deprecated)


def describe_deprecation(operation: dict[str, Any]) -> None:
    """Add the header to all responses of a deprecated operation in the OpenAPI document."""
    if operation.get("deprecated"):
        for response in operation["responses"].values():
            response["headers"] = {_HEADER: dict(_DESCRIBED), **response.get("headers", {})}
