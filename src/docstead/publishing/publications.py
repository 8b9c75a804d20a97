"""Publishing of a given source to a domain, creating the deployment if needed.

A new deployment is created when its first update succeeds; until then the project has none. The
source replaces the project's source at the same time, so that later updates read it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from docstead.accounts.hostname_rules import HostnameRules
from docstead.accounts.names import checked_hostname
from docstead.accounts.plans import OrganizationPlan
from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.base.errors import Conflict, InvalidRequest, NotFound
from docstead.publishing.archive_sources import ArchiveSources, archive_location
from docstead.publishing.sources import DocumentationSource
from docstead.publishing.storage_quota import StorageQuota
from docstead.publishing.targets import NewDeployment, PublishTarget
from docstead.publishing.update_records import Update
from docstead.publishing.updates import OWN_PROCESS, UpdateService


@dataclass(frozen=True, slots=True)
class Destination:
    """A deployment by domain, with the hostname if it is new; None is the default."""

    domain: str
    hostname: str | None = None


class PublicationService:
    """Starts updates from a given source.

    The operator (`organization_id` None) may publish to every deployment. `plan` is that of the
    organization created for the first deployment. `hostname_rules` restrict hostnames that
    organizations may choose. `quota` limits stored bytes.
    """

    def __init__(
        self,
        tenancy: Tenancy,
        updates: UpdateService,
        archives: ArchiveSources,
        plan: OrganizationPlan,
        *,
        hostname_rules: HostnameRules | None = None,
        quota: StorageQuota | None = None,
    ) -> None:
        self._quota = quota
        self._hostname_rules = hostname_rules or HostnameRules()
        self._tenancy = tenancy
        self._updates = updates
        self._archives = archives
        self._plan = plan

    def start(
        self, organization_id: str | None, to: Destination, source: DocumentationSource, origin: str
    ) -> Update:
        """Queue an update from a source.

        Raises:
            InvalidRequest: the domain or hostname is malformed or differs from the deployment's.
            Forbidden: the organization may not choose the hostname.
            Conflict: the domain or hostname belongs to another deployment.
        """
        project_id, target = self._target(organization_id, to, source)
        return self._updates.start(project_id, origin, target)

    def start_archive(
        self, organization_id: str | None, to: Destination, archive: Path, origin: str
    ) -> Update:
        """Store an archive and queue an update from it. Raises the errors of `start`.

        Raises:
            StorageFull: the organization may not store the archive.
        """
        source = DocumentationSource(archive_location(archive))
        project_id, target = self._target(organization_id, to, source)
        try:
            self._check_quota(project_id, archive)
            self._archives.store(project_id, archive)
            return self._updates.start(project_id, origin, target)
        except BaseException:
            self._tenancy.discard_unpublished(project_id)
            raise

    def _check_quota(self, project_id: str, archive: Path) -> None:
        if self._quota is not None:
            owner = self._tenancy.project(project_id).organization_id
            self._quota.check(owner, archive.stat().st_size)

    def create(self, to: Destination, source: DocumentationSource) -> Update:
        """Create a record for `UpdateService.run` in this process. Raises the errors of `start`."""
        project_id, target = self._target(None, to, source)
        return self._updates.create(project_id, OWN_PROCESS, target)

    def discard(self, project_id: str) -> None:
        """Delete a project without published editions."""
        if not self._tenancy.deployments_of_project(project_id):
            self._tenancy.discard_unpublished(project_id)

    def _target(
        self, organization_id: str | None, to: Destination, source: DocumentationSource
    ) -> tuple[str, PublishTarget]:
        """Return the project's id and what to publish to it."""
        try:
            found = self._tenancy.deployment_of_domain(to.domain)
        except NotFound:
            self._check_former(organization_id, to.domain)
            return self._new(organization_id, to, source)
        _check_existing(found, organization_id, to)
        sealed = self._tenancy.sealed_source(found.project_id, source.location)
        return found.project_id, PublishTarget(sealed, source.ref, source.root)

    def _check_former(self, organization_id: str | None, domain: str) -> None:
        """Reject a former domain of the organization's own deployment.

        Raises:
            Conflict: the deployment was renamed; the message contains its current domain.
        """
        try:
            renamed = self._tenancy.deployment_named(domain)
        except NotFound:
            return
        if organization_id in (None, renamed.organization_id):
            raise Conflict(
                f"domain: {domain!r} was renamed to {renamed.domain!r}; publish to that domain"
            )

    def _new(
        self, organization_id: str | None, to: Destination, source: DocumentationSource
    ) -> tuple[str, PublishTarget]:
        own = f"{to.domain}.localhost"
        hostname = to.hostname or own
        if organization_id is not None and hostname != own:
            self._hostname_rules.check(checked_hostname(hostname))
        owner = organization_id or self._tenancy.default_organization(self._plan).id
        project = self._tenancy.create_project(
            owner, to.domain, source.location, source.ref, source.root
        )
        try:
            planned = self._tenancy.new_deployment(project.id, to.domain, hostname)
        except BaseException:
            self._tenancy.discard_unpublished(project.id)
            raise
        new = NewDeployment(planned.id, planned.domain, planned.hostname)
        sealed = self._tenancy.sealed_source(project.id, source.location)
        return project.id, PublishTarget(sealed, source.ref, source.root, new)


def _check_existing(found: Deployment, organization_id: str | None, to: Destination) -> None:
    if organization_id not in (None, found.organization_id):
        raise Conflict(f"domain: {to.domain!r} is already taken")
    if to.hostname is not None and to.hostname.lower() != found.hostname:
        raise InvalidRequest(
            f"hostname: {to.domain} is already served at {found.hostname}; "
            f"change it with: docstead deployments hostname {to.domain} {to.hostname}"
        )
