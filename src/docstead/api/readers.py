"""Reader events posted by exported bundles and other websites, with an assistant key.

Pages hosted by the service post to their own host instead (`hosting/reader_posts.py`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Request
from pydantic import Field
from starlette.responses import Response

from docstead.accounts.key_records import Caller
from docstead.accounts.tenancy import Deployment
from docstead.analytics.event_collector import EventCollector, ReaderSearch
from docstead.analytics.page_feedback import ReaderFeedback
from docstead.analytics.readers import asks_not_to_be_tracked
from docstead.api.assistant.admission import Admission
from docstead.api.authentication import Authentication
from docstead.api.client_address import ClientAddress
from docstead.api.errors import responses
from docstead.api.json_body import WHOLE, BodyModel, body_of, request_body
from docstead.api.routers import new_router

_WITHOUT_CONTENT: Mapping[str, Any] = {
    "status_code": 204,
    "response_class": Response,
    "responses": responses(400, 401, 403, 404, 413, 415, 429, 503),
}
_PATH = Field(min_length=1, max_length=1000, description="Path of the page within the site.")


Results = Annotated[int, Field(ge=0, le=1_000_000), WHOLE]


class EventRequest(BodyModel):
    """Body of `POST /discovery/v1/events/{domain}`: a page view or a search."""

    event: Literal["view", "search"]
    path: str = Field(default="", max_length=1000, description="Path of the page, for views.")
    query: str = Field(default="", max_length=500, description="Query, for searches.")
    results: Results = Field(default=0, description="Number of results.")
    clicked: str | None = Field(
        default=None, max_length=1000, description="Path of the result that the reader opened."
    )

    def record(
        self,
        collector: EventCollector[Deployment],
        deployment: Deployment,
        client_ip: str,
        program: str,
    ) -> None:
        who = {"client_ip": client_ip, "program": program}
        if self.event == "search":
            search = ReaderSearch(self.query, self.results, self.clicked)
            collector.record_search(deployment, search, **who)
        else:
            collector.record_view(deployment, self.path, **who)


class PageFeedbackRequest(BodyModel):
    """Body of `POST /discovery/v1/feedback/{domain}`."""

    id: str = Field(
        min_length=16,
        max_length=64,
        description="Chosen by the caller. Sending the same id again replaces the feedback.",
    )
    path: str = _PATH
    helpful: bool
    comment: str | None = Field(default=None, max_length=4000)
    contact: str | None = Field(default=None, max_length=320, description="Contact for a reply.")

    def feedback(self) -> ReaderFeedback:
        return ReaderFeedback(self.id, self.path, self.helpful, self.comment, self.contact)


def reader_routes(
    *,
    collector: EventCollector[Deployment],
    admission: Admission,
    authentication: Authentication,
    client_address: ClientAddress,
) -> APIRouter:
    """Return the routes, which answer 503 if analytics are disabled."""
    router = new_router(prefix="/discovery/v1", tags=["readers"])
    posts = _ReaderPosts(
        collector, admission, client_address, authenticated=Depends(authentication.assistant)
    )
    posts.add_events(router)
    posts.add_feedback(router)
    return router


@dataclass(frozen=True, slots=True)
class _ReaderPosts:
    collector: EventCollector[Deployment]
    admission: Admission
    client_address: ClientAddress
    authenticated: Any  # dependency that yields the caller

    def add_events(self, router: APIRouter) -> None:
        @router.post(
            "/events/{domain}",
            name="countEvent",
            summary="Record a page view or a search",
            openapi_extra=request_body(EventRequest),
            **_WITHOUT_CONTENT,
        )
        def event(
            domain: str,
            request: Request,
            caller: Annotated[Caller, self.authenticated],
            given: Annotated[EventRequest, Depends(body_of(EventRequest))],
        ) -> Response:
            deployment = self.admission.to_post(caller, domain)
            if not asks_not_to_be_tracked(request.headers):
                program = request.headers.get("user-agent", "")
                given.record(self.collector, deployment, self.client_address.of(request), program)
            return Response(status_code=204)

    def add_feedback(self, router: APIRouter) -> None:
        @router.post(
            "/feedback/{domain}",
            name="givePageFeedback",
            summary="Send feedback on a page",
            openapi_extra=request_body(PageFeedbackRequest),
            **_WITHOUT_CONTENT,
        )
        def feedback(
            domain: str,
            request: Request,
            caller: Annotated[Caller, self.authenticated],
            given: Annotated[PageFeedbackRequest, Depends(body_of(PageFeedbackRequest))],
        ) -> Response:
            deployment = self.admission.to_post(caller, domain)
            client_ip = self.client_address.of(request)
            self.collector.record_feedback(deployment, given.feedback(), client_ip=client_ip)
            return Response(status_code=204)
