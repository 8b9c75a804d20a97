"""Hostnames that organizations may choose for their sites.

The owner of a name in DNS is not checked. To choose a public name of somebody else gains nothing,
because its readers never arrive here. Names of the service's own network are different. Requests
within a cluster for `docstead.docs.svc` arrive here, and are answered with the site that has
that name.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from docstead.accounts.site_hosts import SiteHosts
from docstead.base.errors import Forbidden
from docstead.base.networks import address_of, is_listed_host, is_public
from docstead.base.outbound import Resolve, resolved

_SETTING = "DOCSTEAD_ALLOWED_HOSTNAMES"
# Last labels that public DNS has not, and that networks use within.
_PRIVATE_ENDS = frozenset({
    "arpa", "cluster", "corp", "home", "internal", "intranet", "invalid", "lan", "local",
    "localdomain", "localhost", "mail", "onion", "private", "svc", "test",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class HostnameRules:
    """Rules for names that admin keys choose; the operator may choose any.

    Args:
        allowed: names that may be chosen, `*.` standing for any labels; empty for all public ones.
        site_hosts: the names of the service itself, which nobody may choose.
    """

    allowed: Collection[str] = ()
    site_hosts: SiteHosts = field(default_factory=SiteHosts)
    resolve: Resolve = resolved

    def check(self, hostname: str) -> None:
        """Raise `Forbidden` if an organization may not choose this host name, in lower case."""
        if self.site_hosts.is_service(hostname):
            raise Forbidden(f"hostname: {hostname} belongs to the service; leave it out")
        if self.allowed:
            self._check_listed(hostname)
        elif self._is_private(hostname):
            raise Forbidden(
                f"hostname: {hostname} is a name of a private network, which only {_SETTING} "
                "allows; choose a public name, or leave it out"
            )

    def _check_listed(self, hostname: str) -> None:
        if not is_listed_host(hostname, map(str.lower, self.allowed)):
            raise Forbidden(
                f"hostname: {hostname} is not allowed; choose one of "
                f"{', '.join(self.allowed)}, or leave it out"
            )

    def _is_private(self, hostname: str) -> bool:
        """Whether a name cannot be public, or leads to an address that is not."""
        labels = hostname.split(".")
        if len(labels) == 1 or labels[-1] in _PRIVATE_ENDS:
            return True
        try:
            found = self.resolve(hostname, 443)
        except OSError:
            return False  # nobody reaches it by this name yet
        addresses = map(address_of, found)
        return any(address is None or not is_public(address) for address in addresses)
