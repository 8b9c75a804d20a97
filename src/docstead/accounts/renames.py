"""Renaming of deployments in one transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError

from docstead.accounts.former_domains import keep_former, release_domain
from docstead.accounts.names import checked_domain
from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.base.errors import Conflict, InvalidRequest
from docstead.storage.database import Database
from docstead.storage.schema import deployments


class DeploymentRenames:
    """Renames deployments. `configured` maps settings to the domains that they name."""

    def __init__(
        self, database: Database, tenancy: Tenancy, configured: Mapping[str, Collection[str]]
    ) -> None:
        self._database = database
        self._tenancy = tenancy
        self._configured = configured

    def rename(self, deployment_id: str, domain: str) -> Deployment:
        """Change the domain of a deployment; the previous one still refers to it.

        The default hostname, `{domain}.localhost`, changes with it.

        Raises:
            NotFound: the deployment does not exist.
            InvalidRequest: the domain is malformed or unchanged.
            Conflict: another deployment has the domain or its default hostname, or settings name
                the deployment by its current domain only.
        """
        found = self._tenancy.deployment(deployment_id)
        if checked_domain(domain) == found.domain:
            raise InvalidRequest(f"domain: must differ from the present one, {domain!r}")
        self._check_settings(found.domain, domain)
        own = _default_hostname(domain)
        is_default = found.hostname == _default_hostname(found.domain)
        renamed = replace(found, domain=domain, hostname=own if is_default else found.hostname)
        try:
            self._store(found, renamed)
        except IntegrityError as error:
            raise _taken(domain) from error
        return renamed

    def _check_settings(self, former: str, domain: str) -> None:
        """Reject a rename after which settings would not apply to the deployment."""
        for setting, domains in self._configured.items():
            if former in domains and domain not in domains:
                raise Conflict(
                    f"{setting}: names {former!r} and not {domain!r}; add the same for "
                    f"{domain!r}, restart the service, and rename the deployment again"
                )

    def _store(self, found: Deployment, renamed: Deployment) -> None:
        others = select(deployments.c.id).where(
            deployments.c.hostname == _default_hostname(renamed.domain),
            deployments.c.id != found.id,
        )
        change = update(deployments).where(
            deployments.c.id == found.id,
            deployments.c.domain == found.domain,
            deployments.c.hostname == found.hostname,
        )
        with self._database.transaction() as connection:
            if connection.execute(others).first() is not None:
                raise _taken(renamed.domain)
            values = {"domain": renamed.domain, "hostname": renamed.hostname}
            if not connection.execute(change.values(values)).rowcount:
                raise Conflict(f"{found.domain}: has changed meanwhile; look at it and try again")
            release_domain(connection, renamed.domain)
            keep_former(connection, found.domain, found.id)


def _default_hostname(domain: str) -> str:
    return f"{domain}.localhost"


def _taken(domain: str) -> Conflict:
    return Conflict(f"domain: {domain!r} is already taken")
