"""The organization and the deployments that commands work on."""

from __future__ import annotations

from docstead.accounts.plans import Plan
from docstead.accounts.tenancy import Deployment, Organization
from docstead.app.services import Services
from docstead.base.errors import InvalidRequest, NotFound


def organization(services: Services) -> Organization:
    """The organization of this installation, made the first time."""
    return services.tenancy.default_organization(Plan(services.settings.plan))


def deployment(services: Services, domain: str | None) -> Deployment:
    """The deployment of this domain, or the only one there is.

    Raises:
        NotFound: there is no deployment yet, or none of that domain.
        InvalidRequest: no domain was given and there are several.
    """
    if domain is not None:
        return services.tenancy.deployment_of_domain(domain)
    known = services.tenancy.deployments()
    if not known:
        raise NotFound("nothing is published yet; run: docstead publish SOURCE --domain NAME")
    if len(known) > 1:
        names = ", ".join(each.domain for each in known)
        raise InvalidRequest(f"--domain: there are several deployments, name one of: {names}")
    return known[0]
