"""HTTP client for configured URLs, protected against server-side request forgery.

Failure rule: disallowed URLs raise InvalidRequest, unresponsive ones Unavailable. A host is
resolved once, its addresses are vetted, and the connection uses a vetted address; redirects are
vetted the same way. Plain `http` is allowed for permitted networks only. Proxies of the environment
are ignored. Each response has a total timeout.
"""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import SplitResult, urljoin, urlsplit, urlunsplit

from docstead.base.errors import InvalidRequest, Unavailable
from docstead.base.networks import Address, Network, address_of, is_public, is_within

_REDIRECTS = (301, 302, 303, 307, 308)
_MAX_REDIRECTS = 5
_TIMEOUTS = {"connect": 10.0, "read": 30.0, "write": 30.0, "pool": 10.0}
_TOTAL_SECONDS = 300.0
_MAX_URL = 8192
_MAX_HOST, _MAX_LABEL = 253, 63  # characters, as in DNS

Resolve = Callable[[str, int], Iterable[str]]


@dataclass(frozen=True, slots=True)
class OutboundResponse:
    """Response with lower-case names of `headers`. `blocks` is the body as sent."""

    status: int
    headers: Mapping[str, str]
    blocks: Iterator[bytes]


def resolved(host: str, port: int) -> list[str]:
    """Return the addresses of a host, from the machine's resolver."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class OutboundClient:
    """Sends requests to other hosts.

    `allowed` are private networks that are permitted; `setting` names them in messages.
    """

    def __init__(
        self,
        allowed: Iterable[Network] = (),
        *,
        resolve: Resolve = resolved,
        tls: ssl.SSLContext | None = None,
        total_seconds: float = _TOTAL_SECONDS,
        setting: str = "",
    ) -> None:
        self._allowed = tuple(allowed)
        self._setting = setting
        self._resolve = resolve
        self._tls = tls
        self._total_seconds = total_seconds

    @contextmanager
    def get(self, url: str, headers: Mapping[str, str] | None = None) -> Iterator[OutboundResponse]:
        """Yield the response after at most five redirects.

        Raises:
            InvalidRequest: a URL on the way is not allowed.
            Unavailable: a host on the way is unreachable or closed the connection.
        """
        ends = time.monotonic() + self._total_seconds
        for _ in range(_MAX_REDIRECTS + 1):
            with self._asked(url, headers or {}, ends=ends) as answer:
                if answer.status not in _REDIRECTS or "location" not in answer.headers:
                    yield answer
                    return
                url = urljoin(url, answer.headers["location"])
        raise InvalidRequest(f"more than {_MAX_REDIRECTS} redirects")

    @contextmanager
    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> Iterator[OutboundResponse]:
        """Yield the response, without following redirects.

        Raises:
            InvalidRequest: the URL is not allowed.
            Unavailable: the host is unreachable or closed the connection.
        """
        with self._asked(url, headers, "POST", body) as answer:
            yield answer

    @contextmanager
    def send(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None = None
    ) -> Iterator[OutboundResponse]:
        """Yield the response to any request, without following redirects.

        Raises:
            InvalidRequest: the URL is not allowed.
            Unavailable: the host is unreachable or closed the connection.
        """
        with self._asked(url, headers, method, body) as answer:
            yield answer

    def check(self, url: str) -> None:
        """Check whether a URL is allowed, without a request. Unreachable hosts pass.

        Raises:
            InvalidRequest: it is not.
        """
        split = checked_url(url)
        port = split.port or socket.getservbyname(split.scheme)
        with suppress(Unavailable):
            self._vetted_addresses(split.hostname or "", port, is_plain=split.scheme == "http")

    def addresses(self, host: str, port: int) -> list[str]:
        """Return the vetted addresses of a host, for programs that connect themselves.

        Raises:
            InvalidRequest: an address is not allowed.
            Unavailable: the host does not exist.
        """
        return self._vetted_addresses(host, port, is_plain=False)

    @contextmanager
    def _asked(
        self,
        url: str,
        headers: Mapping[str, str],
        method: str = "GET",
        body: bytes | None = None,
        ends: float | None = None,
    ) -> Iterator[OutboundResponse]:
        # The import is slow, and most commands make no requests.
        from docstead.base.vetted_connections import (
            ConnectionPool,
            RequestDeadline,
            VettedBackend,
            guarded,
            own_errors,
        )

        split = checked_url(url)
        host = split.hostname or ""
        deadline = RequestDeadline(ends or time.monotonic() + self._total_seconds)
        backend = VettedBackend(self._vetted_addresses, deadline, is_plain=split.scheme == "http")
        with ExitStack() as open_:
            pool = ConnectionPool(ssl_context=self._tls, network_backend=backend)
            stream = open_.enter_context(pool).stream(
                method,
                urlunsplit(split._replace(fragment="")),
                headers=_sent_headers(split.netloc, headers, body),
                content=body,
                extensions={"timeout": _TIMEOUTS},
            )
            with own_errors(host):
                response = open_.enter_context(stream)
            response_headers = {
                name.decode("latin-1").lower(): value.decode("latin-1")
                for name, value in response.headers
            }
            yield OutboundResponse(
                response.status, response_headers, guarded(host, response.iter_stream())
            )

    def _vetted_addresses(self, host: str, port: int, *, is_plain: bool) -> list[str]:
        """Return the addresses of a host after verifying that all of them are allowed."""
        try:
            found = list(self._resolve(host, port))
        except (OSError, UnicodeError) as error:
            raise Unavailable(f"{host}: no such host") from error
        for text in found:
            self._judge(host, address_of(text), is_plain=is_plain)
        return found

    def _judge(self, host: str, address: Address | None, *, is_plain: bool) -> None:
        if address is not None and is_within(address, self._allowed):
            return
        if address is None or not is_public(address):
            found = host if host == str(address) else f"{host} leads to {address}, which"
            to = f"add its network to {self._setting}" if self._setting else "allow its network"
            raise InvalidRequest(f"{found} is not a public address; {to} if that is meant")
        if is_plain:
            where = f" ({self._setting})" if self._setting else ""
            raise InvalidRequest(f"{host}: use https; http reaches allowed networks{where} only")


def _sent_headers(
    host: str, headers: Mapping[str, str], body: bytes | None
) -> dict[bytes | str, bytes | str]:
    """Return the headers of a request with those that every request has."""
    sent: dict[bytes | str, bytes | str] = {"Host": host, "Accept-Encoding": "identity"}
    if body is not None:
        sent["Content-Length"] = str(len(body))
    return sent | {name: value.encode("latin-1") for name, value in headers.items()}


def checked_url(url: str) -> SplitResult:
    """Parse an http or https URL. Raises InvalidRequest."""
    try:
        split = urlsplit(url)
        port_is_one = split.port is None or split.port > 0
    except ValueError:
        raise InvalidRequest("not a URL: its host or port is not valid") from None
    if split.scheme not in ("http", "https") or not split.hostname or not port_is_one:
        raise InvalidRequest("not an https:// URL with a host")
    if split.username is not None or split.password is not None:
        raise InvalidRequest("a URL with a user name is not requested")
    is_clean = url.isascii() and url.isprintable() and " " not in url and "\\" not in url
    if not is_clean or len(url) > _MAX_URL:
        raise InvalidRequest("not a URL: it has characters that must be escaped, or too many")
    host = split.hostname.removesuffix(".")
    if len(host) > _MAX_HOST or max(map(len, host.split("."))) > _MAX_LABEL:
        limits = f"at most {_MAX_HOST} characters, and {_MAX_LABEL} between two dots"
        raise InvalidRequest(f"not a URL: a host has {limits}")
    return split
