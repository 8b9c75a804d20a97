"""The composition root: settings in, a running house out.

It alone reads the settings and chooses adapters: SQLite or PostgreSQL, disk or S3, a chat
model or none. Whoever calls `open_services` has everything that does not need a running
service; `create_service` adds the jobs and the surfaces.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlsplit

from anyio import to_thread
from fastapi import FastAPI
from starlette.routing import Router
from starlette.types import ASGIApp, Receive, Scope, Send

from docstead import secrets
from docstead.accounts.api_keys import ApiKeys
from docstead.accounts.owners import Owners
from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.api.application import create_api
from docstead.api.assistant.admission import Admission
from docstead.api.assistant.contents import Contents
from docstead.api.assistant.routes import assistant_routes
from docstead.api.authentication import Authentication
from docstead.api.client_address import ClientAddress
from docstead.api.files import files_routes
from docstead.api.health import health_routes
from docstead.api.project_updates import project_update_routes
from docstead.api.static_export import static_export_routes
from docstead.assistant.engine import Assistant
from docstead.base.clock import Clock, SystemClock
from docstead.base.errors import InvalidRequest
from docstead.dashboard.application import create_dashboard
from docstead.dashboard.services import Services as DashboardServices
from docstead.export.exports import Exports
from docstead.export.records import ExportRecords
from docstead.hosting.application import Hosting, create_hosting
from docstead.jobs import Jobs
from docstead.limits.idempotency import IdempotencyKeys
from docstead.limits.rate_limits import RateLimits
from docstead.models.chat import ChatModel
from docstead.models.openai_compatible import OpenAICompatible
from docstead.publishing.editions import Editions
from docstead.publishing.publisher import Publisher
from docstead.publishing.update_records import UpdateRecords
from docstead.publishing.updates import Updates
from docstead.settings import Settings
from docstead.site.engine import Engine
from docstead.storage.database import Database
from docstead.storage.links import LinkSigner
from docstead.storage.objects import DiskObjects, Objects, S3Objects

_API_PATHS = (
    "/discovery",
    "/v1/project",
    "/v1/static-export",
    "/v2/agent",
    "/_files",
    "/openapi.json",
    "/healthz",
)
_API_VERSIONS = ("/v1/", "/v2/")
_DASHBOARD = "/dashboard"


@dataclass(frozen=True)
class Services:
    """Everything that works without a running service, sharing one database and one clock."""

    settings: Settings
    clock: Clock
    database: Database
    objects: Objects
    signer: LinkSigner
    tenancy: Tenancy
    api_keys: ApiKeys
    owners: Owners
    rate_limits: RateLimits
    idempotency: IdempotencyKeys
    editions: Editions
    updates: Updates
    exports: Exports
    assistant: Assistant[Deployment]

    def site_address(self, deployment: Deployment) -> str:
        """Where readers find a deployment, without a slash at the end."""
        return _site_address(self.settings, deployment)


@contextmanager
def open_services(settings: Settings) -> Iterator[Services]:
    """Open the stores, bring the database up to date, and close it again at the end.

    Raises:
        InvalidRequest: settings that do not fit each other.
    """
    settings.data.mkdir(parents=True, exist_ok=True)
    database = Database(database_url(settings))
    try:
        database.migrate()
        yield _services(settings, database)
    finally:
        database.close()


def database_url(settings: Settings) -> str:
    """The database of these settings; SQLite in the data folder where none is named."""
    return settings.database_url or f"sqlite:///{(settings.data / 'docstead.sqlite').absolute()}"


def _services(settings: Settings, database: Database) -> Services:
    clock = SystemClock()
    secret = _root_secret(settings)
    signer = _signer(secret, clock)
    objects = _objects(settings, signer, clock)
    tenancy = Tenancy(database, clock)
    editions = Editions(database, objects, settings.data / "cache" / "editions")
    site_address = partial(_site_address, settings)
    publisher = Publisher(
        database=database,
        objects=objects,
        editions=editions,
        tenancy=tenancy,
        engine=partial(Engine, settings.render_workers),
        clock=clock,
        workspace=settings.data / "cache",
    )
    return Services(
        settings=settings,
        clock=clock,
        database=database,
        objects=objects,
        signer=signer,
        tenancy=tenancy,
        api_keys=ApiKeys(database, clock, secrets.derived(secret, "api keys")),
        owners=Owners(database, clock),
        rate_limits=RateLimits(database, clock),
        idempotency=IdempotencyKeys(database, clock),
        editions=editions,
        updates=Updates(UpdateRecords(database, clock), publisher, tenancy, clock),
        exports=Exports(
            records=ExportRecords(database, clock),
            editions=editions,
            objects=objects,
            tenancy=tenancy,
            site_address=site_address,
            link_ttl_seconds=settings.bundle_link_seconds,
            kept=settings.exports_kept,
        ),
        assistant=Assistant(
            database,
            editions,
            _model(settings),
            clock,
            site_address,
            thread_key_required=settings.thread_key_required,
        ),
    )


def _root_secret(settings: Settings) -> str:
    given = settings.secret.get_secret_value()
    return given or secrets.kept_text(settings.data / "secret", secrets.new_secret())


def _signer(secret: str, clock: Clock) -> LinkSigner:
    key = secrets.derived(secret, "links")
    key_id = hashlib.sha256(key).hexdigest()[:8]
    return LinkSigner({key_id: key}, key_id, clock)


def _objects(settings: Settings, signer: LinkSigner, clock: Clock) -> Objects:
    if not settings.s3_bucket:
        return DiskObjects(settings.data / "objects", signer, settings.public_url)
    return S3Objects(
        settings.s3_bucket,
        endpoint=settings.s3_endpoint or None,
        region=settings.s3_region,
        access_key_id=settings.s3_access_key_id or None,
        secret_access_key=settings.s3_secret_access_key.get_secret_value() or None,
        clock=clock,
    )


def _model(settings: Settings) -> ChatModel | None:
    if not settings.model_base_url:
        return None
    if not settings.model_name:
        raise InvalidRequest("settings: DOCSTEAD_MODEL_NAME: needed with DOCSTEAD_MODEL_BASE_URL")
    key = settings.model_api_key.get_secret_value()
    return OpenAICompatible(settings.model_base_url, key, settings.model_name)


def _site_address(settings: Settings, deployment: Deployment) -> str:
    """Names below `localhost` lead to this machine alone, where the service shows each site."""
    hostname = deployment.hostname
    if hostname != "localhost" and not hostname.endswith(".localhost"):
        return f"https://{hostname}"
    if deployment.domain == settings.default_domain:
        return settings.public_url
    return f"{settings.public_url}/_sites/{deployment.domain}"


# --- the running service -------------------------------------------------------


def create_service(services: Services) -> ASGIApp:
    """The service as one ASGI application; its lifespan starts and stops the jobs."""
    settings = services.settings
    jobs = Jobs(database_url(settings), node_id=_node_id(settings))
    services.updates.register(jobs)
    services.exports.register(jobs)
    client_address = ClientAddress(settings.trusted_proxies)
    hosting = create_hosting(
        services.tenancy,
        services.editions,
        services.objects,
        site_address=services.site_address,
        service_hosts=[urlsplit(settings.public_url).hostname or settings.host],
        default_domain=settings.default_domain,
    )
    # No mounted route: its pattern would not match a path that has a line break in it.
    return Router(
        default=_Surfaces(
            api=_api(services, client_address),
            dashboard=_dashboard(services, client_address),
            hosting=hosting,
        ),
        lifespan=partial(_working, services, jobs),
    )


@asynccontextmanager
async def _working(services: Services, jobs: Jobs, _app: object) -> AsyncIterator[None]:
    await to_thread.run_sync(_begin, services, jobs)
    try:
        yield
    finally:
        await to_thread.run_sync(jobs.close)


def _begin(services: Services, jobs: Jobs) -> None:
    jobs.launch()
    services.updates.start_queued()
    services.exports.start_queued()


def _api(services: Services, client_address: ClientAddress) -> FastAPI:
    settings = services.settings
    authentication = Authentication(services.api_keys, client_address)
    routers = [
        assistant_routes(
            authentication=authentication,
            client_address=client_address,
            admission=Admission(services.tenancy, services.rate_limits),
            assistant=services.assistant,
            contents=Contents(services.editions, services.site_address),
            enabled=settings.assistant_enabled,
        ),
        project_update_routes(
            authentication=authentication,
            updates=services.updates,
            tenancy=services.tenancy,
            rate_limits=services.rate_limits,
        ),
        static_export_routes(
            authentication=authentication,
            exports=services.exports,
            rate_limits=services.rate_limits,
            idempotency=services.idempotency,
        ),
        files_routes(services.objects, services.signer),
        health_routes(services.database),
    ]
    return create_api(routers, base_url=settings.public_url, max_body_bytes=settings.max_body_bytes)


def _dashboard(services: Services, client_address: ClientAddress) -> ASGIApp:
    return create_dashboard(
        DashboardServices(
            tenancy=services.tenancy,
            owners=services.owners,
            api_keys=services.api_keys,
            rate_limits=services.rate_limits,
            updates=services.updates,
            editions=services.editions,
            exports=services.exports,
            clock=services.clock,
            base_url=services.settings.public_url,
            site_address=services.site_address,
            client_address=client_address.of,
        )
    )


def _node_id(settings: Settings) -> str:
    return settings.node_id or secrets.kept_text(settings.data / "node-id", secrets.new_node_id())


class _Surfaces:
    """Leads a request to the surface that answers it.

    A host that shows a site of its own shows nothing else: its pages may have any path.
    """

    def __init__(self, *, api: FastAPI, dashboard: ASGIApp, hosting: Hosting) -> None:
        self._api = api
        self._dashboard = dashboard
        self._hosting = hosting

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        surface = await self._surface(scope)
        await surface(scope, receive, send)

    async def _surface(self, scope: Scope) -> ASGIApp:
        host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
        path = scope["path"]
        if await self._hosting.has_host_to_itself(host):
            return self._hosting
        if _is_below(path, _DASHBOARD):
            return self._dashboard
        return self._api if _is_for_api(scope) else self._hosting


def _is_for_api(scope: Scope) -> bool:
    """A site may have pages below `/v1/` too, but readers only get them, and without a key."""
    path, headers = scope["path"], dict(scope["headers"])
    if any(_is_below(path, each) for each in _API_PATHS):
        return True
    has_key = headers.get(b"authorization", b"").lower().startswith(b"bearer ")
    is_call = has_key or scope["method"] not in ("GET", "HEAD")
    return is_call and path.startswith(_API_VERSIONS)


def _is_below(path: str, top: str) -> bool:
    return path == top or path.startswith(f"{top}/")


def configure_logging(level: str) -> None:
    """Log lines on standard error, with their time."""
    logging.basicConfig(
        level=level.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s", force=True
    )
    logging.getLogger("httpx").setLevel(logging.WARNING)
