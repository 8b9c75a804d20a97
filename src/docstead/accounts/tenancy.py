"""Organizations, projects and deployments.

An organization has projects; a project is one documentation repository; a deployment publishes a
project at a URL. Unknown ids raise NotFound.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Connection,
    RowMapping,
    Select,
    Table,
    bindparam,
    delete,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from docstead.accounts.former_domains import present_domain, release_domain
from docstead.accounts.names import checked_domain, checked_hostname, checked_name
from docstead.accounts.plans import OrganizationPlan
from docstead.base.clock import Clock
from docstead.base.errors import Conflict, InvalidRequest, NotFound
from docstead.base.ids import new_id
from docstead.storage.database import Database
from docstead.storage.schema import (
    deployments,
    organizations,
    projects,
    update_reports,
    updates,
)
from docstead.storage.vault import CredentialVault, without_sealed


@dataclass(frozen=True)
class Organization:
    id: str
    name: str
    plan: OrganizationPlan
    created_at: datetime


@dataclass(frozen=True)
class Project:
    id: str
    organization_id: str
    name: str
    source: str  # a folder or a git URL
    source_ref: str | None  # branch, tag or commit; None for the default branch
    source_root: str  # subfolder that contains docs.json; "" for the root
    created_at: datetime
    hook_secret_number: int = 0  # rotations of the secret of its webhook on the forge


@dataclass(frozen=True)
class Deployment:
    id: str
    project_id: str
    organization_id: str
    domain: str  # {domain} of the API
    hostname: str  # hostname of the site
    current_edition_id: str | None
    created_at: datetime
    site_key_number: int = 0  # number of rotations of the key in its pages
    auto_export: bool = False  # export a bundle after each publish


class Tenancy:
    """Organizations, projects and deployments in the database."""

    def __init__(
        self, database: Database, clock: Clock, vault: CredentialVault | None = None
    ) -> None:
        """Create the records; `vault` encrypts credentials in source URLs."""
        self._database = database
        self._clock = clock
        self._vault = vault
        # Prepared, because every request needs it: building the query takes longer than running it.
        self._deployment_by = {
            name: _deployments_query().where(deployments.c[name] == bindparam("wanted"))
            for name in ("id", "domain", "hostname")
        }

    def create_organization(
        self, name: str, plan: OrganizationPlan = OrganizationPlan.ENTERPRISE
    ) -> Organization:
        organization = Organization(
            new_id("org"), checked_name("name", name), plan, self._clock.now()
        )
        with self._database.transaction() as connection:
            connection.execute(insert(organizations).values(vars(organization)))
        return organization

    def create_project(
        self,
        organization_id: str,
        name: str,
        source: str,
        ref: str | None = None,
        root: str = "",
    ) -> Project:
        self.organization(organization_id)
        project = Project(
            id=new_id("prj"),
            organization_id=organization_id,
            name=checked_name("name", name),
            source=_checked_source(source),
            source_ref=ref or None,
            source_root=root,
            created_at=self._clock.now(),
        )
        with self._database.transaction() as connection:
            values = {**vars(project), "source": self._sealed(project.source, project.id)}
            connection.execute(insert(projects).values(values))
        return project

    def create_deployment(self, project_id: str, domain: str, hostname: str) -> Deployment:
        """Create a deployment of a project.

        Raises:
            InvalidRequest: `domain` or `hostname` is malformed.
            Conflict: another deployment has the domain or hostname.
        """
        deployment = self.new_deployment(project_id, domain, hostname)
        self.add_deployment(deployment)
        return deployment

    def new_deployment(self, project_id: str, domain: str, hostname: str) -> Deployment:
        """Return a deployment without storing it. Raises the errors of `create_deployment`."""
        deployment = Deployment(
            id=new_id("dep"),
            project_id=project_id,
            organization_id=self.project(project_id).organization_id,
            domain=checked_domain(domain),
            hostname=_checked_own_hostname(hostname, domain),
            current_edition_id=None,
            created_at=self._clock.now(),
        )
        columns = deployments.c
        hostnames = (deployment.hostname, f"{deployment.domain}.localhost")
        is_taken = or_(columns.domain == deployment.domain, columns.hostname.in_(hostnames))
        query = select(columns.domain, columns.hostname).where(is_taken)
        with self._database.reading() as connection:
            other = connection.execute(query).first()
        if other is None:
            return deployment
        if other.domain == deployment.domain:
            raise Conflict(f"domain: {other.domain!r} is already taken")
        raise Conflict(f"hostname: {other.hostname!r} is already taken")

    def add_deployment(self, deployment: Deployment) -> None:
        """Store a deployment.

        Raises:
            Conflict: another deployment has taken the domain or hostname.
        """
        row = {column.name: getattr(deployment, column.name) for column in deployments.columns}
        try:
            with self._database.transaction() as connection:
                connection.execute(insert(deployments).values(row))
                release_domain(connection, deployment.domain)
        except IntegrityError as error:
            raise _taken(deployment) from error

    def organization(self, organization_id: str) -> Organization:
        return _organization(self._row(organizations, organization_id, "organization"))

    def organizations(self) -> list[Organization]:
        """Return all organizations, oldest first."""
        with self._database.reading() as connection:
            rows = _rows(connection, _oldest_first(select(organizations), organizations))
        return [_organization(row) for row in rows]

    def default_organization(self, plan: OrganizationPlan) -> Organization:
        """Return the oldest organization, creating one with this plan if there is none."""
        known = self.organizations()
        return known[0] if known else self.create_organization("Default organization", plan)

    def set_plan(self, organization_id: str, plan: OrganizationPlan) -> None:
        """Change an organization's plan, effective with its next request."""
        self.organization(organization_id)
        change = update(organizations).where(organizations.c.id == organization_id)
        with self._database.transaction() as connection:
            connection.execute(change.values(plan=plan))

    def project(self, project_id: str) -> Project:
        return self._project(self._row(projects, project_id, "project"))

    def projects(self, organization_id: str) -> list[Project]:
        """Return the projects of one organization, oldest first."""
        query = select(projects).where(projects.c.organization_id == organization_id)
        with self._database.reading() as connection:
            rows = _rows(connection, _oldest_first(query, projects))
        return [self._project(row) for row in rows]

    def seal_sources(self) -> None:
        """Encrypt credentials of sources that earlier versions stored in plain text."""
        query = select(projects.c.id, projects.c.source).where(projects.c.source.like("%://%@%"))
        with self._database.reading() as connection:
            stored = {row.id: row.source for row in connection.execute(query)}
        for project_id, source in stored.items():
            if (sealed := self._sealed(source, project_id)) != source:
                # No effect if another source was set meanwhile.
                same = (projects.c.id == project_id, projects.c.source == source)
                with self._database.transaction() as connection:
                    connection.execute(update(projects).where(*same).values(source=sealed))

    def forget_credentials(self) -> None:
        """Delete encrypted credentials of sources, because they cannot be decrypted any more."""
        query = select(projects.c.id, projects.c.source).where(projects.c.source.like("%://%@%"))
        with self._database.transaction() as connection:
            for row in connection.execute(query).all():
                mine = update(projects).where(projects.c.id == row.id)
                connection.execute(mine.values(source=without_sealed(row.source)))

    def deployment(self, deployment_id: str) -> Deployment:
        return self._deployment("id", deployment_id)

    def deployment_of_domain(self, domain: str) -> Deployment:
        return self._deployment("domain", domain)

    def deployment_named(self, domain: str) -> Deployment:
        """Return the deployment with this current or former domain."""
        try:
            return self.deployment_of_domain(domain)
        except NotFound:
            with self._database.reading() as connection:
                present = connection.execute(present_domain(domain)).scalar_one_or_none()
            if present is None:
                raise
            return self.deployment_of_domain(present)

    def present_domain(self, domain: str) -> str:
        """Return the current domain for a former one, or the domain itself."""
        try:
            return self.deployment_named(domain).domain
        except NotFound:
            return domain

    def deployment_of_hostname(self, hostname: str) -> Deployment:
        return self._deployment("hostname", hostname.lower())

    def deployments(self, organization_id: str | None = None) -> list[Deployment]:
        """Return the deployments of one organization, or all, oldest first."""
        query = _deployments_query()
        if organization_id is not None:
            query = query.where(projects.c.organization_id == organization_id)
        with self._database.reading() as connection:
            rows = _rows(connection, _oldest_first(query, deployments))
        return [Deployment(**row) for row in rows]

    def deployments_of_project(self, project_id: str) -> list[Deployment]:
        """Return the deployments of one project, oldest first."""
        query = _deployments_query().where(deployments.c.project_id == project_id)
        with self._database.reading() as connection:
            rows = _rows(connection, _oldest_first(query, deployments))
        return [Deployment(**row) for row in rows]

    def set_hostname(self, deployment_id: str, hostname: str) -> Deployment:
        """Change the hostname of a deployment; the previous one becomes available.

        Raises:
            NotFound: the deployment does not exist.
            InvalidRequest: the hostname is malformed, or reserved for another deployment.
            Conflict: another deployment has the hostname.
        """
        found = self.deployment(deployment_id)
        changed = replace(found, hostname=_checked_own_hostname(hostname, found.domain))
        change = update(deployments).where(deployments.c.id == deployment_id)
        try:
            with self._database.transaction() as connection:
                connection.execute(change.values(hostname=changed.hostname))
        except IntegrityError as error:
            raise Conflict(f"hostname {changed.hostname!r} is already taken") from error
        return changed

    def set_auto_export(self, deployment_id: str, *, is_on: bool) -> None:
        """Turn the automatic export on or off. Raises NotFound."""
        self.deployment(deployment_id)
        change = update(deployments).where(deployments.c.id == deployment_id)
        with self._database.transaction() as connection:
            connection.execute(change.values(auto_export=is_on))

    def sealed_source(self, project_id: str, source: str) -> str:
        """Return a source with encrypted credentials, as stored."""
        return self._sealed(_checked_source(source), project_id)

    def opened_source(self, project_id: str, source: str) -> str:
        """Decrypt a source returned by `sealed_source`."""
        return source if self._vault is None else self._vault.open_url(source, project_id)

    def discard_unpublished(self, project_id: str) -> None:
        """Delete a project that was never published, with its deployments.

        Projects with published deployments, keys or jobs are kept.
        """
        if any(each.current_edition_id for each in self.deployments_of_project(project_id)):
            return
        try:
            mine = select(updates.c.id).where(updates.c.project_id == project_id)
            with self._database.transaction() as connection:
                reports = update_reports.c.update_id.in_(mine)
                connection.execute(delete(update_reports).where(reports))
                for table in (updates, deployments):
                    connection.execute(delete(table).where(table.c.project_id == project_id))
                connection.execute(delete(projects).where(projects.c.id == project_id))
        except IntegrityError:
            return

    def _sealed(self, source: str, project_id: str) -> str:
        return source if self._vault is None else self._vault.seal_url(source, project_id)

    def _project(self, row: RowMapping) -> Project:
        return Project(**{**row, "source": self.opened_source(row["id"], row["source"])})

    def _deployment(self, column: str, value: str) -> Deployment:
        with self._database.reading() as connection:
            found = connection.execute(self._deployment_by[column], {"wanted": value})
            row = found.mappings().first()
        if row is None:
            raise NotFound("there is no such deployment")
        return Deployment(**row)

    def _row(self, table: Table, row_id: str, noun: str) -> RowMapping:
        with self._database.reading() as connection:
            row = connection.execute(select(table).where(table.c.id == row_id)).mappings().first()
        if row is None:
            raise NotFound(f"there is no such {noun}")
        return row


def _checked_own_hostname(value: str, domain: str) -> str:
    """Reject a name below `localhost` that belongs to another domain."""
    hostname = checked_hostname(value)
    label = hostname.removesuffix(".localhost")
    if label not in (hostname, domain) and "." not in label:
        raise InvalidRequest(
            f"hostname: {hostname} is reserved for the deployment with the domain {label!r}"
        )
    return hostname


def _taken(deployment: Deployment) -> Conflict:
    names = f"domain {deployment.domain!r} or hostname {deployment.hostname!r}"
    return Conflict(f"{names} is already taken")


def _rows(connection: Connection, query: Select[Any]) -> list[RowMapping]:
    return list(connection.execute(query).mappings())


def _oldest_first(query: Select[Any], table: Table) -> Select[Any]:
    return query.order_by(table.c.created_at, table.c.id)


def _deployments_query() -> Select[Any]:
    return select(deployments, projects.c.organization_id).join(projects)


def _organization(row: RowMapping) -> Organization:
    return Organization(row["id"], row["name"], OrganizationPlan(row["plan"]), row["created_at"])


def _checked_source(source: str) -> str:
    if not source.strip():
        raise InvalidRequest("source: must name a folder or a git URL")
    return source.strip()
