"""Admission of assistant requests: the key's deployment, features and rate limits
(docs/reference/errors-and-limits.mdx).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from docstead.accounts.key_records import Caller
from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.base.errors import NotFound, StoreUnavailable
from docstead.base.features import Features
from docstead.base.last_known import LastKnown
from docstead.limits import policies
from docstead.limits.rate_limits import RateLimits

_NO_DEPLOYMENT = "there is no such deployment"


class Admission:
    """Checks whether a key may use a deployment now. Blocking: run it in a thread."""

    def __init__(
        self, tenancy: Tenancy, limits: RateLimits, features: Callable[[Deployment], Features]
    ) -> None:
        self._tenancy = tenancy
        self._limits = limits
        self._features = features
        self._known: LastKnown[str, Deployment] = LastKnown()

    def to_ask(self, caller: Caller, domain: str, client_ip: str, version: str) -> Deployment:
        """Return the deployment and charge a message to its organization and IP address.

        Raises:
            NotFound: the key has no deployment with this domain.
            Unavailable: the assistant of the deployment is disabled.
            RateLimited: a limit of this API version is exceeded.
        """
        deployment = self._deployment(caller, domain, "assistant")
        organization_id = deployment.organization_id
        self._limits.spend(*policies.assistant_message(organization_id, client_ip, version))
        return deployment

    def to_resume(self, caller: Caller, domain: str) -> Deployment:
        deployment = self._deployment(caller, domain, "assistant")
        self._limits.spend(policies.assistant_resume(deployment.organization_id))
        return deployment

    def to_judge(self, caller: Caller, domain: str) -> Deployment:
        deployment = self._deployment(caller, domain, "assistant")
        self._limits.spend(policies.assistant_feedback(deployment.organization_id))
        return deployment

    def to_search(self, caller: Caller, domain: str) -> Deployment:
        """Return the deployment to search. Works without rate limits during a database outage."""
        deployment = self._deployment(caller, domain, "search")
        with suppress(StoreUnavailable):
            self._limits.spend(policies.search(deployment.organization_id))
        return deployment

    def to_begin(self, caller: Caller, domain: str) -> Deployment:
        """Return the deployment whose starter questions are requested."""
        deployment = self._deployment(caller, domain, "assistant")
        self._limits.spend(policies.page_content(deployment.organization_id))
        return deployment

    def to_read(self, caller: Caller, domain: str) -> Deployment:
        deployment = self._deployment(caller, domain)
        self._limits.spend(policies.page_content(deployment.organization_id))
        return deployment

    def to_post(self, caller: Caller, domain: str) -> Deployment:
        """Return the deployment whose pages report reader events, within their rate limits."""
        return self._deployment(caller, domain, "analytics")

    def _deployment(self, caller: Caller, domain: str, feature: str = "") -> Deployment:
        """Return the deployment of the key, which must have the feature."""
        if "\x00" in domain:  # PostgreSQL would reject the value
            raise NotFound(_NO_DEPLOYMENT)
        found = self._known.of(domain, lambda: self._tenancy.deployment_named(domain))
        if found.id != caller.deployment_id:  # the error does not reveal that it exists
            raise NotFound(_NO_DEPLOYMENT)
        if feature:
            self._features(found).require(feature)
        return found
