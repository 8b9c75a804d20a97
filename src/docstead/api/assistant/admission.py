"""Who may ask: the key's own deployment, within the limits (interface, "Limits")."""

from __future__ import annotations

from docstead.accounts.key_records import Caller
from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.base.errors import NotFound
from docstead.limits import policies
from docstead.limits.rate_limits import RateLimits

_NO_DEPLOYMENT = "there is no such deployment"


class Admission:
    """Lets requests in. Blocking: run it in a thread."""

    def __init__(self, tenancy: Tenancy, limits: RateLimits) -> None:
        self._tenancy = tenancy
        self._limits = limits

    def deployment(self, caller: Caller, domain: str) -> Deployment:
        """The deployment of this domain.

        Raises:
            NotFound: there is none, or the key belongs to another; it is not said which.
        """
        if "\x00" in domain:  # PostgreSQL cannot even be asked
            raise NotFound(_NO_DEPLOYMENT)
        found = self._tenancy.deployment_of_domain(domain)
        if found.id != caller.deployment_id:
            raise NotFound(_NO_DEPLOYMENT)
        return found

    def charge_message(self, deployment: Deployment, client_ip: str) -> None:
        """Charge the organization and the address, both or neither; all versions count together.

        Raises:
            RateLimited: one of them has used up its limit.
        """
        self._limits.spend(*policies.assistant_message(deployment.organization_id, client_ip))

    def charge_search(self, deployment: Deployment) -> None:
        self._limits.spend(policies.search(deployment.organization_id))

    def charge_page(self, deployment: Deployment) -> None:
        self._limits.spend(policies.page_content(deployment.organization_id))
