"""CORS for the assistant endpoints; admin endpoints send no CORS headers.

Assistant keys are public (docs/guides/keys.mdx), so every origin is allowed.
"""

from __future__ import annotations

from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

PUBLIC_PREFIX = "/discovery/"
_EXPOSED = (
    "X-Thread-Id",
    "X-Thread-Key",
    "Retry-After",
    "RateLimit",
    "RateLimit-Policy",
    "Deprecation",
)


class _JsonPreflights(CORSMiddleware):
    """CORS with refused preflights in the format of all errors."""

    def preflight_response(self, request_headers: Headers) -> Response:
        answer = super().preflight_response(request_headers)
        if answer.status_code == HTTPStatus.OK:
            return answer
        headers = {
            name: value
            for name, value in answer.headers.items()
            if name not in ("content-length", "content-type")
        }
        message = bytes(answer.body).decode().replace("Disallowed", "disallowed", 1)
        return JSONResponse({"error": message}, answer.status_code, headers)


class CrossOrigin:
    """Middleware that adds CORS headers to paths under `/discovery/`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._public = _JsonPreflights(
            app,
            allow_origins=("*",),
            allow_methods=("GET", "POST"),
            # Instrumented pages add their own tracing headers; cookies are never read.
            allow_headers=("*",),
            expose_headers=_EXPOSED,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_public = scope["type"] == "http" and scope["path"].startswith(PUBLIC_PREFIX)
        await (self._public if is_public else self._app)(scope, receive, send)
