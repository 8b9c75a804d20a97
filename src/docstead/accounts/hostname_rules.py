"""Rules for hostnames that organizations may choose for their sites.

The DNS owner of a name is not checked: choosing someone else's public name has no effect, because
its readers do not arrive here. Names of the service's own network are different: requests within a
cluster for `docstead.docs.svc` arrive here, and would be answered with a site of that name.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from docstead.accounts.site_hosts import SiteHosts
from docstead.base.errors import Forbidden
from docstead.base.networks import address_of, is_listed_host, is_public
from docstead.base.outbound import Resolve, resolved

_SETTING = "DOCSTEAD_ALLOWED_HOSTNAMES"
# Top-level names that are not in public DNS but used in private networks.
_PRIVATE_ENDS = frozenset({
    "arpa", "cluster", "corp", "home", "internal", "intranet", "invalid", "lan", "local",
    "localdomain", "localhost", "mail", "onion", "private", "svc", "test",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class HostnameRules:
    """Rules for hostnames chosen with admin keys; the operator may choose any.

    Args:
        allowed: allowed names, `*.` matching any labels; empty allows all public ones.
        site_hosts: names of the service itself, which are never allowed.
    """

    allowed: Collection[str] = ()
    site_hosts: SiteHosts = field(default_factory=SiteHosts)
    resolve: Resolve = resolved

    def check(self, hostname: str) -> None:
        """Raise `Forbidden` if an organization may not choose this lower-case hostname."""
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
        """Report whether a name cannot be public, or resolves to a private address."""
        labels = hostname.split(".")
        if len(labels) == 1 or labels[-1] in _PRIVATE_ENDS:
            return True
        try:
            found = self.resolve(hostname, 443)
        except OSError:
            return False  # the name does not resolve yet
        addresses = map(address_of, found)
        return any(address is None or not is_public(address) for address in addresses)
