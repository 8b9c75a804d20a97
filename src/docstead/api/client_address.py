"""Client IP addresses, taken from forwarding headers of trusted proxies only.

A forwarding header is evaluated from right to left as far as trusted proxies wrote it. Values that
a client adds itself are further left and have no effect.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

from starlette.requests import HTTPConnection

from docstead.base.errors import InvalidRequest

_PREFIX = re.compile(r"(?:/[A-Za-z0-9._~-]{1,64}){1,8}")
Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

#: Placeholder address of connections without one (Unix sockets).
UNKNOWN_ADDRESS = "0.0.0.0"  # noqa: S104 - a value that is compared, never bound


class ClientAddress:
    """Determines the client address behind the proxies in `trusted_proxies` (CIDR networks).

    Raises:
        InvalidRequest: an entry of `trusted_proxies` is not a network.
    """

    def __init__(self, trusted_proxies: Iterable[str] = ()) -> None:
        self._networks = tuple(_network(entry) for entry in trusted_proxies)

    def of(self, connection: HTTPConnection) -> str:
        """Return the right-most address that is not a trusted proxy, in canonical form."""
        peer = _address(connection.client.host if connection.client else "")
        if peer is None:
            return UNKNOWN_ADDRESS
        header = ",".join(connection.headers.getlist("x-forwarded-for"))
        for hop in reversed(header.split(",") if header else []):
            if not self._trusts(peer):
                break
            named = _address(hop)
            if named is None:
                break
            peer = named
        return str(peer)

    def shown_below(self, connection: HTTPConnection) -> str:
        """Return the path of the site at a trusted proxy (`X-Forwarded-Prefix`), or ""."""
        prefix = connection.headers.get("x-forwarded-prefix")
        if not prefix:
            return ""
        peer = _address(connection.client.host if connection.client else "")
        prefix = prefix.rstrip("/")
        is_good = peer is not None and self._trusts(peer) and _PREFIX.fullmatch(prefix)
        return prefix if is_good else ""

    def _trusts(self, address: Address) -> bool:
        return any(address in network for network in self._networks)


def _network(entry: str) -> Network:
    try:
        return ip_network(entry.strip(), strict=False)
    except ValueError as error:
        raise InvalidRequest(
            f"DOCSTEAD_TRUSTED_PROXIES: must be networks such as 10.0.0.0/8, not {entry!r}"
        ) from error


def _address(text: str) -> Address | None:
    """Parse an address with optional brackets and port; mapped IPv4 becomes IPv4."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
