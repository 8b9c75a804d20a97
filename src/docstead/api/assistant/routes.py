"""Assistant endpoints of a deployment, `/discovery/…`: messages, search and page contents."""

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Query
from starlette.responses import JSONResponse, Response

from docstead.accounts.key_records import Caller
from docstead.accounts.tenancy import Deployment
from docstead.api.assistant.admission import Admission
from docstead.api.assistant.contents import (
    ContentSearch,
    FoundPage,
    FoundPassage,
    Starters,
)
from docstead.api.assistant.messages import MessageService, message_routes
from docstead.api.assistant.protocols import PROTOCOLS
from docstead.api.assistant.shapes import PageRequest, SearchRequest
from docstead.api.authentication import Authentication
from docstead.api.client_address import ClientAddress
from docstead.api.errors import responses
from docstead.api.json_body import body_of, request_body
from docstead.api.routers import add_routes, new_router
from docstead.assistant.feedback import AnswerFeedbackRecords
from docstead.assistant.streams import AnswerStreams

CurrentPath = Annotated[
    str | None, Query(max_length=200, description="Path of the page that the reader is on.")
]


def assistant_routes(
    *,
    authentication: Authentication,
    client_address: ClientAddress,
    admission: Admission,
    streams: AnswerStreams[Deployment],
    feedback: AnswerFeedbackRecords,
    contents: ContentSearch,
) -> APIRouter:
    """Return the routes; those of a disabled feature answer 503."""
    messages = MessageService(
        client_address=client_address,
        admission=admission,
        streams=streams,
        feedback=feedback,
    )
    router = new_router()
    asking = message_routes(messages, authentication, PROTOCOLS)
    finding = _finding_routes(admission, contents, authentication)
    add_routes(router, [asking, finding])
    return router


def _finding_routes(
    admission: Admission, contents: ContentSearch, authentication: Authentication
) -> APIRouter:
    router = new_router(prefix="/discovery", tags=["assistant"])
    authenticated = Depends(authentication.assistant)
    _add_search(router, admission, contents, authenticated)
    _add_page(router, admission, contents, authenticated)
    _add_starters(router, admission, contents, authenticated)
    return router


def _add_search(
    router: APIRouter, admission: Admission, contents: ContentSearch, authenticated: Any
) -> None:
    @router.post(
        "/v1/search/{domain}",
        name="search",
        summary="Search the documentation",
        response_model=list[FoundPassage],
        responses=responses(400, 401, 403, 404, 413, 415, 429, 503),
        openapi_extra=request_body(SearchRequest),
    )
    def search(
        domain: str,
        caller: Annotated[Caller, authenticated],
        requested: Annotated[SearchRequest, Depends(body_of(SearchRequest))],
    ) -> Response:
        deployment = admission.to_search(caller, domain)
        found = contents.search(deployment, requested, caller.groups(requested.groups))
        return Response(msgspec.json.encode(found), media_type="application/json")


def _add_page(
    router: APIRouter, admission: Admission, contents: ContentSearch, authenticated: Any
) -> None:
    @router.post(
        "/v1/page/{domain}",
        name="getPageContent",
        summary="Get the contents of a page",
        response_model=FoundPage,
        responses=responses(400, 401, 403, 404, 413, 415, 429, 503),
        openapi_extra=request_body(PageRequest),
    )
    def page(
        domain: str,
        caller: Annotated[Caller, authenticated],
        requested: Annotated[PageRequest, Depends(body_of(PageRequest))],
    ) -> Response:
        deployment = admission.to_read(caller, domain)
        return JSONResponse(
            contents.page(deployment, requested.path, caller.groups(requested.groups))
        )


def _add_starters(
    router: APIRouter, admission: Admission, contents: ContentSearch, authenticated: Any
) -> None:
    @router.get(
        "/v2/assistant/{domain}/starters",
        name="getAssistantStarters",
        summary="Get suggested questions",
        response_model=Starters,
        responses=responses(400, 401, 403, 404, 429, 503),
    )
    def starters(
        domain: str,
        caller: Annotated[Caller, authenticated],
        currentPath: CurrentPath = None,  # noqa: N803 - the name on the wire
    ) -> Any:
        return contents.starters(admission.to_begin(caller, domain), currentPath)
