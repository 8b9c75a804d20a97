"""Assembly of builds, updates, vectors and exports."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection

from docstead.accounts.hostname_rules import HostnameRules
from docstead.accounts.plans import OrganizationPlan
from docstead.app.adapters import git_network_of
from docstead.app.features import bundle_profiles
from docstead.app.shared import SharedServices
from docstead.base.networks import parsed_networks
from docstead.base.outbound import OutboundClient
from docstead.export.automatic import AutomaticExports
from docstead.export.export_events import ExportEvents
from docstead.export.exports import ExportManager
from docstead.export.records import ExportRecords, ExportRetention
from docstead.hosting.edition_site import show_home
from docstead.publishing.archive_sources import ArchiveSources
from docstead.publishing.edition_builds import EditionBuilds
from docstead.publishing.new_editions import NewEditions
from docstead.publishing.project_sources import ProjectSources
from docstead.publishing.publications import PublicationService
from docstead.publishing.publisher import Publisher
from docstead.publishing.remote_files import RemoteFiles, RemoteReaders
from docstead.publishing.retention import Retention
from docstead.publishing.rollbacks import EditionRollbacks
from docstead.publishing.source_limits import SourceLimits
from docstead.publishing.update_events import UpdateEvents
from docstead.publishing.update_records import OnCurrent, Update, UpdateRecords
from docstead.publishing.update_reports import UpdateReports
from docstead.publishing.updates import UpdateService
from docstead.publishing.vector_jobs import VectorJobs
from docstead.repository.tree_limits import TreeLimits
from docstead.settings import Settings
from docstead.webhooks import WebhookService

OnEnded = Callable[[Update], object]  # called after each update


def builds_of(shared: SharedServices) -> EditionBuilds:
    """Return builds of editions, for which this process fetches remote files."""
    settings = shared.settings
    cache = settings.data / "cache"
    outbound = OutboundClient(parsed_networks(settings.specification_networks))
    remote_files = RemoteFiles(outbound, cache / "remote")
    return EditionBuilds(
        shared.builders,
        cache / "builds",
        RemoteReaders(remote_files.read, remote_files.read_artifact, remote_files.read_asset),
        _tree_limits(settings),
    )


def retention_of(shared: SharedServices, exports: ExportRecords) -> Retention:
    """Return the retention of editions; unfinished `exports` use theirs."""
    return Retention(
        shared.database,
        shared.objects,
        shared.editions,
        shared.clock,
        kept=shared.settings.editions_kept,
        in_use=exports.editions_in_use,
    )


def project_sources_of(shared: SharedServices) -> ProjectSources:
    settings = shared.settings
    return ProjectSources(
        shared.tenancy,
        shared.objects,
        settings.data / "cache" / "sources",
        network=git_network_of(settings).named_by_operator,
        limits=SourceLimits(
            settings.source_bytes, _tree_limits(settings), settings.source_pack_bytes
        ),
        credentials_for=shared.forges.credentials_to_publish,
    )


def publisher_of(
    shared: SharedServices,
    sources: ProjectSources,
    builds: EditionBuilds,
    retention: Retention,
    webhooks: WebhookService,
) -> Publisher:
    return Publisher(
        tenancy=shared.tenancy,
        records=UpdateRecords(shared.database, shared.clock),
        sources=sources,
        builds=builds,
        editions=shared.editions,
        new_editions=NewEditions(
            shared.database,
            shared.objects,
            shared.editions,
            shared.clock,
            quota=shared.quota,
            show=show_home,
            on_current=_on_current(shared, webhooks),
        ),
        standby_worker=shared.builders.standby_worker,
        retention=retention,
        fetches_assets=shared.settings.fetches_assets,
    )


def updates_of(
    shared: SharedServices, publisher: Publisher, webhooks: WebhookService, on_ended: OnEnded
) -> UpdateService:
    return UpdateService(
        UpdateRecords(shared.database, shared.clock),
        publisher,
        shared.tenancy,
        shared.clock,
        UpdateReports(shared.database),
        on_failed=UpdateEvents(webhooks.record).failed,
        on_ended=on_ended,
    )


def publications_of(
    shared: SharedServices, updates: UpdateService, archives: ArchiveSources
) -> PublicationService:
    settings = shared.settings
    return PublicationService(
        shared.tenancy,
        updates,
        archives,
        OrganizationPlan(settings.plan),
        hostname_rules=HostnameRules(settings.allowed_hostnames, shared.site_hosts),
        quota=shared.quota,
    )


def rollbacks_of(
    shared: SharedServices, webhooks: WebhookService, on_published: OnEnded
) -> EditionRollbacks:
    return EditionRollbacks(
        shared.database,
        shared.editions,
        shared.clock,
        show=show_home,
        on_current=_on_current(shared, webhooks),
        on_published=on_published,
    )


def _on_current(shared: SharedServices, webhooks: WebhookService) -> OnCurrent:
    """Return what is recorded in the transaction that makes an edition current."""
    exports, events = AutomaticExports(shared.clock), UpdateEvents(webhooks.record)

    def record(connection: Connection, done: Update, edition_id: str) -> None:
        exports.record(connection, done, edition_id)
        events.published(connection, done, edition_id)

    return record


def export_records_of(shared: SharedServices, webhooks: WebhookService) -> ExportRecords:
    return ExportRecords(shared.database, shared.clock, ExportEvents(webhooks.record).ended)


def exports_of(
    shared: SharedServices, records: ExportRecords, webhooks: WebhookService
) -> ExportManager:
    settings = shared.settings
    kept = None if settings.exports_kept == "all" else settings.exports_kept
    return ExportManager(
        records=records,
        editions=shared.editions,
        objects=shared.objects,
        tenancy=shared.tenancy,
        site_url=shared.site_url,
        link_ttl_seconds=settings.bundle_link_seconds,
        kept=ExportRetention(kept, settings.exports_kept_days),
        profile=bundle_profiles(settings).of,
        external_services=shared.external_services,
        quota=shared.quota,
        on_ended=webhooks.start_new,
    )


def vector_jobs_of(shared: SharedServices) -> VectorJobs | None:
    """Return the jobs that compute vectors of editions, if semantic search is enabled."""
    if shared.embedder is None:
        return None
    return VectorJobs(
        shared.database, shared.objects, shared.editions, shared.embedder, shared.clock
    )


def _tree_limits(settings: Settings) -> TreeLimits:
    return TreeLimits(settings.source_files, settings.source_depth)
