"""The export and update endpoints of the API over real stores, for one organization."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

import httpx

from docstead.accounts.api_keys import ApiKeys
from docstead.accounts.plans import OrganizationPlan
from docstead.accounts.tenancy import Deployment
from docstead.api.application import create_api
from docstead.api.authentication import Authentication
from docstead.api.client_address import ClientAddress
from docstead.api.files import files_routes
from docstead.api.static_export import static_export_routes
from docstead.base.api_keys import KeyKind
from docstead.export.exports import ExportManager
from docstead.export.records import ExportRecords
from docstead.jobs import Jobs
from docstead.limits.idempotency import IdempotencyKeys
from docstead.limits.rate_limits import RateLimits
from docstead.storage.links import LinkSigner
from handmade_sites import HandmadeSites
from in_process import ask
from manual_clock import ManualClock

BASE_URL = "http://localhost"


@dataclass(frozen=True)
class ExportTenant:
    deployment: Deployment
    key: str

    @property
    def organization_id(self) -> str:
        return self.deployment.organization_id


class ExportService:
    """The API, its jobs before launch, and helpers that store test data."""

    def __init__(self, sites: HandmadeSites, jobs: Jobs, signer: LinkSigner) -> None:
        assert isinstance(sites.clock, ManualClock)
        self.sites, self.jobs, self.clock = sites, jobs, sites.clock
        self.records = ExportRecords(sites.database, sites.clock)
        self.exports = ExportManager(
            records=self.records,
            editions=sites.editions,
            objects=sites.objects,
            tenancy=sites.tenancy,
        )
        self.exports.register(jobs)
        self.keys = ApiKeys(sites.database, sites.clock, secrets.token_bytes(32))
        authentication = Authentication(self.keys, ClientAddress())
        routers = [
            static_export_routes(
                exports=self.exports,
                rate_limits=RateLimits(sites.database, sites.clock),
                idempotency=IdempotencyKeys(sites.database, sites.clock),
                authentication=authentication,
            ),
            files_routes(sites.objects, signer),
        ]
        self.api = create_api(routers, base_url=BASE_URL)

    def tenant(
        self, domain: str, plan: OrganizationPlan = OrganizationPlan.ENTERPRISE
    ) -> ExportTenant:
        """Create an organization with an empty deployment and an admin key."""
        organization = self.sites.tenancy.create_organization(domain, plan)
        project = self.sites.tenancy.create_project(organization.id, domain, "/nowhere")
        host = f"docs.{domain}.example"
        deployment = self.sites.tenancy.create_deployment(project.id, domain, host)
        return ExportTenant(deployment, self.key(organization.id))

    def key(self, organization_id: str, kind: KeyKind = KeyKind.ADMIN, **options: Any) -> str:
        return self.keys.create(organization_id, kind, "test", **options).key

    def call(
        self, method: str, path: str, key: str | None = None, **options: Any
    ) -> httpx.Response:
        headers = {
            **({"Authorization": f"Bearer {key}"} if key else {}),
            **options.pop("headers", {}),
        }
        return ask(self.api, method, path, headers=headers, base_url=BASE_URL, **options)
