"""Downloads of locally stored objects by signed URL.

Responses match those of S3: 403 for an expired or modified link, 404 for a missing object, 304 and
412 for conditions, 206 and 416 for byte ranges. No API key is needed.
"""

from __future__ import annotations

import hashlib
import mimetypes
import re
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from starlette.responses import Response, StreamingResponse

from docstead.api.errors import ErrorBody
from docstead.api.routers import new_router
from docstead.base.conditions import is_known, matches, requested_range
from docstead.base.errors import NotFound
from docstead.storage.links import PATH_PREFIX, LinkSigner
from docstead.storage.objects import ObjectStore


def files_routes(objects: ObjectStore, signer: LinkSigner) -> APIRouter:
    """Return routes for `GET` and `HEAD /_files/{key}` with links signed by `signer`."""
    router = new_router()

    @router.api_route(PATH_PREFIX + "{key:path}", methods=["GET", "HEAD"], include_in_schema=False)
    def download(  # noqa: PLR0917
        request: Request,
        key: str,
        exp: Annotated[str, Query()] = "",
        kid: Annotated[str, Query()] = "",
        sig: Annotated[str, Query()] = "",
        filename: Annotated[str | None, Query()] = None,
    ) -> Response:
        signer.verify(key, exp=exp, kid=kid, sig=sig, filename=filename, method=request.method)
        size = objects.size(key)
        if size is None:
            raise NotFound("this file no longer exists")
        return _answer(request, objects, key, size, _headers(key, size, filename))

    return router


def _answer(
    request: Request, objects: ObjectStore, key: str, size: int, headers: dict[str, str]
) -> Response:
    etag = headers["ETag"]
    if not matches(request.headers.get("if-match", "*"), etag):
        return _refusal(412, "the file is not the one of If-Match", {"ETag": etag})
    if is_known(request.headers, etag):
        unchanged = {name: headers[name] for name in ("ETag", "Cache-Control")}
        return Response(None, 304, unchanged)
    requested = requested_range(request.headers, etag, size)
    start, end = requested or (0, size)
    if requested and start == end:
        outside = {"Content-Range": f"bytes */{size}", "Accept-Ranges": "bytes"}
        return _refusal(416, "the range is outside the file", outside)
    headers["Content-Length"] = str(end - start)
    if requested:
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
    status = 206 if requested else 200
    if request.method == "HEAD":
        return Response(None, status, headers)
    return StreamingResponse(objects.stream(key, start, end), status, headers)


def _refusal(status: int, error: str, headers: dict[str, str]) -> Response:
    return Response(ErrorBody(error=error).model_dump_json(), status, headers, "application/json")


def _headers(key: str, size: int, filename: str | None) -> dict[str, str]:
    name = filename or key.rpartition("/")[2]
    kind = "application/gzip" if name.endswith(".gz") else mimetypes.guess_type(name)[0]
    tag = hashlib.sha256(f"{key}\0{size}".encode()).hexdigest()[:32]
    return {
        "Content-Type": kind or "application/octet-stream",
        "Content-Disposition": _disposition(name),
        "Accept-Ranges": "bytes",
        "ETag": f'"{tag}"',  # objects are immutable
        "Cache-Control": "private, no-store",
        "X-Content-Type-Options": "nosniff",
    }


def _disposition(name: str) -> str:
    """Return a header that forces a download: files of repositories must not run here."""
    plain = re.sub(r"[^A-Za-z0-9._ -]", "_", name)
    extended = "" if plain == name else f"; filename*=UTF-8''{quote(name, safe='')}"
    return f'attachment; filename="{plain}"{extended}'
