"""Services that the dashboard uses, provided by the composition root."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from docstead.accounts.api_keys import ApiKeys
from docstead.accounts.owners import OwnerRecords
from docstead.accounts.site_hosts import SiteLink
from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.agent.agent import AgentJobs
from docstead.agent.forge_hook_secrets import ForgeHookSecrets
from docstead.agent.forges.factory import ForgeFactory
from docstead.agent.pull_request_states import PullRequestStates
from docstead.agent.reviews.service import ReviewService
from docstead.analytics.insights import ReaderInsights
from docstead.base.clock import Clock
from docstead.export.exports import ExportManager
from docstead.limits.rate_limits import RateLimits
from docstead.publishing.editions import EditionStore
from docstead.publishing.rollbacks import EditionRollbacks
from docstead.publishing.updates import UpdateService
from docstead.publishing.vectors import VectorProgress


@dataclass(frozen=True)
class DashboardServices:
    tenancy: Tenancy
    owners: OwnerRecords
    api_keys: ApiKeys
    rate_limits: RateLimits
    updates: UpdateService
    rollbacks: EditionRollbacks
    editions: EditionStore
    exports: ExportManager
    insights: ReaderInsights
    agent: AgentJobs
    pull_requests: PullRequestStates
    forges: ForgeFactory
    reviews: ReviewService
    clock: Clock
    base_url: str  # of the service, without a trailing slash
    site_link: Callable[[Deployment, str], SiteLink]  # for a Host header
    client_address: Callable[[HTTPConnection], str]
    rename_deployment: Callable[[str, str], Deployment]  # deployment id, new domain
    remove_deployment: Callable[[Deployment], None]  # with all its data
    hook_secrets: ForgeHookSecrets  # of webhooks that forges call
    # Of an edition; None if search compares words only.
    vector_progress: Callable[[str], VectorProgress] | None

    @property
    def is_https(self) -> bool:
        return self.base_url.startswith("https://")
