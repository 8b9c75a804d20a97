"""Resolution of a request's host and path to a site and a path within it.

http://{hostname}/…                      the deployment with that hostname
http://{domain}.localhost/…              the deployment with that domain (`accounts.site_hosts`)
http://{any other host}/_sites/{domain}/…   the deployment with that domain
http://{the service's own host}/…        the default deployment, if there is one

Former domains (`accounts.former_domains`) redirect readers to the current one. A host that belongs
to a deployment serves only that deployment, without `/_sites/`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic

from docstead.accounts.site_hosts import SiteHosts, is_ip_address
from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.base.errors import NotFound
from docstead.base.last_known import LastKnown
from docstead.hosting.requests import NAME_LENGTH, host_of

SITES_PREFIX = "/_sites/"
REMEMBERED_SECONDS = 2.0
_REMEMBERED_HOSTS = 1000


@dataclass(frozen=True, slots=True)
class SiteMatch:
    """A site and a path in it. `path` begins with a slash, unless it is empty."""

    deployment: Deployment
    base_path: str  # "" at the root of a host, otherwise "/_sites/{domain}", below a proxy's prefix
    path: str
    own_host: bool  # whether the host serves only this site
    moved_to: str = ""  # current URL of the page if the site was renamed


class SiteMatcher:
    """Resolves hosts and paths to sites.

    `default_domain` is served at `service_hosts`; empty means the only deployment. `site_hosts`
    decides which other names are reserved for deployments.
    """

    def __init__(
        self,
        tenancy: Tenancy,
        service_hosts: Iterable[str],
        default_domain: str = "",
        site_hosts: SiteHosts | None = None,
    ) -> None:
        self._tenancy = tenancy
        self._known: LastKnown[tuple[str, str], Deployment | None] = LastKnown()
        self._service_hosts = frozenset(host.lower() for host in service_hosts) | {"localhost"}
        self._default_domain = default_domain
        self._site_hosts = site_hosts or SiteHosts()
        self._sites: dict[str, tuple[float, bool]] = {}

    def find(self, host_header: str, path: str, prefix: str = "") -> SiteMatch:
        """Return the site that a request refers to; readers reach it below `prefix`.

        Raises:
            NotFound: there is no such site; the message lists what exists.
        """
        host = host_of(host_header)
        if path.startswith(SITES_PREFIX) and not self._belongs_to_a_site(host):
            domain, slash, rest = path.removeprefix(SITES_PREFIX).partition("/")
            deployment = self._of_domain(domain)
            base = f"{prefix}{SITES_PREFIX}{domain}"
            present = f"{prefix}{SITES_PREFIX}{deployment.domain}{slash}{rest}"
            moved_to = present if deployment.domain != domain else ""
            return SiteMatch(deployment, base, slash + rest, own_host=False, moved_to=moved_to)
        if not self.is_service(host):
            deployment = self._of_own_host(host)
            present = self._present_host(host_header, deployment)
            moved_to = f"//{present}{prefix}{path}" if present else ""
            return SiteMatch(deployment, prefix, path, own_host=True, moved_to=moved_to)
        try:
            deployment = self._of_hostname(host)
        except NotFound:
            deployment = self._default()
        return SiteMatch(deployment, prefix, path, own_host=False)

    def _belongs_to_a_site(self, host: str) -> bool:
        return not self.is_service(host) and self.is_site(host)

    def knows(self, host_header: str) -> bool:
        """Report whether a host is the service's own or belongs to a deployment."""
        host = host_of(host_header)
        return self.is_service(host) or self.is_site(host)

    def is_service(self, host: str) -> bool:
        """Report whether a host is the service's own: its name, localhost or an IP address."""
        return host in self._service_hosts or is_ip_address(host)

    def is_site(self, host: str) -> bool:
        """Report whether a host belongs to a deployment; cached for some seconds."""
        remembered = self.remembered_site(host)
        if remembered is not None:
            return remembered
        try:
            known = bool(self._of_own_host(host))
        except NotFound:
            known = False
        if len(self._sites) >= _REMEMBERED_HOSTS:
            self._sites.clear()
        self._sites[host] = (monotonic(), known)
        return known

    def remembered_site(self, host: str) -> bool | None:
        """Return the cached result of `is_site`, or None if there is none."""
        asked, known = self._sites.get(host, (float("-inf"), False))
        return known if monotonic() - asked < REMEMBERED_SECONDS else None

    def _of_own_host(self, host: str) -> Deployment:
        """Return the deployment of a host. A reserved name takes precedence over a hostname."""
        domain, renamed = self._site_hosts.domain_of(host), None
        if domain is not None:
            with suppress(NotFound):  # it may still be the hostname of a deployment
                found = self._of_domain(domain)
                if found.domain == domain:
                    return found
                renamed = found
        try:
            return self._of_hostname(host)
        except NotFound as error:
            if renamed is not None:
                return renamed
            raise NotFound("No site has this hostname.") from error

    def _present_host(self, host_header: str, deployment: Deployment) -> str:
        """Return the host and port for a renamed deployment, or "" if it was not renamed."""
        host = host_of(host_header)
        domain = self._site_hosts.domain_of(host)
        if domain in (None, deployment.domain) or deployment.hostname == host:
            return ""
        return deployment.domain + host_header.strip().lower().removeprefix(domain or "")

    def _default(self) -> Deployment:
        if self._default_domain:
            return self._of_domain(self._default_domain)
        return self._found("only", "", self._only)

    def _only(self) -> Deployment:
        deployments = self._tenancy.deployments()
        if not deployments:
            raise NotFound("No site has been published yet. Run `docstead publish` to publish one.")
        if len(deployments) > 1:
            raise NotFound("This host serves several sites, and none of them is the default.")
        return deployments[0]

    def _of_domain(self, domain: str) -> Deployment:
        return self._found("domain", domain, lambda: self._tenancy.deployment_named(domain))

    def _of_hostname(self, host: str) -> Deployment:
        return self._found("hostname", host, lambda: self._tenancy.deployment_of_hostname(host))

    def _found(self, kind: str, name: str, ask: Callable[[], Deployment]) -> Deployment:
        """Return the deployment, or its last known value if the database is unavailable."""
        if len(name) > NAME_LENGTH:  # names are cached, so they must be short
            raise NotFound("there is no such deployment")
        refusal: NotFound | None = None

        def asked() -> Deployment | None:
            nonlocal refusal
            try:
                return ask()
            except NotFound as error:
                refusal = error
                return None

        deployment = self._known.of((kind, name), asked)
        if deployment is None:
            raise refusal or NotFound("there is no such deployment")
        return deployment
