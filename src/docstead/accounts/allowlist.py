"""IP address allowlists of keys: IPv4, IPv6 and CIDR networks."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    collapse_addresses,
    ip_address,
    ip_network,
)

from docstead.base.errors import InvalidRequest

_MAX_ENTRIES = 100
_MAPPED_BITS = 96  # ::ffff:0:0/96 contains the IPv4 addresses


def checked_allowlist(entries: Iterable[str] | None) -> tuple[str, ...] | None:
    """Return the entries in canonical form; None means every address.

    Raises:
        InvalidRequest: an entry is not an address or network, or the entries together allow
            everyone, such as `0.0.0.0/0` with `::/0`.
    """
    if entries is None:
        return None
    networks = [_network(entry) for entry in entries]
    if not 0 < len(networks) <= _MAX_ENTRIES:
        raise InvalidRequest(f"allowlist: must be 1 to {_MAX_ENTRIES} addresses or networks")
    fourth = [network for network in networks if isinstance(network, IPv4Network)]
    sixth = [network for network in networks if isinstance(network, IPv6Network)]
    if _is_everything(collapse_addresses(fourth)) or _is_everything(collapse_addresses(sixth)):
        raise InvalidRequest("allowlist: must not allow every IP address")
    return tuple(dict.fromkeys(str(network) for network in networks))


def allows(allowlist: tuple[str, ...] | None, client_ip: str | None) -> bool:
    """Report whether the list allows this client; unparsable addresses are never allowed."""
    if allowlist is None:
        return True
    try:
        address = _plain(ip_address(client_ip or ""))
    except ValueError:
        return False
    return any(address in ip_network(entry) for entry in allowlist)


def _is_everything(networks: Iterable[IPv4Network] | Iterable[IPv6Network]) -> bool:
    return any(network.prefixlen == 0 for network in networks)


def _network(entry: str) -> IPv4Network | IPv6Network:
    try:
        network = ip_network(entry.strip())
    except (ValueError, AttributeError) as error:
        raise InvalidRequest(f"allowlist: not an IP address or network: {entry!r}") from error
    mapped = network.network_address.ipv4_mapped if isinstance(network, IPv6Network) else None
    if mapped is not None and network.prefixlen >= _MAPPED_BITS:
        return IPv4Network((mapped, network.prefixlen - _MAPPED_BITS))
    return network


def _plain(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address
