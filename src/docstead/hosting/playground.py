"""Proxy for the API playground of a site.

    POST {site}/_docs/api/request   {"page", "method", "url", "headers": [[name, value]], "body"}
                                    and "base64": true if the body is encoded
    200                             {"status", "headers": [[name, value]], "body": base64}

It is not an open proxy. Requests must come from the site itself, and go only to the path of the
page's operation at one of the servers that the published page lists, or to the token URL of one of
its OAuth flows. Private addresses are reachable only if the settings allow them. Each request has a
total timeout, and each site a limit of concurrent requests, so that slow servers of one site do not
delay others.
"""

from __future__ import annotations

import base64
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import unescape
from urllib.parse import SplitResult, quote, unquote

import msgspec
import re2
from anyio import CapacityLimiter, to_thread
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response

from docstead.accounts.tenancy import Deployment
from docstead.base.bodies import limited_body
from docstead.base.decoders import json_decoder
from docstead.base.errors import DocsteadError, Forbidden, InvalidRequest, NotFound, RateLimited
from docstead.base.features import ALL_FEATURES, Features
from docstead.base.outbound import OutboundClient, OutboundResponse, checked_url
from docstead.base.texts import duration
from docstead.base.units import KIB, MIB
from docstead.base.validation_texts import decoding_text
from docstead.content.filtering import visible_to
from docstead.content.slugs import find_page
from docstead.hosting.requests import check_origin, prefix_of
from docstead.hosting.site_matching import SiteMatcher
from docstead.publishing.edition import Edition
from docstead.publishing.editions import EditionStore

PATH = "/_docs/api/request"
_DESCRIPTION = re.compile(r' data-playground="([^"]*)"')
_MOST_REQUEST = 512 * KIB
_MOST_ANSWER = 5 * MIB
_AT_ONCE = 64
_AT_ONCE_OF_A_SITE = 8
_AGAIN_SECONDS = 5
PLAYGROUND_SECONDS = 30.0  # for one request, from connecting to the end of the response
_PORTS = {"http": 80, "https": 443}
_PARAMETER = re.compile(r"\{[^{}]*\}")
_PATH_SAFE = "/:@!$&'()*+,;=-._~%"
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}")
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]{0,8192}")
_AROUND = " \t"  # a value, of which it is no part
_OURS = frozenset(
    {"host", "content-length", "connection", "transfer-encoding", "upgrade", "te", "trailer",
     "proxy-authorization", "expect", "keep-alive"}
)  # fmt: skip
_WITHHELD_HEADERS = frozenset({"set-cookie", "connection", "transfer-encoding", "keep-alive"})


class PlaygroundRequest(msgspec.Struct, frozen=True):
    """Request of a page's playground."""

    page: str  # path of the page within the site
    method: str
    url: str
    headers: list[tuple[str, str]] = []
    body: str = ""
    base64: bool = False  # whether the body is encoded


class _OAuthFlow(msgspec.Struct, frozen=True):
    token_url: str = msgspec.field(default="", name="tokenUrl")


class _OperationField(msgspec.Struct, frozen=True):
    oauth: list[_OAuthFlow] = []


class _Operation(msgspec.Struct, frozen=True):
    """Description of an operation in its page."""

    path: str = ""
    servers: list[str] = []
    fields: list[_OperationField] = []

    def has_token_url(self, url: str) -> bool:
        """Report whether a URL is the token URL of one of the operation's OAuth flows."""
        return any(url == flow.token_url for each in self.fields for flow in each.oauth)


_REQUESTED = json_decoder(PlaygroundRequest)
_OPERATION = json_decoder(_Operation)


class PlaygroundProxy:
    """Answers playground requests; see the module."""

    def __init__(
        self,
        matcher: SiteMatcher,
        editions: EditionStore,
        outbound: OutboundClient,
        admit: Callable[[HTTPConnection], None],
        features: Callable[[Deployment], Features] = lambda _: ALL_FEATURES,
    ) -> None:
        self._matcher = matcher
        self._editions = editions
        self._outbound = outbound
        self._admit = admit
        self._features = features
        self._limiter = CapacityLimiter(_AT_ONCE)
        self._under_way: Counter[str] = Counter()  # by deployment

    async def answer(self, request: Request) -> Response:
        try:
            check_origin(request)
            self._admit(request)
            requested = _requested(await _body(request))
            deployment_id = await to_thread.run_sync(self._checked, request, requested)
            with self._share(deployment_id):
                reply = await to_thread.run_sync(self._send, requested, limiter=self._limiter)
            return JSONResponse(reply, headers={"Cache-Control": "no-store"})
        except DocsteadError as error:
            return JSONResponse({"error": error.message}, error.status, error.headers)

    @contextmanager
    def _share(self, deployment_id: str) -> Iterator[None]:
        """Count a concurrent request of a site; raise RateLimited if there are too many."""
        if self._under_way[deployment_id] >= _AT_ONCE_OF_A_SITE:
            raise RateLimited(
                f"At most {_AT_ONCE_OF_A_SITE} playground requests of a site can run at a time. "
                f"Try again in {duration(_AGAIN_SECONDS)}.",
                retry_after_seconds=_AGAIN_SECONDS,
                limit=_AT_ONCE_OF_A_SITE,
                window_seconds=_AGAIN_SECONDS,
                policy="playground-site",
            )
        self._under_way[deployment_id] += 1
        try:
            yield
        finally:
            self._under_way[deployment_id] -= 1
            self._under_way += Counter()  # drop entries without requests

    def _checked(self, request: Request, requested: PlaygroundRequest) -> str:
        """Return the deployment whose page may send this request."""
        host, path = request.headers.get("host", ""), request.scope["path"]
        match = self._matcher.find(host, path, prefix_of(request.scope))
        self._features(match.deployment).require("playground")
        edition = self._editions.current(match.deployment)
        if edition is None:
            raise NotFound("This deployment has not been published yet.")
        _check_target(edition, requested, match.base_path)
        return match.deployment.id

    def _send(self, request: PlaygroundRequest) -> dict[str, object]:
        body = _bytes_of(request) or None
        headers = {name: value.strip(_AROUND) for name, value in request.headers}
        with self._outbound.send(request.method, request.url, headers, body) as answer:
            return _reply(answer)


def _bytes_of(request: PlaygroundRequest) -> bytes:
    if not request.base64:
        return request.body.encode("utf-8", "replace")
    try:
        return base64.b64decode(request.body, validate=True)
    except ValueError as error:
        raise InvalidRequest("body: must be base64") from error


async def _body(request: Request) -> bytes:
    error = InvalidRequest("body: the request is larger than 512 KB")
    return await limited_body(request.stream(), _MOST_REQUEST, error)


def _requested(data: bytes) -> PlaygroundRequest:
    try:
        requested = _REQUESTED.decode(data)
    except msgspec.MsgspecError as error:
        raise InvalidRequest(decoding_text(error)) from error
    if not requested.method.isascii() or requested.method.upper() not in _METHODS:
        raise InvalidRequest(f"method: {requested.method!r} is not supported")
    for name, value in requested.headers:
        is_ours = name.lower() in _OURS
        if is_ours or not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
            raise InvalidRequest(f"headers: {name[:80]!r} is not allowed")
    return requested


def _check_target(edition: Edition, request: PlaygroundRequest, base_path: str) -> None:
    """Require the URL of the page's operation at one of its servers, or of its OAuth tokens."""
    path = request.page.removeprefix(base_path)
    slug = find_page(visible_to(edition.site), path)
    page = edition.page(slug) if slug is not None else None
    operation = _operation(page.html) if page is not None else None
    if operation is None:
        raise NotFound("page: has no operation")
    url = checked_url(request.url)
    if request.method.upper() == "POST" and operation.has_token_url(request.url):
        return
    if not any(_is_operation(url, server, operation.path) for server in operation.servers):
        raise Forbidden("url: must be the operation at one of its servers")


def _operation(html: str) -> _Operation | None:
    """Return the operation that a page describes, or None; authors may forge the attribute."""
    found = _DESCRIPTION.search(html)
    try:
        return None if found is None else _OPERATION.decode(unescape(found[1]))
    except msgspec.DecodeError:
        return None


def _is_operation(url: SplitResult, server: str, path: str) -> bool:
    try:
        at = checked_url(server)
    except InvalidRequest:
        return False  # without a host
    if _origin(url) != _origin(at) or _has_dot_segment(url.path):
        return False
    template = f"{at.path.rstrip('/')}{path.partition('?')[0].partition('#')[0]}"
    return path_matches(template, url.path)


def _origin(url: SplitResult) -> tuple[str, str | None, int | None]:
    return url.scheme, url.hostname, url.port or _PORTS.get(url.scheme)


def _has_dot_segment(path: str) -> bool:
    """Report whether a server might resolve the path to a different one."""
    segments = re.split(r"[/\\]", unquote(unquote(path)))
    return any(segment.partition(";")[0] in (".", "..") for segment in segments)


def path_matches(template: str, path: str) -> bool:
    """Report whether a path matches a template in which `{name}` is a segment or part of one.

    Repositories control the template and readers the path, so matching takes linear time.
    """
    parts = _PARAMETER.split(template)
    pattern = r"[^/]*".join(re.escape(quote(part, safe=_PATH_SAFE)) for part in parts)
    try:
        return re2.fullmatch(pattern, path) is not None
    except re2.error:  # longer than any path
        return False


def _reply(answer: OutboundResponse) -> dict[str, object]:
    data = bytearray()
    for block in answer.blocks:
        data += block
        if len(data) > _MOST_ANSWER:
            raise InvalidRequest("The response is larger than 5 MB.")
    headers = [pair for pair in answer.headers.items() if pair[0] not in _WITHHELD_HEADERS]
    body = base64.b64encode(bytes(data)).decode()
    return {"status": answer.status, "headers": headers, "body": body}
