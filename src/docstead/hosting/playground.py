"""Sends the requests of a site's API playground for its readers (components.md, 7.1).

    POST {site}/_docs/api/request   {"page", "method", "url", "headers": [[name, value]], "body"}
    200                             {"status", "headers": [[name, value]], "body": base64}

It is no open proxy: a request goes only to a server that the operation of the published
page names, comes only from the site itself, and what is private is reached only where the
settings allow it.
"""

from __future__ import annotations

import base64
import json
import re
from html import unescape

import msgspec
from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from docstead.base.decoders import json_decoder
from docstead.base.errors import DocsteadError, Forbidden, InvalidRequest, NotFound
from docstead.base.outbound import Answer, Outbound
from docstead.base.units import KIB, MIB
from docstead.content.narrowing import open_to
from docstead.content.slugs import find_page
from docstead.hosting.places import Places
from docstead.hosting.requests import check_origin, prefix_of
from docstead.publishing.edition import Edition
from docstead.publishing.editions import Editions

PATH = "/_docs/api/request"
_DESCRIPTION = re.compile(r' data-playground="([^"]*)"')
_MOST_REQUEST = 512 * KIB
_MOST_ANSWER = 5 * MIB
_AT_ONCE = 16
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}")
_VALUE = re.compile(r"[^\r\n\0]{0,8192}")
_OURS = frozenset(
    {"host", "content-length", "connection", "transfer-encoding", "upgrade", "te", "trailer",
     "proxy-authorization", "expect", "keep-alive"}
)  # fmt: skip
_NOT_TOLD = frozenset({"set-cookie", "connection", "transfer-encoding", "keep-alive"})


class Wanted(msgspec.Struct, frozen=True):
    """What the playground of a page asks for."""

    page: str  # path of the page within the site
    method: str
    url: str
    headers: list[tuple[str, str]] = []
    body: str = ""


_WANTED = json_decoder(Wanted)


class Playground:
    """Answers the playground's requests; see the module."""

    def __init__(self, places: Places, editions: Editions, outbound: Outbound) -> None:
        self._places = places
        self._editions = editions
        self._outbound = outbound
        self._limiter = CapacityLimiter(_AT_ONCE)

    async def answer(self, request: Request) -> Response:
        try:
            check_origin(request)
            wanted = _wanted(await _body(request))
            told = await to_thread.run_sync(self._send, request, wanted, limiter=self._limiter)
            return JSONResponse(told, headers={"Cache-Control": "no-store"})
        except DocsteadError as error:
            return JSONResponse({"error": error.message}, error.status)

    def _send(self, request: Request, wanted: Wanted) -> dict[str, object]:
        host, path = request.headers.get("host", ""), request.scope["path"]
        place = self._places.find(host, path, prefix_of(request.scope))
        edition = self._editions.current(place.deployment)
        if edition is None:
            raise NotFound("Nothing has been published here yet.")
        _check_target(edition, wanted, place.base_path)
        with self._outbound.send(
            wanted.method, wanted.url, dict(wanted.headers), wanted.body.encode() or None
        ) as answer:
            return _told(answer)


async def _body(request: Request) -> bytes:
    data = bytearray()
    async for block in request.stream():
        data += block
        if len(data) > _MOST_REQUEST:
            raise InvalidRequest("body: the request is larger than 512 KB")
    return bytes(data)


def _wanted(data: bytes) -> Wanted:
    try:
        wanted = _WANTED.decode(data)
    except msgspec.MsgspecError as error:
        raise InvalidRequest(f"body: {error}") from error
    if wanted.method.upper() not in _METHODS:
        raise InvalidRequest(f"method: {wanted.method!r} is not sent")
    for name, value in wanted.headers:
        is_ours = name.lower() in _OURS
        if is_ours or not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
            raise InvalidRequest(f"headers: {name[:80]!r} is not sent")
    return wanted


def _check_target(edition: Edition, wanted: Wanted, base_path: str) -> None:
    """The address must begin with a server that the page's operation names."""
    path = wanted.page.removeprefix(base_path)
    slug = find_page(open_to(edition.site), path)
    page = edition.page(slug) if slug is not None else None
    found = _DESCRIPTION.search(page.html) if page is not None else None
    if found is None:
        raise NotFound("page: it has no operation to try")
    servers = json.loads(unescape(found[1])).get("servers", [])
    if not any(_is_below(wanted.url, str(server)) for server in servers):
        raise Forbidden("url: it is at none of the servers of this operation")


def _is_below(url: str, server: str) -> bool:
    bare = server.rstrip("/")
    return url == bare or url.startswith((f"{bare}/", f"{bare}?"))


def _told(answer: Answer) -> dict[str, object]:
    data = bytearray()
    for block in answer.blocks:
        data += block
        if len(data) > _MOST_ANSWER:
            raise InvalidRequest("The answer is larger than 5 MB.")
    headers = [pair for pair in answer.headers.items() if pair[0] not in _NOT_TOLD]
    body = base64.b64encode(bytes(data)).decode()
    return {"status": answer.status, "headers": headers, "body": body}
