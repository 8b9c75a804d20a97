"""Everything that works without a running service, built by `open_services`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from docstead.accounts.tenancy import Deployment
from docstead.agent.agent import AgentJobs
from docstead.agent.forge_hook_secrets import ForgeHookSecrets
from docstead.agent.forge_hooks import ForgeHooks
from docstead.agent.pull_request_records import PullRequestRecords
from docstead.agent.pull_request_states import PullRequestStates
from docstead.agent.reviews.service import ReviewService
from docstead.analytics.insights import ReaderInsights
from docstead.analytics.meaning import no_vectors
from docstead.app.agent import AgentAssembly
from docstead.app.answering import AnswererChoice
from docstead.app.databases import opened_database
from docstead.app.publishing import (
    builds_of,
    export_records_of,
    exports_of,
    project_sources_of,
    publications_of,
    publisher_of,
    retention_of,
    rollbacks_of,
    updates_of,
    vector_jobs_of,
)
from docstead.app.removal import DeploymentRemoval
from docstead.app.reviews import reviews_of
from docstead.app.shared import SharedServices, shared_services
from docstead.app.webhooks import webhooks_of
from docstead.assistant.engine import Assistant
from docstead.export.exports import ExportManager
from docstead.limits import policies
from docstead.limits.idempotency import IdempotencyKeys
from docstead.limits.rate_limits import RateLimits
from docstead.publishing.builders import WarmParent
from docstead.publishing.edition_builds import EditionBuilds
from docstead.publishing.publications import PublicationService
from docstead.publishing.rollbacks import EditionRollbacks
from docstead.publishing.update_records import Update, UpdateStatus
from docstead.publishing.updates import UpdateService
from docstead.publishing.vector_jobs import VectorJobs
from docstead.settings import Settings
from docstead.storage.database import Database
from docstead.storage.objects import DiskObjects, ObjectStore
from docstead.storage.private_files import private_files
from docstead.webhooks import WebhookService


@dataclass(frozen=True)
class AppServices(SharedServices):
    """Everything that works without a running service, sharing one database and one clock."""

    rate_limits: RateLimits
    idempotency: IdempotencyKeys
    updates: UpdateService
    publications: PublicationService
    rollbacks: EditionRollbacks
    removal: DeploymentRemoval
    exports: ExportManager
    assistant: Assistant[Deployment]
    insights: ReaderInsights
    reviews: ReviewService
    agent: AgentJobs
    pull_requests: PullRequestStates
    vectors: VectorJobs | None
    builds: EditionBuilds
    daily: tuple[Callable[[], object], ...]  # delete old data, and leftovers of killed processes

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
    shared = shared_services(settings, database, parent)
    webhooks = webhooks_of(shared)
    export_records = export_records_of(shared, webhooks)
    exports = exports_of(shared, export_records, webhooks)
    vectors = vector_jobs_of(shared)
    on_ended = partial(_follow, exports, vectors, webhooks)
    sources, builds = project_sources_of(shared), builds_of(shared)
    retention = retention_of(shared, export_records)
    publisher = publisher_of(shared, sources, builds, retention, webhooks)
    updates = updates_of(shared, publisher, webhooks, on_ended)
    removal = DeploymentRemoval(database, shared.objects)
    agent = AgentAssembly(shared, webhooks).agent()
    return AppServices(
        **vars(shared),
        rate_limits=RateLimits(database, shared.clock, policies.checked(shared.settings.limits)),
        idempotency=IdempotencyKeys(database, shared.clock),
        updates=updates,
        publications=publications_of(shared, updates, sources.archives),
        rollbacks=rollbacks_of(shared, webhooks, on_ended),
        removal=removal,
        exports=exports,
        assistant=_assistant(shared),
        insights=_insights(shared),
        agent=agent,
        pull_requests=PullRequestStates(
            PullRequestRecords(database, shared.clock), shared.tenancy, shared.forges, shared.clock
        ),
        reviews=reviews_of(shared, agent),
        vectors=vectors,
        builds=builds,
        daily=(
            exports.remove_expired,
            webhooks.remove_old,
            removal.remove_files,
            retention.mark_unused,
            shared.editions.remove_abandoned,
            *_removals_of_abandoned(shared.objects),
        ),
    )


def _follow(
    exports: ExportManager, vectors: VectorJobs | None, webhooks: WebhookService, ended: Update
) -> None:
    """Start what follows an update."""
    webhooks.start_new()
    if ended.status is UpdateStatus.SUCCESS:
        exports.follow(ended)
        if vectors is not None:
            vectors.follow()


def _assistant(shared: SharedServices) -> Assistant[Deployment]:
    settings = shared.settings
    answerers = AnswererChoice(settings, shared.models, shared.model_budgets, shared.embedder)
    return Assistant(
        shared.database,
        shared.editions,
        answerers.of,
        shared.clock,
        shared.site_url,
        thread_key_required=settings.thread_key_required,
        thread_must_exist=settings.thread_must_exist,
    )


def _insights(shared: SharedServices) -> ReaderInsights:
    return ReaderInsights.over(
        shared.database,
        shared.clock,
        days=shared.settings.conversation_days,
        question_vectors=shared.queries.vectors if shared.queries else no_vectors,
    )


def _removals_of_abandoned(objects: ObjectStore) -> tuple[Callable[[], object], ...]:
    return (objects.remove_abandoned,) if isinstance(objects, DiskObjects) else ()
