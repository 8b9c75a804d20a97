"""ASGI application of the dashboard, mounted at `/dashboard`.

Unauthenticated visitors are redirected to the sign-in page. Resources of another organization
answer 404. Request handlers run in a thread pool, off the event loop.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import replace
from http import HTTPStatus
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Match, Route

from docstead.agent.attachments import MOST_BYTES_TOGETHER
from docstead.base.errors import DocsteadError, NotFound, Unauthorized
from docstead.base.unexpected import request_failure
from docstead.base.units import KIB
from docstead.dashboard.agent_jobs import AgentJobPages
from docstead.dashboard.agent_settings import AgentSettingsPages
from docstead.dashboard.agent_webhooks import AgentWebhookPages
from docstead.dashboard.assets import DashboardAssets
from docstead.dashboard.change_actions import ChangeActions
from docstead.dashboard.changes import ChangePages
from docstead.dashboard.conversations import ConversationPages
from docstead.dashboard.cookies import SESSION, VISITOR, CookieJar
from docstead.dashboard.deployments import DeploymentPages
from docstead.dashboard.expected_answers import ExpectedAnswerPages
from docstead.dashboard.exports import ExportPages
from docstead.dashboard.forms import SubmittedForm, read_form
from docstead.dashboard.job_previews import JobPreviewPages
from docstead.dashboard.keys import KeyPages
from docstead.dashboard.origins import check_origin
from docstead.dashboard.pages import PageRenderer, see
from docstead.dashboard.readers import ReaderPages
from docstead.dashboard.removal import RemovalPages
from docstead.dashboard.renaming import RenamingPages
from docstead.dashboard.services import DashboardServices
from docstead.dashboard.sign_in import SignInPages
from docstead.dashboard.visits import (
    HOME,
    SAFE_METHODS,
    SIGN_IN,
    DashboardRequest,
    OwnerPage,
    OwnerVisit,
    Page,
    check_csrf,
)

_log = logging.getLogger(__name__)

Endpoint = Callable[[Request], Awaitable[Response]]

_ASSETS = f"{HOME}/_assets"
_VISITOR_SECONDS = 86_400
_COMPRESSION = 4  # of 9: output is nearly as small, in a third of the time
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def create_dashboard(services: DashboardServices) -> Starlette:
    """Create the dashboard application."""
    assets = DashboardAssets(_ASSETS)
    pages = PageRenderer(assets, services.clock)
    endpoints = EndpointFactory(services, pages)
    changes = ChangePages(services, pages)
    routes = [
        Route(f"{_ASSETS}/{{path:path}}", _asset_endpoint(assets), methods=["GET"]),
        *_sign_in_routes(SignInPages(services, pages), endpoints),
        *_key_routes(KeyPages(services, pages), endpoints),
        *_export_routes(ExportPages(services, pages), endpoints),
        *_conversation_routes(ConversationPages(services, pages), endpoints),
        *_expected_answer_routes(ExpectedAnswerPages(services, pages), endpoints),
        *_reader_routes(ReaderPages(services, pages), endpoints),
        *_agent_job_routes(AgentJobPages(services, pages), endpoints),
        *_agent_webhook_routes(AgentWebhookPages(services, pages), endpoints),
        *_change_routes(changes, ChangeActions(services, pages, changes), endpoints),
        *_job_preview_routes(JobPreviewPages(services, pages), endpoints),
        *_agent_settings_routes(AgentSettingsPages(services, pages), endpoints),
        *_removal_routes(RemovalPages(services, pages), endpoints),
        *_renaming_routes(RenamingPages(services, pages), endpoints),
        *_deployment_routes(DeploymentPages(services, pages), endpoints),
    ]
    app = Starlette(
        routes=routes,
        exception_handlers={HTTPException: endpoints.not_found},
        middleware=[Middleware(GZipMiddleware, minimum_size=KIB, compresslevel=_COMPRESSION)],
    )
    app.router.redirect_slashes = False
    return app


class EndpointFactory:
    """Wraps pages as endpoints: reads the session, checks the form token, renders errors."""

    def __init__(self, services: DashboardServices, pages: PageRenderer) -> None:
        self._services = services
        self._pages = pages
        self._cookies = CookieJar(services.is_https)

    def anyone(self, page: Page) -> Endpoint:
        """Wrap a page that needs no sign-in."""

        def checked(visit: DashboardRequest) -> Response:
            check_csrf(visit)
            return page(visit)

        async def endpoint(request: Request) -> Response:
            return await self._answer(request, checked)

        return endpoint

    def owners(self, page: OwnerPage, *, polled: bool = False, max_file_bytes: int = 0) -> Endpoint:
        """Wrap a page that requires a signed-in owner.

        `polled` pages answer unauthenticated requests with JSON instead of a redirect. Forms may
        contain files of at most `max_file_bytes` in total.
        """

        def checked(visit: DashboardRequest) -> Response:
            if isinstance(visit, OwnerVisit):
                check_csrf(visit)
                return page(visit)
            if polled:
                return JSONResponse({"error": "sign in first"}, Unauthorized.status)
            here = visit.request.url.path if visit.request.method == "GET" else HOME
            return see(f"{SIGN_IN}?next={quote(here)}")

        async def endpoint(request: Request) -> Response:
            return await self._answer(request, checked, max_file_bytes)

        return endpoint

    async def not_found(self, request: Request, error: Exception) -> Response:
        """Render the error page for requests that match no route."""
        missing = NotFound("Check the URL, or go to the list of deployments.")
        status = getattr(error, "status_code", missing.status)

        def page(visit: DashboardRequest) -> Response:
            response = self._pages.failure(visit, missing)
            response.status_code = status
            if status == HTTPStatus.METHOD_NOT_ALLOWED:
                response.headers["Allow"] = _allowed(request)
            return response

        return await self._answer(request, page)

    async def _answer(self, request: Request, page: Page, max_file_bytes: int = 0) -> Response:
        visit = DashboardRequest(request, SubmittedForm({}), self._visitor_secret(request))
        try:
            if request.method not in SAFE_METHODS:
                check_origin(request, self._services.base_url)
            visit = await run_in_threadpool(self._visit, request)
            is_owner = isinstance(visit, OwnerVisit)
            form = await read_form(request, max_file_bytes if is_owner else 0)
            visit = replace(visit, form=form)
            response = await run_in_threadpool(page, visit)
        except DocsteadError as error:
            response = self._pages.failure(visit, error)
        except ClientDisconnect:
            raise
        except Exception:
            failure = request_failure(_log, request.method, request.url.path)
            response = self._pages.failure(visit, failure)
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        self._remember(visit, response)
        return response

    def _visit(self, request: Request) -> DashboardRequest:
        form = SubmittedForm({})
        token = self._cookies.read(request, SESSION)
        owner = self._services.owners.owner_of_session(token) if token else None
        if owner is None:
            return DashboardRequest(request, form, self._visitor_secret(request))
        organization = self._services.tenancy.organization(owner.organization_id)
        return OwnerVisit(request, form, token, owner, organization)

    def _remember(self, visit: DashboardRequest, response: Response) -> None:
        if not isinstance(visit, OwnerVisit):
            self._cookies.set(response, VISITOR, visit.secret, _VISITOR_SECONDS)

    def _visitor_secret(self, request: Request) -> str:
        return self._cookies.read(request, VISITOR) or secrets.token_urlsafe(32)


def _allowed(request: Request) -> str:
    """Return the methods of all routes that match a path, not only of the first one."""
    found = set[str]()
    for route in request.app.routes:
        if isinstance(route, Route) and route.matches(request.scope)[0] is not Match.NONE:
            found.update(route.methods or ())
    return ", ".join(sorted(found))


def _asset_endpoint(assets: DashboardAssets) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        found = assets.find(request.url.path)
        if found is None:
            return Response(status_code=404)
        headers = {
            "Cache-Control": "public, max-age=31536000, immutable",
            "X-Content-Type-Options": "nosniff",
        }
        return Response(found[0], media_type=found[1], headers=headers)

    return endpoint


def _sign_in_routes(pages: SignInPages, endpoints: EndpointFactory) -> list[Route]:
    return [
        _get(SIGN_IN, endpoints.anyone(pages.ask)),
        _post(SIGN_IN, endpoints.anyone(pages.sign_in)),
        _get(f"{SIGN_IN}/{{token}}", endpoints.anyone(pages.open_link)),
        _post(f"{SIGN_IN}/{{token}}", endpoints.anyone(pages.use_link)),
        _post(f"{HOME}/sign-out", endpoints.owners(pages.sign_out)),
        _get(f"{HOME}/password", endpoints.owners(pages.ask_password)),
        _post(f"{HOME}/password", endpoints.owners(pages.change_password)),
    ]


def _key_routes(pages: KeyPages, endpoints: EndpointFactory) -> list[Route]:
    keys = f"{HOME}/keys/{{domain}}"
    return [
        _get(keys, endpoints.owners(pages.show)),
        _post(keys, endpoints.owners(pages.create)),
        _post(f"{keys}/rotate-site", endpoints.owners(pages.rotate_site_key)),
        _get(f"{keys}/{{key_id}}/revoke", endpoints.owners(pages.ask_revoke)),
        _post(f"{keys}/{{key_id}}/revoke", endpoints.owners(pages.revoke)),
    ]


def _export_routes(pages: ExportPages, endpoints: EndpointFactory) -> list[Route]:
    exports = f"{HOME}/exports/{{domain}}"
    return [
        _get(exports, endpoints.owners(pages.show)),
        _post(exports, endpoints.owners(pages.start)),
        _post(f"{exports}/automatic", endpoints.owners(pages.set_automatic)),
        _get(f"{exports}/state.json", endpoints.owners(pages.state, polled=True)),
        _get(f"{exports}/{{export_id}}/download", endpoints.owners(pages.download)),
    ]


def _conversation_routes(pages: ConversationPages, endpoints: EndpointFactory) -> list[Route]:
    conversations = f"{HOME}/conversations/{{domain}}"
    return [
        _get(conversations, endpoints.owners(pages.list)),
        _post(f"{conversations}/forget", endpoints.owners(pages.forget)),
        _get(f"{conversations}/{{thread_id}}", endpoints.owners(pages.show)),
        _get(f"{HOME}/gaps/{{domain}}", endpoints.owners(pages.gaps)),
    ]


def _expected_answer_routes(pages: ExpectedAnswerPages, endpoints: EndpointFactory) -> list[Route]:
    entry = f"{HOME}/conversations/{{domain}}/{{thread_id}}/{{turn_id}}/expected-answer"
    return [_get(entry, endpoints.owners(pages.show)), _post(entry, endpoints.owners(pages.update))]


def _reader_routes(pages: ReaderPages, endpoints: EndpointFactory) -> list[Route]:
    feedback = f"{HOME}/feedback/{{domain}}"
    return [
        _get(f"{HOME}/readers/{{domain}}", endpoints.owners(pages.views)),
        _get(feedback, endpoints.owners(pages.feedback)),
        _post(feedback, endpoints.owners(pages.mark)),
    ]


def _change_routes(
    pages: ChangePages, actions: ChangeActions, endpoints: EndpointFactory
) -> list[Route]:
    change = f"{HOME}/changes/{{change_id}}"
    return [
        _get("/changes/{change_id}", endpoints.anyone(pages.redirect)),
        _get(change, endpoints.owners(pages.show)),
        _get(f"{change}/state.json", endpoints.owners(pages.state, polled=True)),
        _get(f"{change}/news.json", endpoints.owners(pages.news, polled=True)),
        _get(f"{change}/commits", endpoints.owners(pages.commits)),
        _get(f"{change}/files", endpoints.owners(pages.files)),
        _get(f"{change}/pages", endpoints.owners(pages.pages)),
        _get(f"{change}/pages/state.json", endpoints.owners(pages.pages_state, polled=True)),
        _get(f"{change}/pages/{{side}}", endpoints.owners(pages.document)),
        _post(f"{change}/comment", endpoints.owners(actions.comment)),
        _post(f"{change}/viewed", endpoints.owners(actions.mark_viewed)),
        _post(f"{change}/approve", endpoints.owners(actions.approve)),
        _post(f"{change}/merge", endpoints.owners(actions.merge)),
        _post(f"{change}/close", endpoints.owners(actions.close)),
        _post(f"{change}/reopen", endpoints.owners(actions.reopen)),
    ]


def _job_preview_routes(pages: JobPreviewPages, endpoints: EndpointFactory) -> list[Route]:
    job = f"{HOME}/jobs/{{change_id}}"
    return [
        _get(job, endpoints.owners(pages.open_job)),
        _get(f"{job}/pages", endpoints.owners(pages.pages)),
        _get(f"{job}/pages/state.json", endpoints.owners(pages.pages_state, polled=True)),
        _get(f"{job}/pages/{{side}}", endpoints.owners(pages.document)),
        _get(f"{job}/news.json", endpoints.owners(pages.news, polled=True)),
    ]


def _agent_settings_routes(pages: AgentSettingsPages, endpoints: EndpointFactory) -> list[Route]:
    settings = f"{HOME}/agent-settings/{{domain}}"
    return [
        _get(settings, endpoints.owners(pages.show)),
        _post(settings, endpoints.owners(pages.save)),
        _post(f"{settings}/rotate-webhook", endpoints.owners(pages.rotate_hook_secret)),
    ]


def _agent_job_routes(pages: AgentJobPages, endpoints: EndpointFactory) -> list[Route]:
    jobs = f"{HOME}/agent/{{domain}}"
    job = f"{jobs}/jobs/{{job_id}}"
    return [
        _get(jobs, endpoints.owners(pages.list)),
        _post(jobs, endpoints.owners(pages.start, max_file_bytes=MOST_BYTES_TOGETHER)),
        _get(f"{jobs}/state.json", endpoints.owners(pages.list_state, polled=True)),
        _get(job, endpoints.owners(pages.show)),
        _get(f"{job}/state.json", endpoints.owners(pages.state, polled=True)),
        _post(
            f"{job}/message", endpoints.owners(pages.follow_up, max_file_bytes=MOST_BYTES_TOGETHER)
        ),
        _post(f"{job}/cancel", endpoints.owners(pages.cancel)),
        _post(f"{job}/archive", endpoints.owners(pages.archive)),
    ]


def _agent_webhook_routes(pages: AgentWebhookPages, endpoints: EndpointFactory) -> list[Route]:
    webhooks = f"{HOME}/agent/{{domain}}/webhooks"
    return [
        _get(webhooks, endpoints.owners(pages.show)),
        _post(webhooks, endpoints.owners(pages.create)),
        _post(f"{webhooks}/{{webhook_id}}/remove", endpoints.owners(pages.remove)),
        _post(f"{webhooks}/deliveries/{{delivery_id}}/again", endpoints.owners(pages.redeliver)),
    ]


def _removal_routes(pages: RemovalPages, endpoints: EndpointFactory) -> list[Route]:
    removal = f"{HOME}/{{organization_id}}/{{domain}}/remove"
    return [
        _get(removal, endpoints.owners(pages.ask)),
        _post(removal, endpoints.owners(pages.remove)),
    ]


def _renaming_routes(pages: RenamingPages, endpoints: EndpointFactory) -> list[Route]:
    renaming = f"{HOME}/{{organization_id}}/{{domain}}/rename"
    return [
        _get(renaming, endpoints.owners(pages.ask)),
        _post(renaming, endpoints.owners(pages.rename)),
    ]


def _deployment_routes(pages: DeploymentPages, endpoints: EndpointFactory) -> list[Route]:
    # Registered last: the first path segment matches any organization id.
    overview = f"{HOME}/{{organization_id}}/{{domain}}"
    return [
        _get(HOME, endpoints.owners(pages.show)),
        _get(f"{HOME}/", endpoints.owners(pages.show)),
        _get(f"{HOME}/deployments.json", endpoints.owners(pages.show_state, polled=True)),
        _get(f"{overview}/state.json", endpoints.owners(pages.overview_state, polled=True)),
        _post(f"{overview}/update", endpoints.owners(pages.update)),
        _post(f"{overview}/rollback", endpoints.owners(pages.rollback)),
        _get(overview, endpoints.owners(pages.overview)),
    ]


def _get(path: str, endpoint: Endpoint) -> Route:
    return Route(path, endpoint, methods=["GET"])


def _post(path: str, endpoint: Endpoint) -> Route:
    return Route(path, endpoint, methods=["POST"])
