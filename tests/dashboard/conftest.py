"""A dashboard over real services, and a browser's part of the work."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr
from starlette.applications import Starlette

from builds import builders_in, publisher_in
from docstead.accounts.api_keys import ApiKeys
from docstead.accounts.owners import OwnerRecords
from docstead.accounts.plans import OrganizationPlan
from docstead.accounts.renames import DeploymentRenames
from docstead.accounts.site_hosts import SiteLink
from docstead.accounts.tenancy import Deployment
from docstead.agent.agent import AgentJobs
from docstead.agent.forge_hook_secrets import ForgeHookSecrets
from docstead.agent.forges.access import ForgeAccess
from docstead.agent.forges.approved_repositories import ApprovedRepository
from docstead.agent.forges.factory import ForgeFactory
from docstead.agent.forges.project_settings import ProjectSettingsStore
from docstead.agent.pull_request_records import PullRequestRecords
from docstead.agent.pull_request_states import PullRequestStates
from docstead.agent.reviews.previews import ChangePreviews
from docstead.agent.reviews.records import Review, ReviewRecords
from docstead.agent.reviews.revisions import ReviewClones
from docstead.agent.reviews.service import ReviewService
from docstead.analytics.insights import ReaderInsights
from docstead.analytics.meaning import QuestionVectors, no_vectors
from docstead.app.agent import AgentAssembly
from docstead.app.removal import DeploymentRemoval
from docstead.app.shared import shared_services
from docstead.app.webhooks import webhooks_of
from docstead.base.errors import DocsteadError
from docstead.dashboard.application import create_dashboard
from docstead.dashboard.services import DashboardServices
from docstead.export.exports import ExportManager
from docstead.export.records import ExportRecords
from docstead.jobs import Jobs
from docstead.limits.model_budgets import ModelBudgets
from docstead.limits.rate_limits import RateLimits
from docstead.models.catalog import ModelCatalog, ModelEntry
from docstead.publishing.publisher import Publisher
from docstead.publishing.rollbacks import EditionRollbacks
from docstead.publishing.update_records import UpdateRecords
from docstead.publishing.updates import UpdateService
from docstead.publishing.vectors import VectorProgress
from docstead.settings import Settings
from handmade_sites import HandmadeSites
from in_process import send
from manual_clock import ManualClock
from review_repository import ReviewRepository, opened_review
from tenancy_changes import set_source

PASSWORD = "a long password"


class FollowUps:
    """Stands in for agent jobs: records what they get."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str]] = []
        self.refusal: DocsteadError | None = None

    def __call__(self, review: Review, text: str) -> None:
        if self.refusal is not None:
            raise self.refusal
        self.sent.append((review.branch, text))


@dataclass(frozen=True)
class DashboardHarness(HandmadeSites):
    """Everything behind the dashboard. Jobs are queued and never run here."""

    jobs: Jobs = field(kw_only=True)
    base_url: str = field(default="http://docstead.test", kw_only=True)
    has_model: bool = field(default=True, kw_only=True)
    question_vectors: QuestionVectors = field(default=no_vectors, kw_only=True)
    vectors: dict[str, VectorProgress] = field(default_factory=dict, kw_only=True)

    @cached_property
    def app(self) -> Starlette:
        return create_dashboard(self.services)

    @cached_property
    def services(self) -> DashboardServices:
        updates = UpdateService(self.update_records, self._publisher, self.tenancy, self.clock)
        exports = ExportManager(
            records=self.export_records,
            editions=self.editions,
            objects=self.objects,
            tenancy=self.tenancy,
        )
        updates.register(self.jobs)
        exports.register(self.jobs)
        return DashboardServices(
            tenancy=self.tenancy,
            owners=OwnerRecords(self.database, self.clock, password_cost=2),
            api_keys=ApiKeys(self.database, self.clock, b"pepper"),
            rate_limits=RateLimits(self.database, self.clock),
            updates=updates,
            rollbacks=EditionRollbacks(
                self.database, self.editions, self.clock, show=lambda edition: edition.page("index")
            ),
            editions=self.editions,
            exports=exports,
            insights=self.insights,
            agent=self.agent,
            pull_requests=self.pull_requests,
            forges=self.forges,
            reviews=self.reviews,
            clock=self.clock,
            base_url=self.base_url,
            site_link=lambda deployment, _: SiteLink(
                f"https://{deployment.hostname}", is_shared=False
            ),
            rename_deployment=DeploymentRenames(self.database, self.tenancy, {}).rename,
            remove_deployment=DeploymentRemoval(self.database, self.objects).remove,
            client_address=lambda connection: connection.client.host if connection.client else "",
            hook_secrets=ForgeHookSecrets(self.database, b"key"),
            vector_progress=lambda edition_id: self.vectors.get(edition_id, VectorProgress()),
        )

    @cached_property
    def insights(self) -> ReaderInsights:
        return ReaderInsights.over(
            self.database, self.clock, days=365, question_vectors=self.question_vectors
        )

    @cached_property
    def agent(self) -> AgentJobs:
        """Agent jobs with a model that no test calls."""
        model = ModelEntry(
            "default",
            "openai",
            "http://127.0.0.1:9/v1",
            "scripted",
            inputs=frozenset({"image"}),
        )
        settings = Settings(
            data=self.folder / "data", base_url=self.base_url, secret=(SecretStr("secret" * 8),)
        )
        shared = replace(
            shared_services(settings, self.database, parent=None),
            builders=builders_in(self.folder),
            clock=self.clock,
            tenancy=self.tenancy,
            models=ModelCatalog([model] if self.has_model else []),
            model_budgets=ModelBudgets(self.database, self.clock),
            forges=self.forges,
            editions=self.editions,
        )
        agent = AgentAssembly(shared, webhooks_of(shared)).agent()
        agent.register(self.jobs)
        return agent

    @cached_property
    def pull_requests(self) -> PullRequestStates:
        records = PullRequestRecords(self.database, self.clock)
        return PullRequestStates(records, self.tenancy, self.forges, self.clock)

    @cached_property
    def forges(self) -> ForgeFactory:
        known = {"docs-bot": ForgeAccess("docs-bot", "the-token")}
        reviews = ReviewRecords(self.database, self.clock)
        return ForgeFactory(
            known,
            ProjectSettingsStore(self.database),
            reviews,
            self.base_url,
            repositories=(
                ApprovedRepository("https://github.com/acme/app"),
                ApprovedRepository("git@github.com:acme/lib.git"),
                ApprovedRepository(
                    "https://github.com/other/app", organizations=frozenset({"another"})
                ),
            ),
        )

    @cached_property
    def reviews(self) -> ReviewService:
        return ReviewService(
            reviews=self.forges.reviews,
            tenancy=self.tenancy,
            forges=self.forges,
            clones=ReviewClones(self.folder / "clones"),
            previews=ChangePreviews(builders_in(self.folder), self.folder / "previews"),
            follow_up=self.follow_ups,
            clock=self.clock,
        )

    @cached_property
    def follow_ups(self) -> FollowUps:
        return FollowUps()

    @cached_property
    def export_records(self) -> ExportRecords:
        return ExportRecords(self.database, self.clock)

    @cached_property
    def update_records(self) -> UpdateRecords:
        return UpdateRecords(self.database, self.clock)

    @property
    def _publisher(self) -> Publisher:
        return publisher_in(self.folder, self.database, self.objects, self.clock, self.editions)

    def at(self, base_url: str) -> DashboardHarness:
        """Return the same harness at another URL."""
        return DashboardHarness(
            self.database, self.objects, self.folder, self.clock, jobs=self.jobs, base_url=base_url
        )

    def organization(
        self, domain: str, plan: OrganizationPlan = OrganizationPlan.ENTERPRISE
    ) -> Deployment:
        """A deployment of a new organization on this plan."""
        organization = self.tenancy.create_organization(f"The {domain} people", plan)
        project = self.tenancy.create_project(organization.id, domain, "/nowhere")
        return self.tenancy.create_deployment(project.id, domain, f"docs.{domain}.test")


class FormBrowser:
    """Keeps cookies, and sends forms with what their pages put into them."""

    def __init__(self, app: Starlette, base_url: str, ip_address: str = "192.0.2.1") -> None:
        self._app = app
        self._base_url = base_url
        self._ip_address = ip_address
        self.cookies: dict[str, str] = {}
        self.csrf = ""

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.send("GET", path, **options)

    def post(self, path: str, csrf: str | None = None, **fields: Any) -> httpx.Response:
        """Send a form with the token of the page seen last, or another one."""
        return self.send("POST", path, data={"csrf": self.csrf if csrf is None else csrf, **fields})

    def send(self, method: str, path: str, **options: Any) -> httpx.Response:
        answer = asyncio.run(self._send(method, path, **options))
        for cookie in answer.headers.get_list("set-cookie"):
            name, value = cookie.partition(";")[0].split("=", 1)
            self.cookies[name] = value.strip('"')
        token = re.search(r'name="csrf" value="(\w+)"', answer.text)
        self.csrf = token[1] if token else self.csrf
        return answer

    async def _send(self, method: str, path: str, **options: Any) -> httpx.Response:
        headers = {"cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items() if v)}
        if method not in ("GET", "HEAD"):
            headers["origin"] = self._base_url
        return await send(
            self._app,
            method,
            path,
            base_url=self._base_url,
            client_ip=self._ip_address,
            headers={**headers, **options.pop("headers", {})},
            **options,
        )

    def sign_in(self, harness: DashboardHarness, organization_id: str) -> FormBrowser:
        """Use a one-time link, as a new owner does."""
        link = harness.services.owners.new_sign_in_link(organization_id)
        self.get(link)
        self.post(link)
        self.get("/dashboard/password")
        return self


@pytest.fixture
def harness(sqlite_backend: Any, tmp_path: Path, clock: ManualClock) -> Iterator[DashboardHarness]:
    jobs = Jobs(sqlite_backend.database_url, node_id="test")
    yield DashboardHarness(
        sqlite_backend.database, sqlite_backend.objects, tmp_path, clock, jobs=jobs
    )
    jobs.close()


@pytest.fixture
def browser(harness: DashboardHarness) -> Callable[..., FormBrowser]:
    """Makes browsers; those of different people have different IP addresses."""

    def open_browser(ip_address: str = "192.0.2.1", of: DashboardHarness = harness) -> FormBrowser:
        return FormBrowser(of.app, of.base_url, ip_address)

    return open_browser


@pytest.fixture
def acme(harness: DashboardHarness) -> Deployment:
    """A published site of an organization of its own."""
    deployment = harness.organization("acme")
    harness.publish(deployment, ("index", "guides/start"))
    return harness.tenancy.deployment(deployment.id)


@pytest.fixture
def owner(
    harness: DashboardHarness, acme: Deployment, browser: Callable[..., FormBrowser]
) -> FormBrowser:
    """The browser of somebody of acme who is signed in."""
    return browser().sign_in(harness, acme.organization_id)


@pytest.fixture(scope="module")
def made_repository(tmp_path_factory: pytest.TempPathFactory) -> ReviewRepository:
    return ReviewRepository.made(tmp_path_factory.mktemp("made") / "handbook.git")


@pytest.fixture
def repository(made_repository: ReviewRepository, tmp_path: Path) -> ReviewRepository:
    return made_repository.copied(tmp_path / "handbook.git")


@pytest.fixture
def change(harness: Any, acme: Any, repository: ReviewRepository) -> Any:
    set_source(harness.tenancy, acme.project_id, repository.url)
    return opened_review(harness, acme)


@pytest.fixture
def change_url(change: Any) -> str:
    return f"/dashboard/changes/{change.id}"
