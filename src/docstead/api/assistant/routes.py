"""`/discovery/…`: messages, search and page contents of one deployment."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from anyio import to_thread
from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import JSONResponse, Response

from docstead.accounts.key_records import Caller
from docstead.accounts.tenancy import Deployment
from docstead.api.assistant.admission import Admission
from docstead.api.assistant.contents import (
    Contents,
    FoundPage,
    FoundPassage,
    Starters,
)
from docstead.api.assistant.messages import Messages, message_routes
from docstead.api.assistant.protocols import PROTOCOLS
from docstead.api.assistant.shapes import PageRequest, SearchRequest
from docstead.api.authentication import Authentication
from docstead.api.client_address import ClientAddress
from docstead.api.errors import responses
from docstead.api.json_body import parsed, request_body
from docstead.api.routers import add_routes, new_router
from docstead.assistant.feedback import Feedback
from docstead.assistant.streams import Streams

CurrentPath = Annotated[
    str | None, Query(max_length=200, description="Path of the page that the reader is on.")
]


def assistant_routes(
    *,
    authentication: Authentication,
    client_address: ClientAddress,
    admission: Admission,
    streams: Streams[Deployment],
    feedback: Feedback,
    contents: Contents,
) -> APIRouter:
    """The routes; those of a feature that is switched off answer 503."""
    messages = Messages(
        client_address=client_address,
        admission=admission,
        streams=streams,
        feedback=feedback,
    )
    router = new_router()
    asking = message_routes(messages, authentication, PROTOCOLS)
    finding = _finding_routes(_Finding(admission, contents), authentication)
    add_routes(router, [asking, finding])
    return router


def _finding_routes(finding: _Finding, authentication: Authentication) -> APIRouter:
    router = new_router(prefix="/discovery", tags=["assistant"])
    authenticated = Depends(authentication.assistant)
    _add_search(router, finding, authenticated)
    _add_page(router, finding, authenticated)
    _add_starters(router, finding, authenticated)
    return router


def _add_search(router: APIRouter, finding: _Finding, authenticated: Any) -> None:
    @router.post(
        "/v1/search/{domain}",
        name="search",
        summary="Search the documentation",
        response_model=list[FoundPassage],
        responses=responses(400, 401, 403, 404, 413, 429, 503),
        openapi_extra=request_body(SearchRequest),
    )
    async def search(domain: str, request: Request, caller: Caller = authenticated) -> Response:
        return await finding.search(domain, request, caller)


def _add_page(router: APIRouter, finding: _Finding, authenticated: Any) -> None:
    @router.post(
        "/v1/page/{domain}",
        name="getPageContent",
        summary="Get the contents of a page",
        response_model=FoundPage,
        responses=responses(400, 401, 403, 404, 413, 429, 503),
        openapi_extra=request_body(PageRequest),
    )
    async def page(domain: str, request: Request, caller: Caller = authenticated) -> Response:
        return await finding.page(domain, request, caller)


def _add_starters(router: APIRouter, finding: _Finding, authenticated: Any) -> None:
    @router.get(
        "/v2/assistant/{domain}/starters",
        name="getAssistantStarters",
        summary="Get questions to begin with",
        response_model=Starters,
        responses=responses(400, 401, 403, 404, 429, 503),
    )
    def starters(
        domain: str,
        currentPath: CurrentPath = None,  # noqa: N803 - the name on the wire
        caller: Caller = authenticated,
    ) -> Any:
        return finding.starters(domain, currentPath, caller)


class _Finding:
    def __init__(self, admission: Admission, contents: Contents) -> None:
        self._admission = admission
        self._contents = contents

    async def search(self, domain: str, request: Request, caller: Caller) -> Response:
        wanted = parsed(SearchRequest, await request.body())

        def search() -> bytes:
            deployment = self._admission.to_search(caller, domain)
            groups = caller.groups(wanted.groups)
            return msgspec.json.encode(self._contents.search(deployment, wanted, groups))

        found = await to_thread.run_sync(search)
        return Response(found, media_type="application/json")

    def starters(self, domain: str, path: str | None, caller: Caller) -> dict[str, list[str]]:
        return self._contents.starters(self._admission.to_begin(caller, domain), path)

    async def page(self, domain: str, request: Request, caller: Caller) -> Response:
        wanted = parsed(PageRequest, await request.body())

        def page() -> dict[str, str]:
            deployment = self._admission.to_read(caller, domain)
            return self._contents.page(deployment, wanted.path, caller.groups(wanted.groups))

        return JSONResponse(await to_thread.run_sync(page))
