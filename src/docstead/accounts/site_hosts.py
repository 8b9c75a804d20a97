"""Hostnames of sites, and URLs for browsers and programs.

    {domain}.localhost    on the machine of the service, for every deployment
    {domain}.{wildcard}   if the operator configured a wildcard host, `*.docs.example.org`
    {hostname}            the deployment's own

Only with such a name does a site have its own origin. Browsers resolve names below `localhost` to
the machine itself; many programs do not, so URLs for programs avoid them.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from docstead.accounts.tenancy import Deployment

_LOCAL = ".localhost"


@dataclass(frozen=True, slots=True)
class SiteLink:
    """URL of a site, without a trailing slash."""

    url: str
    is_shared: bool  # the host also serves others, so the site is sandboxed


@dataclass(frozen=True, slots=True)
class SiteHosts:
    """Hostnames and URLs of sites.

    Args:
        base_url: URL of the service, without a trailing slash.
        wildcard: wildcard host of sites, "*.docs.example.org", or "".
        default_domain: deployment served at `base_url` itself.
    """

    base_url: str = ""
    wildcard: str = ""
    default_domain: str = ""

    def is_service(self, host: str) -> bool:
        """Report whether a host is the service's own or an IP address, with the default site."""
        return host in ("localhost", _name_and_port(self.base_url)[0]) or is_ip_address(host)

    def domain_of(self, host: str) -> str | None:
        """Return the domain that a host is reserved for, or None."""
        for suffix in filter(None, (_LOCAL, self.wildcard.removeprefix("*"))):
            label = host.removesuffix(suffix)
            if label != host and label and "." not in label:
                return label
        return None

    def url(self, deployment: Deployment) -> str:
        """Return the canonical URL of a site, which programs can also resolve."""
        own = self._own_url(deployment)
        if own:
            return own
        if deployment.domain == self.default_domain:
            return self.base_url
        return f"{self.base_url}/_sites/{deployment.domain}"

    def link(self, deployment: Deployment, host: str | None = None) -> SiteLink:
        """Return the URL for a browser that reached the service at `host`, a Host header.

        By default the browser is assumed to use the base URL.
        """
        name, port = _name_and_port(self.base_url if host is None else f"http://{host}")
        if is_loopback(name):
            return SiteLink(f"http://{deployment.domain}{_LOCAL}{port}", is_shared=False)
        own = self._own_url(deployment)
        if own:
            return SiteLink(own, is_shared=False)
        base = "" if is_loopback(_name_and_port(self.base_url)[0]) else self.base_url
        return SiteLink(f"{base}/_sites/{deployment.domain}", is_shared=True)

    def _own_url(self, deployment: Deployment) -> str:
        """Return the URL with a host that all programs can resolve, or ""."""
        name = deployment.hostname
        if name != "localhost" and not name.endswith(_LOCAL):
            return f"https://{name}"
        if not self.wildcard:
            return ""
        _, port = _name_and_port(self.base_url)
        scheme = self.base_url.partition(":")[0]
        return f"{scheme}://{deployment.domain}{self.wildcard.removeprefix('*')}{port}"


def _name_and_port(url: str) -> tuple[str, str]:
    """Return the hostname of a URL and its port as ":8080"; both are "" if it is malformed."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "", ""
    return parts.hostname or "", f":{port}" if port else ""


def is_ip_address(host: str) -> bool:
    """Report whether a host is an IP address, with optional brackets."""
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Report whether a host refers to the machine itself."""
    if host == "localhost" or host.endswith(_LOCAL):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
