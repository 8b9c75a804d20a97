"""Events that pages of a hosted site post about their readers.

    POST {site}/_docs/api/v1/e       {"event": "view", "path"}
                                     {"event": "search", "query", "results", "clicked"?}
    POST {site}/_docs/api/feedback   {"id", "path", "helpful", "comment"?, "contact"?}
    204

No cookies are used and nothing that identifies a reader is stored (`analytics.visits`). Readers
whose browser asks not to be tracked are not counted. Pages of a shared host post with an opaque
origin.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

import msgspec
from anyio import to_thread
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.types import Scope

from docstead.accounts.tenancy import Deployment
from docstead.analytics.event_collector import EventCollector, ReaderSearch
from docstead.analytics.page_feedback import ReaderFeedback
from docstead.analytics.readers import asks_not_to_be_tracked, reader_at_server
from docstead.base.bodies import limited_body
from docstead.base.decoders import Decoder, json_decoder
from docstead.base.errors import DocsteadError, InvalidRequest
from docstead.base.features import Features
from docstead.base.units import KIB
from docstead.base.validation_texts import decoding_text
from docstead.hosting.requests import check_origin, has_opaque_origin
from docstead.hosting.site_matching import SiteMatcher

VIEWS_PATH = "/_docs/api/v1/e"
FEEDBACK_PATH = "/_docs/api/feedback"
_MOST_BYTES = 20 * KIB

T = TypeVar("T")

Path = Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]


class _PageView(msgspec.Struct, frozen=True, tag_field="event", tag="view"):
    path: Path


class _SearchPost(msgspec.Struct, frozen=True, tag_field="event", tag="search"):
    query: Annotated[str, msgspec.Meta(max_length=500)]
    results: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
    clicked: Path | None = None


class _FeedbackPost(msgspec.Struct, frozen=True):
    id: Annotated[str, msgspec.Meta(min_length=16, max_length=64)]
    path: Path
    helpful: bool
    comment: Annotated[str, msgspec.Meta(max_length=4000)] | None = None
    contact: Annotated[str, msgspec.Meta(max_length=320)] | None = None


_EVENT = json_decoder(_PageView | _SearchPost)
_FEEDBACK = json_decoder(_FeedbackPost)


class ReaderPosts:
    """Handlers of events posted by pages; see the module."""

    def __init__(
        self,
        matcher: SiteMatcher,
        collector: EventCollector[Deployment],
        client_ip: Callable[[HTTPConnection], str],
        features: Callable[[Deployment], Features],
    ) -> None:
        self._matcher = matcher
        self._collector = collector
        self._client_ip = client_ip
        self._features = features

    async def answer(self, request: Request) -> Response:
        response = await self._answer(request)
        if has_opaque_origin(request):
            response.headers["Access-Control-Allow-Origin"] = "*"
        return response

    async def _answer(self, request: Request) -> Response:
        try:
            if not has_opaque_origin(request):
                check_origin(request)
            body = await _body(request)
            await to_thread.run_sync(self._take, request, body)
        except DocsteadError as error:
            return JSONResponse({"error": error.message}, error.status, error.headers)
        return Response(status_code=204)

    def sent(self, scope: Scope, deployment_id: str, page: str, *, as_markdown: bool) -> None:
        """Count a sent page if the client is a program that reads for models. Does not block."""
        named = next((value for name, value in scope["headers"] if name == b"user-agent"), b"")
        program = named.decode("latin-1")
        reader = reader_at_server(program, as_markdown=as_markdown)
        if reader is not None:
            client_ip = self._client_ip(HTTPConnection(scope))
            self._collector.record_visit(deployment_id, page, reader, client_ip, program)

    def _take(self, request: Request, body: bytes) -> None:
        path = request.scope["path"]
        match = self._matcher.find(request.headers.get("host", ""), path)
        if match.own_host:  # its pages have their own origin
            check_origin(request)
        deployment = match.deployment
        self._features(deployment).require("analytics")
        client_ip = self._client_ip(request)
        if path.endswith(FEEDBACK_PATH):
            given = _read(body, _FEEDBACK)
            feedback = ReaderFeedback(
                given.id, given.path, given.helpful, given.comment, given.contact
            )
            self._collector.record_feedback(deployment, feedback, client_ip=client_ip)
            return
        event = _read(body, _EVENT)
        if asks_not_to_be_tracked(request.headers):
            return
        who = {"client_ip": client_ip, "program": request.headers.get("user-agent", "")}
        if isinstance(event, _SearchPost):
            search = ReaderSearch(event.query, event.results, event.clicked)
            self._collector.record_search(deployment, search, **who)
        else:
            self._collector.record_view(deployment, event.path, **who)


async def _body(request: Request) -> bytes:
    error = InvalidRequest("body: must not be larger than 20 KB")
    return await limited_body(request.stream(), _MOST_BYTES, error)


def _read(body: bytes, decoder: Decoder[T]) -> T:
    try:
        return decoder.decode(body)
    except msgspec.MsgspecError as error:
        raise InvalidRequest(decoding_text(error)) from error
