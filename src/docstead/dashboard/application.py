"""The dashboard as an ASGI application. Its addresses all begin with `/dashboard`.

Somebody who is not signed in is led to the sign-in; what belongs to another organization
is not there (404), as if it did not exist. All work is done off the event loop.
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
from docstead.base.unexpected import UnexpectedError
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
_COMPRESSION = 4  # of 9: nearly as small, at a third of the time
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
    """The dashboard over these services."""
    assets = DashboardAssets(_ASSETS)
    pages = PageRenderer(assets, services.clock)
    door = Door(services, pages)
    changes = ChangePages(services, pages)
    routes = [
        Route(f"{_ASSETS}/{{path:path}}", _asset_endpoint(assets), methods=["GET"]),
        *_sign_in_routes(SignInPages(services, pages), door),
        *_key_routes(KeyPages(services, pages), door),
        *_export_routes(ExportPages(services, pages), door),
        *_conversation_routes(ConversationPages(services, pages), door),
        *_expected_answer_routes(ExpectedAnswerPages(services, pages), door),
        *_reader_routes(ReaderPages(services, pages), door),
        *_agent_job_routes(AgentJobPages(services, pages), door),
        *_agent_webhook_routes(AgentWebhookPages(services, pages), door),
        *_change_routes(changes, ChangeActions(services, pages, changes), door),
        *_job_preview_routes(JobPreviewPages(services, pages), door),
        *_agent_settings_routes(AgentSettingsPages(services, pages), door),
        *_removal_routes(RemovalPages(services, pages), door),
        *_renaming_routes(RenamingPages(services, pages), door),
        *_deployment_routes(DeploymentPages(services, pages), door),
    ]
    app = Starlette(
        routes=routes,
        exception_handlers={HTTPException: door.nothing_here},
        middleware=[Middleware(GZipMiddleware, minimum_size=KIB, compresslevel=_COMPRESSION)],
    )
    app.router.redirect_slashes = False
    return app


class Door:
    """Lets requests in: who it is, whether the form is ours, and what an error looks like."""

    def __init__(self, services: DashboardServices, pages: PageRenderer) -> None:
        self._services = services
        self._pages = pages
        self._cookies = CookieJar(services.is_https)

    def anyone(self, page: Page) -> Endpoint:
        """A page that needs no sign-in."""

        def checked(visit: DashboardRequest) -> Response:
            check_csrf(visit)
            return page(visit)

        async def endpoint(request: Request) -> Response:
            return await self._answer(request, checked)

        return endpoint

    def owners(self, page: OwnerPage, *, polled: bool = False, max_file_bytes: int = 0) -> Endpoint:
        """A page for those who are signed in; `polled` ones are asked for by scripts.

        Forms may have files of `max_file_bytes` together.
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

    async def nothing_here(self, request: Request, error: Exception) -> Response:
        """Answer requests that no route matches."""
        missing = NotFound("Check the URL, or start at the deployments.")
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
            failure = UnexpectedError()
            _log.exception("error %s: %s %s failed", failure.id, request.method, request.url.path)
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
    """The methods of all routes of an address; the framework names those of the first."""
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


def _sign_in_routes(pages: SignInPages, door: Door) -> list[Route]:
    return [
        _get(SIGN_IN, door.anyone(pages.ask)),
        _post(SIGN_IN, door.anyone(pages.sign_in)),
        _get(f"{SIGN_IN}/{{token}}", door.anyone(pages.open_link)),
        _post(f"{SIGN_IN}/{{token}}", door.anyone(pages.use_link)),
        _post(f"{HOME}/sign-out", door.owners(pages.sign_out)),
        _get(f"{HOME}/password", door.owners(pages.ask_password)),
        _post(f"{HOME}/password", door.owners(pages.change_password)),
    ]


def _key_routes(pages: KeyPages, door: Door) -> list[Route]:
    keys = f"{HOME}/keys/{{domain}}"
    return [
        _get(keys, door.owners(pages.show)),
        _post(keys, door.owners(pages.create)),
        _get(f"{keys}/{{key_id}}/revoke", door.owners(pages.ask_revoke)),
        _post(f"{keys}/{{key_id}}/revoke", door.owners(pages.revoke)),
    ]


def _export_routes(pages: ExportPages, door: Door) -> list[Route]:
    exports = f"{HOME}/exports/{{domain}}"
    return [
        _get(exports, door.owners(pages.show)),
        _post(exports, door.owners(pages.start)),
        _post(f"{exports}/automatic", door.owners(pages.set_automatic)),
        _get(f"{exports}/state.json", door.owners(pages.state, polled=True)),
        _get(f"{exports}/{{export_id}}/download", door.owners(pages.download)),
    ]


def _conversation_routes(pages: ConversationPages, door: Door) -> list[Route]:
    conversations = f"{HOME}/conversations/{{domain}}"
    return [
        _get(conversations, door.owners(pages.list)),
        _post(f"{conversations}/forget", door.owners(pages.forget)),
        _get(f"{conversations}/{{thread_id}}", door.owners(pages.show)),
        _get(f"{HOME}/gaps/{{domain}}", door.owners(pages.gaps)),
    ]


def _expected_answer_routes(pages: ExpectedAnswerPages, door: Door) -> list[Route]:
    entry = f"{HOME}/conversations/{{domain}}/{{thread_id}}/{{turn_id}}/expected-answer"
    return [_get(entry, door.owners(pages.show)), _post(entry, door.owners(pages.update))]


def _reader_routes(pages: ReaderPages, door: Door) -> list[Route]:
    feedback = f"{HOME}/feedback/{{domain}}"
    return [
        _get(f"{HOME}/readers/{{domain}}", door.owners(pages.views)),
        _get(feedback, door.owners(pages.feedback)),
        _post(feedback, door.owners(pages.mark)),
    ]


def _change_routes(pages: ChangePages, actions: ChangeActions, door: Door) -> list[Route]:
    change = f"{HOME}/changes/{{change_id}}"
    return [
        _get("/changes/{change_id}", door.anyone(pages.redirect)),
        _get(change, door.owners(pages.show)),
        _get(f"{change}/state.json", door.owners(pages.state, polled=True)),
        _get(f"{change}/news.json", door.owners(pages.news, polled=True)),
        _get(f"{change}/commits", door.owners(pages.commits)),
        _get(f"{change}/files", door.owners(pages.files)),
        _get(f"{change}/pages", door.owners(pages.pages)),
        _get(f"{change}/pages/state.json", door.owners(pages.pages_state, polled=True)),
        _get(f"{change}/pages/{{side}}", door.owners(pages.document)),
        _post(f"{change}/comment", door.owners(actions.comment)),
        _post(f"{change}/viewed", door.owners(actions.mark_viewed)),
        _post(f"{change}/approve", door.owners(actions.approve)),
        _post(f"{change}/merge", door.owners(actions.merge)),
        _post(f"{change}/close", door.owners(actions.close)),
        _post(f"{change}/reopen", door.owners(actions.reopen)),
    ]


def _job_preview_routes(pages: JobPreviewPages, door: Door) -> list[Route]:
    job = f"{HOME}/jobs/{{change_id}}"
    return [
        _get(job, door.owners(pages.open_job)),
        _get(f"{job}/pages", door.owners(pages.pages)),
        _get(f"{job}/pages/state.json", door.owners(pages.pages_state, polled=True)),
        _get(f"{job}/pages/{{side}}", door.owners(pages.document)),
        _get(f"{job}/news.json", door.owners(pages.news, polled=True)),
    ]


def _agent_settings_routes(pages: AgentSettingsPages, door: Door) -> list[Route]:
    settings = f"{HOME}/agent-settings/{{domain}}"
    return [_get(settings, door.owners(pages.show)), _post(settings, door.owners(pages.save))]


def _agent_job_routes(pages: AgentJobPages, door: Door) -> list[Route]:
    jobs = f"{HOME}/agent/{{domain}}"
    job = f"{jobs}/jobs/{{job_id}}"
    return [
        _get(jobs, door.owners(pages.list)),
        _post(jobs, door.owners(pages.start, max_file_bytes=MOST_BYTES_TOGETHER)),
        _get(f"{jobs}/state.json", door.owners(pages.list_state, polled=True)),
        _get(job, door.owners(pages.show)),
        _get(f"{job}/state.json", door.owners(pages.state, polled=True)),
        _post(f"{job}/message", door.owners(pages.follow_up, max_file_bytes=MOST_BYTES_TOGETHER)),
        _post(f"{job}/cancel", door.owners(pages.cancel)),
        _post(f"{job}/archive", door.owners(pages.archive)),
    ]


def _agent_webhook_routes(pages: AgentWebhookPages, door: Door) -> list[Route]:
    webhooks = f"{HOME}/agent/{{domain}}/webhooks"
    return [
        _get(webhooks, door.owners(pages.show)),
        _post(webhooks, door.owners(pages.create)),
        _post(f"{webhooks}/{{webhook_id}}/remove", door.owners(pages.remove)),
        _post(f"{webhooks}/deliveries/{{delivery_id}}/again", door.owners(pages.redeliver)),
    ]


def _removal_routes(pages: RemovalPages, door: Door) -> list[Route]:
    removal = f"{HOME}/{{organization_id}}/{{domain}}/remove"
    return [_get(removal, door.owners(pages.ask)), _post(removal, door.owners(pages.remove))]


def _renaming_routes(pages: RenamingPages, door: Door) -> list[Route]:
    renaming = f"{HOME}/{{organization_id}}/{{domain}}/rename"
    return [_get(renaming, door.owners(pages.ask)), _post(renaming, door.owners(pages.rename))]


def _deployment_routes(pages: DeploymentPages, door: Door) -> list[Route]:
    # These come last: their first part stands for any, and no organization id is a word.
    overview = f"{HOME}/{{organization_id}}/{{domain}}"
    return [
        _get(HOME, door.owners(pages.show)),
        _get(f"{HOME}/", door.owners(pages.show)),
        _get(f"{HOME}/deployments.json", door.owners(pages.show_state, polled=True)),
        _get(f"{overview}/state.json", door.owners(pages.overview_state, polled=True)),
        _post(f"{overview}/update", door.owners(pages.update)),
        _post(f"{overview}/rollback", door.owners(pages.rollback)),
        _get(overview, door.owners(pages.overview)),
    ]


def _get(path: str, endpoint: Endpoint) -> Route:
    return Route(path, endpoint, methods=["GET"])


def _post(path: str, endpoint: Endpoint) -> Route:
    return Route(path, endpoint, methods=["POST"])
