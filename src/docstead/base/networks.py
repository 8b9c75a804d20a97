"""Classification of network addresses, against server-side request forgery.

Addresses that are not public belong to the owner's network or to the machine, and several IPv6
forms embed an IPv4 address, which is checked as well. `168.63.129.16` is public by number, but a
cloud metadata service.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

from docstead.base.errors import InvalidRequest

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_NEVER_PUBLIC = tuple(
    map(
        ip_network,
        (
            "168.63.129.16/32",
            "192.0.0.0/24",  # including another cloud's metadata service
            "192.88.99.0/24",  # 6to4 relays
            "198.18.0.0/15",
            "2001:db8::/32",
            "3fff::/20",
            "5f00::/16",
            "fec0::/10",
        ),
    )
)
_NAT64 = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))
_ISATAP = (0x0000_5EFE, 0x0200_5EFE)
_COMPATIBLE = IPv6Network("::/96")


def is_listed_host(host: str, hosts: Iterable[str]) -> bool:
    """Report whether a hostname is listed, or below a listed `*.` name."""
    return any(
        host.endswith(each.removeprefix("*")) if each.startswith("*.") else host == each
        for each in hosts
    )


def parsed_networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """Parse networks in CIDR notation or single addresses. Raises InvalidRequest with the text."""
    found = []
    for text in texts:
        try:
            found.append(ip_network(text.strip()))
        except ValueError as error:
            raise InvalidRequest(f"{text!r} is not a network: {error}") from None
    return tuple(found)


def is_public(address: Address) -> bool:
    """Report whether an address, and each embedded one, is public."""
    return all(_is_public(each) for each in (address, *_carried(address)))


def is_within(address: Address, networks: Iterable[Network]) -> bool:
    """Report whether an address, or its embedded IPv4 address, is in a network."""
    plain = address.ipv4_mapped or address if isinstance(address, IPv6Address) else address
    return any(plain.version == network.version and plain in network for network in networks)


def address_of(text: str) -> Address | None:
    """Parse a hostname that is an IP address; brackets and zones are removed. None otherwise."""
    try:
        return ip_address(text.strip("[]").partition("%")[0])
    except ValueError:
        return None


def _is_public(address: Address) -> bool:
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return True  # classified as the embedded address
    named = any(
        address.version == network.version and address in network for network in _NEVER_PUBLIC
    )
    return address.is_global and not (named or address.is_multicast or address.is_reserved)


def _carried(address: Address) -> Iterator[Address]:
    if isinstance(address, IPv4Address):
        return
    number = int(address)
    last = IPv4Address(number & 0xFFFF_FFFF)
    if address.ipv4_mapped is not None:
        yield address.ipv4_mapped
    if address.sixtofour is not None:
        yield address.sixtofour
    if address.teredo is not None:
        yield from address.teredo
    if any(address in network for network in _NAT64) or address in _COMPATIBLE:
        yield last
    if (number >> 32) & 0xFFFF_FFFF in _ISATAP:
        yield last
