"""`/discovery/v1/…`: messages, search and page contents of one deployment.

Whatever is wrong with a request is answered before the stream begins, as `{"error": …}`
(decisions 10). From then on the status is 200, and a failure is a part of the stream.
"""

from __future__ import annotations

from typing import Any

from anyio import to_thread
from fastapi import APIRouter, Depends, Request
from starlette.responses import JSONResponse, Response

from docstead.accounts.key_records import Caller
from docstead.accounts.tenancy import Deployment
from docstead.api.assistant import v1_stream
from docstead.api.assistant.admission import Admission
from docstead.api.assistant.contents import Contents, FoundPage, FoundPassage, MissingPage
from docstead.api.assistant.shapes import MessageRequest, PageRequest, SearchRequest
from docstead.api.assistant.stream import EventStream
from docstead.api.authentication import Authentication
from docstead.api.client_address import ClientAddress
from docstead.api.errors import responses
from docstead.api.json_body import parsed, request_body
from docstead.assistant.engine import Assistant
from docstead.assistant.events import Started
from docstead.base.errors import NotFound, Unavailable

_STREAM_HEADERS = {
    "X-Thread-Id": "The thread, also on answers that break off.",
    "X-Thread-Key": "On new threads: the key of the thread, shown once.",
    "Deprecation": "`true`: clients of version 5 and later use the second version.",
}
_STREAM = {
    "description": "Message generated. The body is a stream of data-stream parts, one a line.",
    "content": {
        "text/plain": {"schema": {"type": "string"}},
        "application/json": {"schema": {"type": "string"}},
    },
    "headers": {
        name: {"description": text, "schema": {"type": "string"}}
        for name, text in _STREAM_HEADERS.items()
    },
}


def assistant_routes(
    *,
    authentication: Authentication,
    client_address: ClientAddress,
    admission: Admission,
    assistant: Assistant[Deployment],
    contents: Contents,
    enabled: bool = True,
) -> APIRouter:
    """The routes. With `enabled` off, messages answer 503; search and pages go on."""
    routes = _Routes(client_address, admission, assistant, contents, enabled)
    router = APIRouter(prefix="/discovery/v1", tags=["assistant"])
    authenticated = Depends(authentication.assistant)
    _add_message(router, routes, authenticated)
    _add_search(router, routes, authenticated)
    _add_page(router, routes, authenticated)
    return router


def _add_message(router: APIRouter, routes: _Routes, authenticated: Any) -> None:
    @router.post(
        "/assistant/{domain}/message",
        name="createAssistantMessage",
        summary="Create assistant message",
        deprecated=True,
        response_class=Response,
        responses={200: _STREAM, **responses(400, 401, 403, 404, 413, 429, 503)},
        openapi_extra=request_body(MessageRequest),
    )
    async def create_message(
        domain: str, request: Request, caller: Caller = authenticated
    ) -> Response:
        return await routes.message(domain, request, caller)


def _add_search(router: APIRouter, routes: _Routes, authenticated: Any) -> None:
    @router.post(
        "/search/{domain}",
        name="search",
        summary="Search the documentation",
        response_model=list[FoundPassage],
        responses=responses(400, 401, 403, 404, 413, 429),
        openapi_extra=request_body(SearchRequest),
    )
    async def search(domain: str, request: Request, caller: Caller = authenticated) -> Response:
        return await routes.search(domain, request, caller)


def _add_page(router: APIRouter, routes: _Routes, authenticated: Any) -> None:
    @router.post(
        "/page/{domain}",
        name="getPageContent",
        summary="Get the contents of a page",
        response_model=FoundPage,
        responses={
            **responses(400, 401, 403, 413, 429),
            404: {"model": MissingPage, "description": "There is no such page."},
        },
        openapi_extra=request_body(PageRequest),
    )
    async def page(domain: str, request: Request, caller: Caller = authenticated) -> Response:
        return await routes.page(domain, request, caller)


class _Routes:
    def __init__(
        self,
        client_address: ClientAddress,
        admission: Admission,
        assistant: Assistant[Deployment],
        contents: Contents,
        enabled: bool,
    ) -> None:
        self._client_address = client_address
        self._admission = admission
        self._assistant = assistant
        self._contents = contents
        self._enabled = enabled

    async def message(self, domain: str, request: Request, caller: Caller) -> Response:
        question = parsed(MessageRequest, await request.body()).question()
        if not self._enabled:
            raise Unavailable("The assistant is switched off.")
        address = self._client_address.of(request)
        deployment = await to_thread.run_sync(self._admission.to_ask, caller, domain, address)
        events = self._assistant.answer(deployment, question)
        # Whatever is wrong with the thread is raised here, while there can still be a status.
        started = await anext(events)
        assert isinstance(started, Started)  # noqa: S101 - the events promise it
        return EventStream(started, events, v1_stream.encode, _headers(started))

    async def search(self, domain: str, request: Request, caller: Caller) -> Response:
        wanted = parsed(SearchRequest, await request.body())

        def search() -> list[dict[str, Any]]:
            return self._contents.search(self._admission.to_search(caller, domain), wanted)

        return JSONResponse(await to_thread.run_sync(search))

    async def page(self, domain: str, request: Request, caller: Caller) -> Response:
        wanted = parsed(PageRequest, await request.body())

        def page() -> dict[str, str]:
            return self._contents.page(self._admission.to_read(caller, domain), wanted.path)

        try:
            return JSONResponse(await to_thread.run_sync(page))
        except NotFound as error:  # here even an unknown domain is a `message` (http-api 3.2)
            return JSONResponse({"message": error.message}, error.status)


def _headers(started: Started) -> dict[str, str]:
    headers = {**v1_stream.HEADERS, "x-thread-id": started.thread_id}
    if started.thread_key is not None:
        headers["x-thread-key"] = started.thread_key
    return headers
