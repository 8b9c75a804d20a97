"""The organization and the deployments that commands work on."""

from __future__ import annotations

from docstead.accounts.plans import OrganizationPlan
from docstead.accounts.tenancy import Deployment, Organization, Tenancy
from docstead.app.accounts import AccountServices
from docstead.base.errors import InvalidRequest, NotFound


def organization(accounts: AccountServices) -> Organization:
    """Return the organization of this installation, creating it on first use."""
    return accounts.tenancy.default_organization(OrganizationPlan(accounts.settings.plan))


NOTHING_PUBLISHED = "nothing has been published yet; run: docstead publish SOURCE --domain NAME"


def deployment(accounts: AccountServices, domain: str | None) -> Deployment:
    """Return the deployment with this domain or former domain, or the only one.

    Raises:
        NotFound: there is no deployment, or none with that domain.
        InvalidRequest: no domain was given and there are several deployments.
    """
    if domain is not None:
        return named_deployment(accounts.tenancy, domain, former=True)
    known = accounts.tenancy.deployments()
    if not known:
        raise NotFound(NOTHING_PUBLISHED)
    if len(known) > 1:
        names = ", ".join(each.domain for each in known)
        raise InvalidRequest(f"--domain: there are several deployments; choose one of: {names}")
    return known[0]


def named_deployment(tenancy: Tenancy, domain: str, *, former: bool = False) -> Deployment:
    """Return the deployment with this domain; with `former` also by a former domain.

    Raises:
        NotFound: there is none; the message lists the existing ones.
    """
    find = tenancy.deployment_named if former else tenancy.deployment_of_domain
    try:
        return find(domain)
    except NotFound:
        known = ", ".join(each.domain for each in tenancy.deployments())
        message = (
            f"there is no deployment {domain!r}; there are: {known}" if known else NOTHING_PUBLISHED
        )
        raise NotFound(message) from None
