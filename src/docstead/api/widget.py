"""`GET` and `HEAD /_docs/widget.js`: the assistant for other websites, as one script.

Its URL is stable, so caches revalidate it. Pages of any origin may load it, also as a module.
"""

from __future__ import annotations

import gzip
import hashlib

from fastapi import APIRouter, Request
from starlette.responses import Response

from docstead.api.routers import new_router
from docstead.base.conditions import is_known
from docstead.base.features import ALL_FEATURES, Features

PATH = "/_docs/widget.js"
_KEPT_SECONDS = 300


def widget_routes(script: bytes, features: Features = ALL_FEATURES) -> APIRouter:
    """Return the routes of the script, which answer 503 if `features` lack the assistant."""
    router = new_router()
    zipped = gzip.compress(script, 9, mtime=0)
    etag = f'"{hashlib.sha256(script).hexdigest()[:32]}"'
    headers = {
        "ETag": etag,
        "Cache-Control": f"public, max-age={_KEPT_SECONDS}",
        "Vary": "Accept-Encoding",
        "Access-Control-Allow-Origin": "*",
        "Cross-Origin-Resource-Policy": "cross-origin",
        "X-Content-Type-Options": "nosniff",
    }

    @router.api_route(PATH, methods=["GET", "HEAD"], include_in_schema=False)
    def widget(request: Request) -> Response:
        features.require("assistant")
        if is_known(request.headers, etag):
            return Response(status_code=304, headers=headers)
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(script, headers=headers, media_type="text/javascript")
        coded = {**headers, "Content-Encoding": "gzip"}
        return Response(zipped, headers=coded, media_type="text/javascript")

    return router
