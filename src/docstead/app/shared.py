"""Stores, models and processes that the services share."""

from __future__ import annotations

from dataclasses import dataclass, replace

from docstead.accounts.site_hosts import SiteHosts
from docstead.accounts.tenancy import Deployment
from docstead.agent.forges.factory import ForgeFactory
from docstead.agent.forges.project_settings import ProjectSettingsStore
from docstead.agent.reviews.records import ReviewRecords
from docstead.app.accounts import AccountServices, accounts_of
from docstead.app.adapters import (
    agent_repositories_of,
    builders_of,
    external_services_of,
    forge_credentials_of,
    git_network_of,
    objects_of,
)
from docstead.app.features import FeatureProfiles, service_profiles
from docstead.app.models import catalog_of
from docstead.app.semantic_search import editions_of, embedder_of
from docstead.limits.model_budgets import ModelBudgets
from docstead.models.catalog import ModelCatalog
from docstead.models.embedding import Embedder, QueryEmbeddings
from docstead.publishing.builders import BuilderPool, WarmParent
from docstead.publishing.editions import EditionStore
from docstead.publishing.storage_quota import StorageQuota
from docstead.settings import Settings
from docstead.storage.database import Database
from docstead.storage.links import LinkSigner
from docstead.storage.objects import ObjectStore
from docstead.theme.external_services import ExternalServices


@dataclass(frozen=True)
class SharedServices(AccountServices):
    """Accounts, stores, models and processes that the other services use."""

    objects: ObjectStore
    signer: LinkSigner
    quota: StorageQuota
    embedder: Embedder | None
    queries: QueryEmbeddings | None
    editions: EditionStore
    features: FeatureProfiles
    models: ModelCatalog
    model_budgets: ModelBudgets
    forges: ForgeFactory
    builders: BuilderPool

    def site_url(self, deployment: Deployment) -> str:
        """Return the URL of a deployment for programs, without a trailing slash."""
        return self.site_hosts.url(deployment)

    def browser_url(self, deployment: Deployment) -> str:
        """Return the URL of a deployment that people are shown, without a trailing slash."""
        return self.site_hosts.link(deployment).url

    @property
    def site_hosts(self) -> SiteHosts:
        """Hostnames and URLs of sites."""
        settings = self.settings
        return SiteHosts(settings.public_url, settings.sites_host, settings.default_domain)

    def external_services(self, deployment: Deployment) -> ExternalServices:
        """Return the services that pages of a deployment use, with a key for pages."""
        return external_services_of(
            self.settings, self.features.features, self.api_keys, self.tenancy, deployment
        )


def shared_services(
    settings: Settings, database: Database, parent: WarmParent | None
) -> SharedServices:
    """Return the shared services of an open database; builders are forked from `parent`.

    Raises:
        InvalidRequest: settings contradict each other.
    """
    accounts = _with_present_default(accounts_of(settings, database))
    settings, clock = accounts.settings, accounts.clock
    signer = LinkSigner(accounts.keyring.link_keys, clock)
    objects = objects_of(settings, signer, clock)
    embedder = embedder_of(settings)
    queries = QueryEmbeddings(embedder) if embedder else None
    return SharedServices(
        **vars(accounts),
        objects=objects,
        signer=signer,
        quota=StorageQuota(database, objects, settings.organization_bytes),
        embedder=embedder,
        queries=queries,
        editions=editions_of(settings, database, objects, queries),
        features=service_profiles(settings),
        models=catalog_of(settings),
        model_budgets=_budgets(accounts),
        forges=_forges(accounts),
        builders=builders_of(settings, parent),
    )


def _with_present_default(accounts: AccountServices) -> AccountServices:
    """Replace a default deployment that is configured by a former domain with its current one."""
    present = accounts.tenancy.present_domain(accounts.settings.default_domain)
    settings = accounts.settings.model_copy(update={"default_domain": present})
    return replace(accounts, settings=settings)


def _budgets(accounts: AccountServices) -> ModelBudgets:
    settings = accounts.settings
    return ModelBudgets(
        accounts.database,
        accounts.clock,
        per_day=settings.model_tokens_per_day or None,
        per_organization=settings.model_tokens_per_organization or None,
    )


def _forges(accounts: AccountServices) -> ForgeFactory:
    settings = accounts.settings
    return ForgeFactory(
        forge_credentials_of(settings),
        ProjectSettingsStore(accounts.database),
        ReviewRecords(accounts.database, accounts.clock),
        settings.public_url,
        repositories=agent_repositories_of(settings),
        network=git_network_of(settings).named_by_operator,
    )
