"""Network access of git: allowed servers, addresses and identities.

A server chosen by a tenant is resolved once and its addresses are vetted like those of all other
requests (`base.outbound`). Git then connects to a vetted address: over https by curl's list of
resolved names, over ssh by `HostName`. The identity of the service's user is not used: no keys,
agent, netrc, settings or proxies. A server named by the operator may be private and gets the user's
identity.

Git itself follows no redirects. If a repository has moved, `OutboundClient` looks up its new URL,
so that every host on the way is vetted.
"""

from __future__ import annotations

import os
import re
import shlex
import ssl
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from docstead.base.errors import DocsteadError, InvalidRequest, SourceUnreadable
from docstead.base.networks import Network, address_of
from docstead.base.outbound import OutboundClient, Resolve, checked_url, resolved

_USER_VARIABLE = "DOCSTEAD_GIT_USER"
_PASSWORD_VARIABLE = "DOCSTEAD_GIT_PASSWORD"  # noqa: S105 - a name
_USERS_OWN = (
    "HOME", "SSH_AUTH_SOCK", "http_proxy", "https_proxy", "no_proxy", "HTTPS_PROXY", "NO_PROXY",
)  # fmt: skip
_SSH = "-oBatchMode=yes -oConnectTimeout=20"
_SSH_WITHOUT_USER = (
    "-F none -oIdentitiesOnly=yes -oIdentityAgent=none -oProxyCommand=none "
    "-oStrictHostKeyChecking=accept-new -oGlobalKnownHostsFile=none"
)
_SHORT_SSH = re.compile(r"(?:[^@/]+@)?(?P<host>[^:/]+):")
_USER_PART = re.compile(r"\Ahttps://(?P<user>[^/@]*)@", re.IGNORECASE)
_HOST = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\Z")
_ADVERTISEMENT = "/info/refs?service=git-upload-pack"
_REDIRECTS = (301, 302, 303, 307, 308)
_MAX_REDIRECTS = 5
_ANYWHERE: tuple[Network, ...] = (ip_network("0.0.0.0/0"), ip_network("::/0"))


@dataclass(frozen=True, slots=True)
class HostCredentials:
    """Credentials for one host, `https://name` with an optional port.

    Git calls a helper that prints them from the environment. Passwords are therefore in no command
    line, URL or configuration, and are sent to no other host, not even after a redirect.
    """

    host_url: str
    username: str
    password: str = field(repr=False)

    @classmethod
    def at(cls, location: str, username: str, password: str) -> HostCredentials:
        """Create credentials for the host of an https URL.

        Raises:
            SourceUnreadable: the URL is invalid, or a value has unprintable characters.
        """
        if not f"{username}{password}".isprintable():  # a line break would end a line of output
            raise SourceUnreadable("a repository's user name or token has unprintable characters")
        return cls(f"https://{urlsplit(location).netloc}", username, password)

    @property
    def setting(self) -> str:
        values = f'"${_USER_VARIABLE}" "${_PASSWORD_VARIABLE}"'
        answer = rf"printf 'username=%s\npassword=%s\n' {values}"
        return f"credential.{self.host_url}.helper=!f() {{ {answer}; }}; f"

    @property
    def variables(self) -> dict[str, str]:
        return {_USER_VARIABLE: self.username, _PASSWORD_VARIABLE: self.password}

    def headers_for(self, url: str) -> dict[str, str]:
        """Return the headers that a request for `url` needs; none for another host."""
        if not url.startswith(f"{self.host_url}/"):
            return {}
        pair = b64encode(f"{self.username}:{self.password}".encode()).decode()
        return {"Authorization": f"Basic {pair}"}


@dataclass(frozen=True, slots=True)
class GitRoute:
    """Settings and environment for git to contact one server."""

    settings: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict, repr=False)


NOWHERE = GitRoute()


@dataclass(frozen=True, slots=True)
class GitNetwork:
    """Servers that git may contact. `allowed` are private networks that are permitted.

    With `by_operator`, the operator named the repositories: their hosts may have any address, and
    get the identity of the service's user. `known_hosts` is the file of ssh host keys for all
    others.
    """

    allowed: tuple[Network, ...] = ()
    by_operator: bool = False
    known_hosts: Path | None = None
    resolve: Resolve = resolved

    @property
    def named_by_operator(self) -> GitNetwork:
        """Return the same network for repositories that the operator named."""
        return replace(self, by_operator=True)

    def outbound(self, *, anywhere: bool = False) -> OutboundClient:
        """Return an HTTP client for allowed hosts, with git's certificate authorities."""
        tls = ssl.create_default_context(cafile=os.environ.get("GIT_SSL_CAINFO"))
        allowed = _ANYWHERE if anywhere else self.allowed
        return OutboundClient(allowed, resolve=self.resolve, tls=tls)


NAMED_BY_OPERATOR = GitNetwork(by_operator=True)


@dataclass(frozen=True, slots=True)
class GitTransport:
    """Connection to the repository at `location`, a git URL without credentials."""

    location: str
    protocol: str
    network: GitNetwork = field(default_factory=GitNetwork)
    credentials: HostCredentials | None = None
    ssh_key_file: Path | None = None

    def route(self) -> GitRoute:
        """Return the current route to the server.

        Raises:
            SourceUnreadable: the server does not exist or is not allowed.
        """
        variables = dict(self._identity())
        settings = [f"protocol.{self.protocol}.allow=always", "http.followRedirects=false"]
        if self.protocol == "ssh":
            variables |= {"GIT_SSH_COMMAND": self._ssh_command(), "GIT_SSH_VARIANT": "ssh"}
        elif self.protocol == "https":
            settings += self._https_settings(self.location)
        elif not self.network.by_operator:
            raise SourceUnreadable(f"{self.location}: only https and ssh URLs are allowed")
        if self.credentials is not None:
            settings.append(self.credentials.setting)
            variables |= self.credentials.variables
        return GitRoute(tuple(settings), variables)

    def moved(self) -> GitRoute | None:
        """Return the route to the repository's new URL, or None if it has not moved.

        Raises:
            SourceUnreadable: the new URL is not allowed, or is not a repository's.
        """
        with _as_source_errors(self.location):
            target = self._followed()
            if self.protocol != "https" or target == self.location:
                return None
            route = self.route()
            renamed = f"url.{target}.insteadOf={self.location}"
            return GitRoute(
                (*route.settings, renamed, *self._https_settings(target)), route.variables
            )

    def _identity(self) -> Mapping[str, str]:
        if not self.network.by_operator:
            return {"HOME": os.devnull}
        return {name: os.environ[name] for name in _USERS_OWN if name in os.environ}

    def _https_settings(self, url: str) -> list[str]:
        """Return git's settings with curl's addresses; the operator's hosts are not restricted."""
        if self._is_trusted(url):
            return []
        with _as_source_errors(self.location):
            split = checked_url(url)
            host, port = split.hostname or "", split.port or 443
            found = self.network.outbound().addresses(_plain_host(host), port)
        if split.query or split.fragment:
            raise SourceUnreadable(f"{self.location}: not the URL of a repository")
        if address_of(host) is not None:
            return ["http.proxy="]
        addresses = ",".join(f"[{each}]" if ":" in each else each for each in found)
        return ["http.proxy=", f"http.curloptResolve={host}:{port}:{addresses}"]

    def _is_trusted(self, url: str) -> bool:
        """Report whether the operator named this host."""
        return self.network.by_operator and _host(url) == _host(self.location)

    def _ssh_command(self) -> str:
        if self.network.by_operator:
            command = f"{os.environ.get('GIT_SSH_COMMAND', 'ssh')} {_SSH}"
            return f"{command} {self._key_options()}" if self.ssh_key_file else command
        host, port = _host(self.location)
        with _as_source_errors(self.location):
            address = self.network.outbound().addresses(_plain_host(host), port)[0]
        known = _file_option("UserKnownHostsFile", self.network.known_hosts or Path(os.devnull))
        alias = host if port == 22 else f"{host}.{port}"  # noqa: PLR2004 - ssh's own
        return (
            f"ssh {_SSH} {_SSH_WITHOUT_USER} {self._key_options()} -oHostName={address} "
            f"-oHostKeyAlias={alias} {known}"
        )

    def _key_options(self) -> str:
        if self.ssh_key_file is None:
            return "-oIdentityFile=none -oPubkeyAuthentication=no"
        key = _file_option("IdentityFile", self.ssh_key_file)
        return f"{key} -oIdentitiesOnly=yes -oIdentityAgent=none"

    def _followed(self) -> str:
        """Return the URL at the end of the server's redirects, as git would follow them."""
        url = self.location
        for _ in range(_MAX_REDIRECTS):
            asked = f"{url}{_ADVERTISEMENT}"
            headers = self.credentials.headers_for(asked) if self.credentials else {}
            outbound = self.network.outbound(anywhere=self._is_trusted(url))
            with outbound.send("GET", asked, headers) as answer:
                if answer.status not in _REDIRECTS or "location" not in answer.headers:
                    return url
                url = _without_advertisement(urljoin(asked, answer.headers["location"]))
        raise InvalidRequest(f"more than {_MAX_REDIRECTS} redirects")


def without_user(location: str) -> tuple[str, tuple[str, str] | None]:
    """Split an https URL into the URL without user part, and user name and password.

    `https://TOKEN@host` is a common form of a URL with only a token.
    """
    match = _USER_PART.match(location)
    if match is None:
        return location, None
    name, _, password = map(unquote, match["user"].partition(":"))
    pair = (name, password) if password else ("x-access-token", name)
    return f"https://{location[match.end() :]}", pair


def _without_advertisement(url: str) -> str:
    base = url.removesuffix(_ADVERTISEMENT)
    if base == url or "=" in base or not base.startswith("https://"):
        raise InvalidRequest("it redirects to something that is not the URL of a repository")
    return base


def _host(location: str) -> tuple[str, int]:
    """Return host and port of the server."""
    if "://" not in location:
        short = _SHORT_SSH.match(location)
        return (short["host"].lower() if short else "", 22)
    split = urlsplit(location)
    with _as_source_errors(location):
        return (split.hostname or "", split.port or (22 if split.scheme == "ssh" else 443))


def _plain_host(host: str) -> str:
    """Return the host after verifying that git and Python parse it the same way."""
    if address_of(host) is None and not _HOST.match(host):
        raise InvalidRequest(f"{host!r} is not the name of a host")
    return host


def _file_option(name: str, path: Path) -> str:
    """Return an ssh option that names a file, quoted for the shell."""
    text = str(path).replace("%", "%%")
    if '"' in text or not text.isprintable():
        raise SourceUnreadable(f"{text}: ssh cannot use a file of this name")
    return shlex.quote(f'-o{name}="{text}"')


@contextmanager
def _as_source_errors(location: str) -> Iterator[None]:
    """Convert errors of `OutboundClient` to `SourceUnreadable` errors that name the repository."""
    try:
        yield
    except SourceUnreadable:
        raise
    except DocsteadError as error:
        raise SourceUnreadable(f"{location}: {error.message}") from error
    except ValueError as error:
        raise SourceUnreadable(f"{location}: not the URL of a repository") from error
