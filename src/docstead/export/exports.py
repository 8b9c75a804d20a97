"""Exports as durable jobs: start, progress and download.

Failure rule: an export that cannot continue ends as `failed` with the reason. If the process dies,
it stays `running` and continues with the first missing batch after a restart. It waits for an
unavailable database or object store.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial

from docstead.accounts.names import checked_hostname
from docstead.accounts.plans import Feature, features
from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.base.errors import Conflict, DocsteadError, Forbidden, InvalidRequest, NotFound
from docstead.base.features import FeatureProfile, bundle_profile
from docstead.base.unexpected import failure_reason
from docstead.base.units import DAY_SECONDS
from docstead.content.filtering import visible_to
from docstead.export.options import ExportOptions, checked_version
from docstead.export.parts import exported_part, folder_key
from docstead.export.records import Export, ExportRecords, ExportRetention, ExportStatus
from docstead.export.selection import checked_paths
from docstead.export.work import ExportWork
from docstead.jobs import JobContext, Jobs
from docstead.jobs.fair_shares import fair_share
from docstead.publishing.editions import EditionStore
from docstead.publishing.storage_quota import StorageQuota
from docstead.publishing.update_records import Update
from docstead.storage.objects import ObjectStore
from docstead.theme.external_services import NOTHING, ExternalServices

KIND = "export"

_KEPT = ExportRetention()
_NO_FILENAME = re.compile(r"[^A-Za-z0-9._-]+")
_LABEL_CHARACTERS = 80
_AT_ONCE = 2  # exports of different deployments per node

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BundleLink:
    """Download link for the archive of a completed export."""

    export_id: str
    url: str
    size_bytes: int
    expires_at: datetime  # when the link expires; the export is kept


@dataclass(frozen=True, slots=True)
class ExportPlan:
    """Validated export request; `paths` are slugs, None means every published page."""

    deployment: Deployment
    edition_id: str
    version: str | None
    paths: tuple[str, ...] | None


def published_url(deployment: Deployment) -> str:
    """Return the public URL of the deployment."""
    return f"https://{deployment.hostname}"


class ExportManager:
    """Exports of all deployments.

    `site_url` returns the URL for canonical links and sitemaps; `kept` decides which exports
    are deleted. `profile` returns type and features of a deployment's bundles, `external_services`
    those that its pages use. `quota` limits stored bytes. `on_ended` is called after exports end.
    """

    def __init__(
        self,
        *,
        records: ExportRecords,
        editions: EditionStore,
        objects: ObjectStore,
        tenancy: Tenancy,
        site_url: Callable[[Deployment], str] = published_url,
        link_ttl_seconds: int = DAY_SECONDS,
        kept: ExportRetention = _KEPT,
        profile: Callable[[Deployment], FeatureProfile] | None = None,
        external_services: Callable[[Deployment], ExternalServices] = lambda _: NOTHING,
        quota: StorageQuota | None = None,
        on_ended: Callable[[], object] = lambda: None,
    ) -> None:
        self._quota = quota
        self._on_ended = on_ended
        self._records = records
        self._editions = editions
        self._objects = objects
        self._tenancy = tenancy
        self._site_url = site_url
        self._link_ttl_seconds = link_ttl_seconds
        self._kept = kept
        self._profile = profile or (lambda _: bundle_profile(()))
        self._external_services = external_services
        self._jobs: Jobs | None = None

    def register(self, jobs: Jobs) -> None:
        """Register the jobs that `start` queues. Call before `jobs.launch()`."""
        jobs.register(KIND, self._run, concurrency=_AT_ONCE, on_lost=self._lose_job, in_order=True)
        jobs.run_periodically(self.start_queued)  # publishing commands queue some, too
        jobs.run_periodically(self.end_lost)
        self._jobs = jobs

    def plan(
        self,
        organization_id: str,
        domain: str,
        *,
        version: str | None = None,
        paths: Sequence[str] | None = None,
    ) -> ExportPlan:
        """Validate an export of the current edition without starting it.

        Raises:
            Forbidden: the organization's plan does not include static export.
            StorageFull: the organization's storage limit is exceeded.
            NotFound: the organization has no deployment at `domain`.
            InvalidRequest: `domain`, `version` or `paths` is invalid.
            Conflict: the deployment is not published.
        """
        self._check_plan(organization_id)
        deployment = self._deployment(organization_id, domain)
        if self._quota is not None:
            self._quota.check(organization_id, 1)
        label = checked_version(version)
        edition = self._editions.current(deployment)
        if edition is None:
            raise Conflict("nothing is published at this domain yet; publish it first")
        slugs = (
            None
            if paths is None
            else checked_paths(paths, frozenset(visible_to(edition.site).pages))
        )
        return ExportPlan(deployment, edition.id, label, slugs)

    def queue(self, plan: ExportPlan, export_id: str | None = None) -> Export:
        """Queue an export, unless one with this `export_id` exists.

        A process that runs no jobs only records it; another one starts it within a minute.
        """
        queued = self._records.create(
            deployment_id=plan.deployment.id,
            organization_id=plan.deployment.organization_id,
            edition_id=plan.edition_id,
            version=plan.version,
            paths=plan.paths,
            export_id=export_id,
        )
        if self._jobs is not None:
            self._queue_next(queued.organization_id)
        return queued

    def follow(self, done: Update) -> None:
        """Start the exports recorded with an update (`export.automatic`)."""
        if self._jobs is not None:
            self._queue_next(self._tenancy.project(done.project_id).organization_id)

    def start(
        self,
        organization_id: str,
        domain: str,
        *,
        version: str | None = None,
        paths: Sequence[str] | None = None,
    ) -> Export:
        """Call `plan` and `queue`. Raises the errors of `plan`."""
        return self.queue(self.plan(organization_id, domain, version=version, paths=paths))

    def start_queued(self) -> None:
        """Queue unfinished exports without a job. Call after `jobs.launch()`.

        The process that created them has died, or the job database was lost.
        """
        for organization_id in self._records.unfinished_organizations():
            self._queue_next(organization_id)

    def end_lost(self) -> None:
        """Fail exports whose jobs have ended, because they would block others."""
        assert self._jobs is not None, "register() comes first"  # noqa: S101
        for organization_id in self._records.unfinished_organizations():
            for each in self._next_exports(organization_id):
                if self._jobs.has_ended(each.id):
                    self._lose_job(each.id)

    def _queue_next(self, organization_id: str) -> None:
        """Queue the organization's exports up to its share.

        The next ones are queued as others end.
        """
        assert self._jobs is not None, "register() comes first"  # noqa: S101
        for each in self._next_exports(organization_id):
            self._jobs.start(KIND, each.id)

    def _next_exports(self, organization_id: str) -> list[Export]:
        """Return the organization's share of exports: one per deployment at a time."""
        by_deployment: dict[str, Export] = {}
        for each in self._records.unfinished(organization_id):
            by_deployment.setdefault(each.deployment_id, each)
        share = fair_share(_AT_ONCE, len(self._tenancy.organizations()))
        return list(by_deployment.values())[:share]

    def get(self, organization_id: str, export_id: str) -> Export:
        """Return an export.

        Raises:
            Forbidden: the organization's plan does not include static export.
            NotFound: it is unknown, deleted, or another organization's.
        """
        self._check_plan(organization_id)
        return self._records.get(export_id, organization_id=organization_id)

    def of_deployment(self, deployment_id: str) -> list[Export]:
        """Return exports of a deployment, newest first."""
        return self._records.of_deployment(deployment_id)

    def last_automatic(self, deployment_id: str) -> Export | None:
        """Return the latest export that followed a publish."""
        found = (each for each in self.of_deployment(deployment_id) if each.update_id)
        return next(found, None)

    def remove_expired(self) -> None:
        """Delete expired exports of all deployments."""
        for deployment in self._tenancy.deployments():
            for old in self._records.expired(deployment.id, self._kept):
                self._remove(old)
        self._remove_parts()

    def bundle(self, organization_id: str, export_id: str) -> BundleLink:
        """Return a new download link for the bundle.

        Raises:
            Forbidden: the organization's plan does not include static export.
            NotFound: it is unknown, deleted, or another organization's.
            Conflict: the export is not completed.
        """
        export = self.get(organization_id, export_id)
        if export.object_key is None or export.size_bytes is None:
            raise Conflict(f"the export has not finished: its status is {export.status}")
        link = self._objects.link(
            export.object_key,
            ttl_seconds=self._link_ttl_seconds,
            filename=self._filename(export),
        )
        return BundleLink(export.id, link.url, export.size_bytes, link.expires_at)

    def _check_plan(self, organization_id: str) -> None:
        plan = self._tenancy.organization(organization_id).plan
        if Feature.STATIC_EXPORT not in features(plan):
            raise Forbidden("static export is not part of this organization's plan")

    def _deployment(self, organization_id: str, domain: str) -> Deployment:
        try:
            hostname = checked_hostname(domain)
        except InvalidRequest as error:
            raise InvalidRequest(error.message.replace("hostname:", "domain:", 1)) from None
        for deployment in self._tenancy.deployments(organization_id):
            if hostname in (deployment.hostname, deployment.domain):
                return deployment
        with suppress(NotFound):
            renamed = self._tenancy.deployment_named(hostname)
            if renamed.organization_id == organization_id:
                return renamed
        raise NotFound("domain: there is no such deployment")

    def _run(self, context: JobContext, export_id: str) -> None:
        export = context.keep_trying(lambda: self._records.get(export_id))
        if not export.status.is_final:
            self._carry_out(context, export)
        context.keep_trying(self._on_ended)
        self._clean_up(context, export)
        context.keep_trying(lambda: self._queue_next(export.organization_id))

    def _carry_out(self, context: JobContext, export: Export) -> None:
        try:
            work = context.keep_trying(lambda: self._work(export))
            batches = context.step("begin", work.begin)
            for number in range(batches):
                context.step(f"batch {number}", partial(work.write_batch, number))
            context.step("bundle", work.write_bundle)
        except Exception as error:
            reason = failure_reason(_log, "export", export.id, error)
        else:
            return
        context.keep_trying(lambda: self._fail(export.id, reason))

    def _work(self, export: Export) -> ExportWork:
        deployment = self._tenancy.deployment(export.deployment_id)
        profile = self._profile(deployment)
        options = ExportOptions(
            deployment_type=profile.type,
            features=profile.features,
            base_url=self._site_url(deployment),
            slugs=export.paths,
            version=export.version or export.edition_id,
            external_services=self._external_services(deployment),
        )
        return ExportWork(
            export,
            options,
            records=self._records,
            editions=self._editions,
            objects=self._objects,
            filename=self._filename(export),
            quota=self._quota,
        )

    def _filename(self, export: Export) -> str:
        """Return the download's file name, such as "acme-2.1.tar.gz"."""
        domain = self._tenancy.deployment(export.deployment_id).domain
        label = export.version or f"{export.created_at:%Y-%m-%d}"
        return f"{domain}-{_NO_FILENAME.sub('-', label)[:_LABEL_CHARACTERS].strip('-.')}.tar.gz"

    def _lose_job(self, export_id: str) -> None:
        self._fail(export_id, "the process that ran the export was lost")
        self._on_ended()
        self._queue_next(self._records.get(export_id).organization_id)

    def _fail(self, export_id: str, reason: str) -> None:
        if not self._records.get(export_id).status.is_final:
            self._records.advance(export_id, ExportStatus.FAILED, error=reason)

    def _clean_up(self, context: JobContext, export: Export) -> None:
        """Delete parts and old exports. Errors are left to the next cleanup."""

        def clean_up() -> None:
            self._work(export).clear()
            for old in self._records.expired(export.deployment_id, self._kept):
                self._remove(old)

        try:
            context.keep_trying(clean_up)
        except (DocsteadError, OSError) as error:
            _log.warning("export %s: nothing was cleaned up: %s", export.id, error)

    def _remove_parts(self) -> None:
        """Delete the parts of ended exports, whose own clean-up failed."""
        has_ended = cache(self._has_ended)
        for key in list(self._objects.keys("exports")):
            if (export_id := exported_part(key)) and has_ended(export_id):
                self._objects.delete(key)

    def _has_ended(self, export_id: str) -> bool:
        try:
            return self._records.get(export_id).status.is_final
        except NotFound:
            return True

    def _remove(self, old: Export) -> None:
        """Delete the record first, so that no link to missing files is given out."""
        self._records.delete(old.id)
        for key in list(self._objects.keys(folder_key(old.id))):
            self._objects.delete(key)
