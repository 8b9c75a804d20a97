"""Which endpoints a browser may call from another site: the assistant's, never the admin's.

Assistant keys are public (docs/guides/keys.mdx), so any origin
is answered unless the owner names some. Admin endpoints send no CORS header at all.
"""

from __future__ import annotations

from collections.abc import Sequence

from starlette.middleware.cors import CORSMiddleware
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


class CrossOrigin:
    """Adds CORS to paths under `/discovery/`."""

    def __init__(self, app: ASGIApp, allowed_origins: Sequence[str] = ("*",)) -> None:
        self._app = app
        self._public = CORSMiddleware(
            app,
            allow_origins=allowed_origins,
            allow_methods=("GET", "POST"),
            # Pages that trace their requests add headers of their own; no cookie is ever read.
            allow_headers=("*",),
            expose_headers=_EXPOSED,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_public = scope["type"] == "http" and scope["path"].startswith(PUBLIC_PREFIX)
        await (self._public if is_public else self._app)(scope, receive, send)
