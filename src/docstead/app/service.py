"""The running service: jobs and surfaces."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from urllib.parse import urlsplit

from anyio import to_thread
from fastapi import APIRouter, FastAPI
from starlette.requests import HTTPConnection
from starlette.routing import Router
from starlette.types import ASGIApp

from docstead import secrets
from docstead.accounts.tenancy import Deployment
from docstead.analytics.event_collector import EventCollector
from docstead.api.admission_by_address import Admit
from docstead.api.agent.forge_hooks import forge_hook_routes
from docstead.api.agent.routes import agent_routes
from docstead.api.agent.v1 import agent_v1_routes
from docstead.api.analytics.routes import analytics_routes
from docstead.api.application import create_api
from docstead.api.assistant.admission import Admission
from docstead.api.assistant.contents import ContentSearch
from docstead.api.assistant.routes import assistant_routes
from docstead.api.authentication import Authentication
from docstead.api.client_address import ClientAddress
from docstead.api.files import files_routes
from docstead.api.health import health_routes
from docstead.api.local_sessions import LocalSessions, local_session_routes
from docstead.api.project_updates import project_update_routes
from docstead.api.publishing import publishing_routes
from docstead.api.readers import reader_routes
from docstead.api.readiness import (
    Readiness,
    check_database,
    check_disk,
    check_objects,
    check_running,
)
from docstead.api.static_export import static_export_routes
from docstead.api.widget import widget_routes
from docstead.app.databases import database_url
from docstead.app.mcp import mcp_of
from docstead.app.services import AppServices
from docstead.app.surfaces import SurfaceRouter
from docstead.assistant.feedback import AnswerFeedbackRecords
from docstead.assistant.streams import AnswerStreams
from docstead.base.networks import parsed_networks
from docstead.base.outbound import OutboundClient
from docstead.base.units import DAY_SECONDS
from docstead.dashboard.application import create_dashboard
from docstead.dashboard.services import DashboardServices
from docstead.hosting.application import HostingApp, create_hosting
from docstead.hosting.options import ClientPolicy, SiteOptions
from docstead.hosting.playground import PLAYGROUND_SECONDS
from docstead.hosting.site_matching import SiteMatcher
from docstead.jobs import Jobs
from docstead.limits import policies
from docstead.limits.address_limits import AddressLimits, AddressPolicy
from docstead.markup.assets import BuiltAssets
from docstead.rendering import engine_version
from docstead.settings import Settings
from docstead.theme.external_services import ExternalServices, ReadersLink

_LAST_WORDS_SECONDS = 10.0  # to finish answers in progress at shutdown


def create_service(services: AppServices) -> ASGIApp:
    """Return the service as an ASGI application; its lifespan starts and stops the jobs."""
    jobs = _jobs(services)
    surfaces = _ServiceSurfaces(services, Readiness(_checks(services, jobs)))
    # Not a mounted route: its pattern would not match paths that contain a line break.
    return Router(
        default=surfaces.router(), lifespan=partial(_working, services, jobs, surfaces.streams)
    )


def _jobs(services: AppServices) -> Jobs:
    jobs = Jobs(database_url(services.settings), node_id=_node_id(services.settings))
    services.updates.register(jobs)
    services.exports.register(jobs)
    services.agent.register(jobs)
    jobs.run_periodically(services.insights.upkeep)
    for task in services.daily:
        jobs.run_periodically(task, DAY_SECONDS)
    if services.vectors is not None:
        services.vectors.register(jobs)
    return jobs


def _node_id(settings: Settings) -> str:
    return settings.node_id or secrets.kept_node_id(settings.data / "node-id")


def _checks(services: AppServices, jobs: Jobs) -> Mapping[str, Callable[[], object]]:
    """Return the checks of readiness by name."""
    return {
        "database": lambda: check_database(services.database),
        "objects": lambda: check_objects(services.objects),
        "queue": lambda: check_running(jobs.is_running),
        "engine": engine_version,
        "disk": lambda: check_disk(services.settings.data),
    }


@asynccontextmanager
async def _working(
    services: AppServices, jobs: Jobs, streams: AnswerStreams[Deployment], _app: object
) -> AsyncIterator[None]:
    await to_thread.run_sync(_begin, services, jobs)
    try:
        yield
    finally:
        await streams.drain(_LAST_WORDS_SECONDS)
        await to_thread.run_sync(services.insights.write)
        await to_thread.run_sync(jobs.close)
        await to_thread.run_sync(services.agent.close)


def _begin(services: AppServices, jobs: Jobs) -> None:
    jobs.launch()
    services.updates.start_queued()
    services.exports.start_queued()
    services.agent.start_queued()


def _matcher(services: AppServices) -> SiteMatcher:
    settings = services.settings
    service_host = urlsplit(settings.public_url).hostname or settings.host
    return SiteMatcher(
        services.tenancy, [service_host], settings.default_domain, services.site_hosts
    )


class _ServiceSurfaces:
    """API, dashboard, sites and MCP, and the parts that they share."""

    def __init__(self, services: AppServices, readiness: Readiness) -> None:
        self.streams = AnswerStreams(services.assistant, services.database, services.clock)
        self._services = services
        self._readiness = readiness
        self._matcher = _matcher(services)
        self._client_address = ClientAddress(services.settings.trusted_proxies)
        self._collector: EventCollector[Deployment] = EventCollector(
            services.insights.visits,
            services.insights.page_feedback,
            services.insights.searches,
            services.editions,
            services.rate_limits,
        )
        self._address_limits = AddressLimits()
        self._admit = self._limited(
            policies.public_call(services.settings.address_requests_per_hour)
        )

    def router(self) -> SurfaceRouter:
        """Return the application that passes each request to its surface."""
        hosting = self._hosting()
        mcp = mcp_of(
            self._services,
            self._client_address,
            self.streams,
            self._matcher,
            readers=self._collector,
            texts=hosting.text,
            admit=self._admit,
        )
        return SurfaceRouter(api=self._api(), dashboard=self._dashboard(), hosting=hosting, mcp=mcp)

    def _limited(self, policy: AddressPolicy) -> Admit:
        """Return a function that counts requests of each IP address by this policy."""

        def admit(connection: HTTPConnection) -> None:
            self._address_limits.spend(policy, self._client_address.of(connection))

        return admit

    def _hosting(self) -> HostingApp:
        services, settings = self._services, self._services.settings
        return create_hosting(
            self._matcher,
            services.editions,
            services.objects,
            SiteOptions(services.site_url, self._external_services, services.features.features),
            clients=ClientPolicy(
                self._client_address.of,
                self._client_address.shown_below,
                self._admit,
                admit_playground=self._limited(
                    policies.playground_request(settings.playground_requests_per_minute)
                ),
            ),
            collector=self._collector,
            outbound=OutboundClient(
                parsed_networks(settings.playground_networks), total_seconds=PLAYGROUND_SECONDS
            ),
        )

    def _external_services(self, deployment: Deployment) -> ExternalServices:
        """Return the services that pages of a hosted site use."""
        found = self._services.external_services(deployment)
        return replace(found, readers=ReadersLink.of_site())

    def _api(self) -> FastAPI:
        services, settings = self._services, self._services.settings
        authentication = Authentication(services.api_keys, self._client_address)
        return create_api(
            [
                *self._reader_routes(authentication),
                *self._publishing_routes(authentication),
                *self._agent_routes(authentication),
                files_routes(services.objects, services.signer),
                widget_routes(BuiltAssets().read("widget.js"), services.features.anywhere),
                health_routes(services.database, self._readiness),
            ],
            base_url=settings.public_url,
            max_body_bytes=settings.max_body_bytes,
            max_archive_bytes=settings.source_bytes,
            admit=self._admit,
        )

    def _reader_routes(self, authentication: Authentication) -> list[APIRouter]:
        """Return the routes for answers and searches, and for reports on them."""
        services, features = self._services, self._services.features.features
        admission = Admission(services.tenancy, services.rate_limits, features)
        return [
            assistant_routes(
                authentication=authentication,
                client_address=self._client_address,
                admission=admission,
                streams=self.streams,
                feedback=AnswerFeedbackRecords(services.database, services.clock),
                contents=ContentSearch(
                    services.editions, services.site_url, services.insights.searches
                ),
            ),
            reader_routes(
                authentication=authentication,
                client_address=self._client_address,
                admission=admission,
                collector=self._collector,
            ),
            analytics_routes(
                authentication=authentication,
                insights=services.insights,
                tenancy=services.tenancy,
                rate_limits=services.rate_limits,
                features=features,
            ),
        ]

    def _publishing_routes(self, authentication: Authentication) -> list[APIRouter]:
        """Return the routes for updates and exports."""
        services = self._services
        sessions = LocalSessions(services.keyring.commands_key)
        return [
            project_update_routes(
                authentication=authentication,
                updates=services.updates,
                tenancy=services.tenancy,
                rate_limits=services.rate_limits,
            ),
            publishing_routes(
                publications=services.publications,
                updates=services.updates,
                tenancy=services.tenancy,
                rate_limits=services.rate_limits,
                authentication=authentication,
                sessions=sessions,
                site_url=services.browser_url,
            ),
            local_session_routes(sessions),
            static_export_routes(
                authentication=authentication,
                exports=services.exports,
                rate_limits=services.rate_limits,
                idempotency=services.idempotency,
            ),
        ]

    def _agent_routes(self, authentication: Authentication) -> list[APIRouter]:
        services = self._services
        return [
            agent_routes(
                authentication=authentication,
                agent=services.agent,
                rate_limits=services.rate_limits,
                idempotency=services.idempotency,
            ),
            agent_v1_routes(
                authentication=authentication,
                agent=services.agent,
                tenancy=services.tenancy,
                rate_limits=services.rate_limits,
            ),
            forge_hook_routes(services.forge_hooks),
        ]

    def _dashboard(self) -> ASGIApp:
        services = self._services
        return create_dashboard(
            DashboardServices(
                tenancy=services.tenancy,
                owners=services.owners,
                api_keys=services.api_keys,
                rate_limits=services.rate_limits,
                updates=services.updates,
                rollbacks=services.rollbacks,
                editions=services.editions,
                exports=services.exports,
                insights=services.insights,
                agent=services.agent,
                pull_requests=services.pull_requests,
                forges=services.forges,
                reviews=services.reviews,
                clock=services.clock,
                base_url=services.settings.public_url,
                site_link=services.site_hosts.link,
                client_address=self._client_address.of,
                rename_deployment=services.renames.rename,
                remove_deployment=services.removal.remove,
                hook_secrets=services.forge_hook_secrets,
                vector_progress=services.vectors.progress if services.vectors else None,
            )
        )
