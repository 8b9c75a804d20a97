"""Everything that works without a running service, built by `open_services`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

from docstead.accounts.hostname_rules import HostnameRules
from docstead.accounts.plans import OrganizationPlan
from docstead.accounts.site_hosts import SiteHosts
from docstead.accounts.tenancy import Deployment
from docstead.agent.agent import AgentJobs
from docstead.agent.forge_hook_secrets import ForgeHookSecrets
from docstead.agent.forge_hooks import ForgeHooks
from docstead.agent.forges.factory import ForgeFactory
from docstead.agent.forges.project_settings import ProjectSettingsStore
from docstead.agent.pull_request_records import PullRequestRecords
from docstead.agent.pull_request_states import PullRequestStates
from docstead.agent.reviews.records import ReviewRecords
from docstead.agent.reviews.service import ReviewService
from docstead.agent.webhooks.records import WebhookRecords
from docstead.analytics.insights import ReaderInsights
from docstead.analytics.meaning import no_vectors
from docstead.app.accounts import AccountServices, accounts_of
from docstead.app.adapters import (
    agent_repositories_of,
    builders_of,
    external_services_of,
    forge_credentials_of,
    git_network_of,
    objects_of,
)
from docstead.app.agent import agent_of
from docstead.app.answering import AnswererChoice
from docstead.app.databases import opened_database
from docstead.app.features import FeatureProfiles, bundle_profiles, service_profiles
from docstead.app.finding import editions_of, embedder_of, vector_jobs_of
from docstead.app.models import catalog_of
from docstead.app.removal import DeploymentRemoval
from docstead.app.reviews import reviews_of
from docstead.assistant.engine import Assistant
from docstead.base.networks import parsed_networks
from docstead.base.outbound import OutboundClient
from docstead.export.automatic import AutomaticExports
from docstead.export.exports import ExportManager
from docstead.export.records import ExportRecords, ExportRetention
from docstead.hosting.edition_site import show_home
from docstead.limits import policies
from docstead.limits.idempotency import IdempotencyKeys
from docstead.limits.model_budgets import ModelBudgets
from docstead.limits.rate_limits import RateLimits
from docstead.models.catalog import ModelCatalog
from docstead.models.embedding import QueryEmbeddings
from docstead.publishing.builders import BuilderPool, WarmParent
from docstead.publishing.edition_builds import EditionBuilds
from docstead.publishing.editions import EditionStore
from docstead.publishing.publications import PublicationService
from docstead.publishing.publisher import Publisher
from docstead.publishing.remote_files import RemoteFiles
from docstead.publishing.retention import Retention
from docstead.publishing.rollbacks import EditionRollbacks
from docstead.publishing.source_limits import SourceLimits
from docstead.publishing.storage_quota import StorageQuota
from docstead.publishing.update_records import Update, UpdateRecords
from docstead.publishing.update_reports import UpdateReports
from docstead.publishing.updates import UpdateService
from docstead.publishing.vector_jobs import VectorJobs
from docstead.repository.tree_limits import TreeLimits
from docstead.settings import Settings
from docstead.storage.database import Database
from docstead.storage.links import LinkSigner
from docstead.storage.objects import DiskObjects, ObjectStore
from docstead.storage.private_files import private_files
from docstead.theme.external_services import ExternalServices


@dataclass(frozen=True)
class AppServices(AccountServices):
    """Everything that works without a running service, sharing one database and one clock."""

    objects: ObjectStore
    signer: LinkSigner
    rate_limits: RateLimits
    idempotency: IdempotencyKeys
    editions: EditionStore
    updates: UpdateService
    publications: PublicationService
    rollbacks: EditionRollbacks
    removal: DeploymentRemoval
    exports: ExportManager
    assistant: Assistant[Deployment]
    insights: ReaderInsights
    features: FeatureProfiles
    models: ModelCatalog
    model_budgets: ModelBudgets
    forges: ForgeFactory
    reviews: ReviewService
    agent: AgentJobs
    pull_requests: PullRequestStates
    queries: QueryEmbeddings | None
    vectors: VectorJobs | None
    builders: BuilderPool
    builds: EditionBuilds
    daily: tuple[Callable[[], object], ...]  # delete leftovers of killed processes

    @property
    def forge_hooks(self) -> ForgeHooks:
        """Handler of webhooks that forges call."""
        return ForgeHooks(
            self.forge_hook_secrets,
            self.agent,
            self.pull_requests,
            self.tenancy,
            self.forges,
            self.rate_limits,
        )

    @property
    def forge_hook_secrets(self) -> ForgeHookSecrets:
        """Secrets of the webhooks of forges."""
        return ForgeHookSecrets(self.database, self.keyring.hooks_key)

    def site_url(self, deployment: Deployment) -> str:
        """Return the URL of a deployment for programs, without a trailing slash."""
        return self.site_hosts.url(deployment)

    def browser_url(self, deployment: Deployment) -> str:
        """Return the URL of a deployment that people are shown, without a trailing slash."""
        return self.site_hosts.link(deployment).url

    @property
    def site_hosts(self) -> SiteHosts:
        """Hostnames and URLs of sites."""
        return site_hosts_of(self.settings)

    def external_services(self, deployment: Deployment) -> ExternalServices:
        """Return the services that pages of a deployment use, with a key for pages."""
        return external_services_of(
            self.settings, self.features.features, self.api_keys, self.tenancy, deployment
        )


@contextmanager
def open_services(settings: Settings, parent: WarmParent | None = None) -> Iterator[AppServices]:
    """Open the stores and apply migrations; close them on exit.

    Builders are forked from `parent`, by default from a new process.

    Raises:
        InvalidRequest: settings contradict each other.
        StoreUnavailable, UnusableDatabase: the database cannot be used.
    """
    with private_files(settings.data), opened_database(settings) as database:
        services = _services(settings, database, parent)
        try:
            yield services
        finally:
            services.builds.close()
            services.builders.close()
            services.pull_requests.close()
            services.forges.close()
            if services.queries is not None:
                services.queries.close()


def _services(settings: Settings, database: Database, parent: WarmParent | None) -> AppServices:
    accounts = _with_present_default(accounts_of(settings, database))
    settings = accounts.settings
    clock, keyring = accounts.clock, accounts.keyring
    tenancy, api_keys = accounts.tenancy, accounts.api_keys
    signer = LinkSigner(keyring.link_keys, clock)
    objects = objects_of(settings, signer, clock)
    webhooks = WebhookRecords(database, clock, keyring.vault)
    webhooks.seal_secrets()
    embedder = embedder_of(settings)
    queries = QueryEmbeddings(embedder) if embedder else None
    editions = editions_of(settings, database, objects, queries)
    site_url = site_hosts_of(settings).url
    catalog = catalog_of(settings)
    budgets = ModelBudgets(
        database,
        clock,
        per_day=settings.model_tokens_per_day or None,
        per_organization=settings.model_tokens_per_organization or None,
    )
    answerers = AnswererChoice(settings, catalog, budgets, embedder)
    forges = ForgeFactory(
        forge_credentials_of(settings),
        ProjectSettingsStore(database),
        ReviewRecords(database, clock),
        settings.public_url,
        repositories=agent_repositories_of(settings),
        network=git_network_of(settings).named_by_operator,
    )
    limits = policies.checked(settings.limits)
    export_records = ExportRecords(database, clock)
    features = service_profiles(settings)
    builders = builders_of(settings, parent)
    agent = agent_of(
        settings,
        database=database,
        clock=clock,
        tenancy=tenancy,
        webhooks=webhooks,
        catalog=catalog,
        forges=forges,
        editions=editions,
        budgets=budgets,
        builders=builders,
    )
    outbound = OutboundClient(parsed_networks(settings.specification_networks))
    remote_files = RemoteFiles(outbound, settings.data / "cache" / "remote")
    tree_limits = TreeLimits(settings.source_files, settings.source_depth)
    source_limits = SourceLimits(settings.source_bytes, tree_limits, settings.source_pack_bytes)
    builds = EditionBuilds(
        builders,
        settings.data / "cache" / "builds",
        read_remote=remote_files.read,
        read_artifact=remote_files.read_artifact,
        fetch_asset=remote_files.read_asset,
        limits=tree_limits,
    )
    retention = Retention(
        database,
        objects,
        editions,
        clock,
        kept=settings.editions_kept,
        in_use=export_records.editions_in_use,
    )
    on_current = AutomaticExports(clock).record
    quota = StorageQuota(database, objects, settings.organization_bytes)
    publisher = Publisher(
        database=database,
        objects=objects,
        editions=editions,
        tenancy=tenancy,
        builds=builds,
        standby_worker=builders.standby_worker,
        clock=clock,
        workspace=settings.data / "cache",
        network=git_network_of(settings).named_by_operator,
        source_limits=source_limits,
        retention=retention,
        quota=quota,
        show=show_home,
        credentials_for=forges.credentials_to_publish,
        fetches_assets=settings.fetches_assets,
        on_current=on_current,
    )
    exports = ExportManager(
        records=export_records,
        editions=editions,
        objects=objects,
        tenancy=tenancy,
        site_url=site_url,
        link_ttl_seconds=settings.bundle_link_seconds,
        kept=_kept_exports(settings),
        profile=bundle_profiles(settings).of,
        external_services=partial(
            external_services_of, settings, features.features, api_keys, tenancy
        ),
        quota=quota,
    )
    vectors = vector_jobs_of(database, objects, editions, embedder, clock)
    on_published = partial(_follow, exports, vectors)
    updates = UpdateService(
        UpdateRecords(database, clock),
        publisher,
        tenancy,
        clock,
        UpdateReports(database),
        on_published=on_published,
    )
    removal = DeploymentRemoval(database, objects)
    publications = PublicationService(
        tenancy,
        updates,
        publisher.archives,
        OrganizationPlan(settings.plan),
        hostname_rules=HostnameRules(settings.allowed_hostnames, site_hosts_of(settings)),
        quota=quota,
    )
    return AppServices(
        **vars(accounts),
        objects=objects,
        signer=signer,
        rate_limits=RateLimits(database, clock, limits),
        idempotency=IdempotencyKeys(database, clock),
        editions=editions,
        updates=updates,
        publications=publications,
        rollbacks=EditionRollbacks(
            database,
            editions,
            clock,
            show=show_home,
            on_current=on_current,
            on_published=on_published,
        ),
        removal=removal,
        exports=exports,
        assistant=Assistant(
            database,
            editions,
            answerers.of,
            clock,
            site_url,
            thread_key_required=settings.thread_key_required,
            thread_must_exist=settings.thread_must_exist,
        ),
        insights=ReaderInsights.over(
            database,
            clock,
            days=settings.conversation_days,
            question_vectors=queries.vectors if queries else no_vectors,
        ),
        features=features,
        models=catalog,
        model_budgets=budgets,
        forges=forges,
        agent=agent,
        pull_requests=PullRequestStates(
            PullRequestRecords(database, clock), tenancy, forges, clock
        ),
        reviews=reviews_of(
            settings, builders, tenancy=tenancy, clock=clock, forges=forges, agent=agent
        ),
        queries=queries,
        vectors=vectors,
        builders=builders,
        builds=builds,
        daily=(
            exports.remove_expired,
            removal.remove_files,
            *_daily(objects, editions, retention),
        ),
    )


def _follow(exports: ExportManager, vectors: VectorJobs | None, done: Update) -> None:
    """Start what follows a publish."""
    exports.follow(done)
    if vectors is not None:
        vectors.follow()


def _with_present_default(accounts: AccountServices) -> AccountServices:
    """Replace a default deployment that is configured by a former domain with its current one."""
    present = accounts.tenancy.present_domain(accounts.settings.default_domain)
    settings = accounts.settings.model_copy(update={"default_domain": present})
    return replace(accounts, settings=settings)


def _kept_exports(settings: Settings) -> ExportRetention:
    count = None if settings.exports_kept == "all" else settings.exports_kept
    return ExportRetention(count, settings.exports_kept_days)


def _daily(
    objects: ObjectStore, editions: EditionStore, retention: Retention
) -> tuple[Callable[[], object], ...]:
    own = (objects.remove_abandoned,) if isinstance(objects, DiskObjects) else ()
    return (retention.mark_unused, editions.remove_abandoned, *own)


def site_hosts_of(settings: Settings) -> SiteHosts:
    """Return the hostnames and URLs of sites."""
    return SiteHosts(settings.public_url, settings.sites_host, settings.default_domain)
