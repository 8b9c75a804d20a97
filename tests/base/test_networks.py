"""IP addresses that only look public."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from docstead.base.errors import InvalidRequest
from docstead.base.networks import is_listed_host, is_public
from docstead.base.outbound import checked_url

PRIVATE = ("127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.0.1")
PUBLIC = "93.184.216.34"


@pytest.mark.parametrize("network", ["2a00:1450:4001::", "2606:4700::"])
@pytest.mark.parametrize("interface", ["5efe", "200:5efe"])
@pytest.mark.parametrize("carried", PRIVATE)
def test_a_tunnel_leads_where_it_carries(network: str, interface: str, carried: str) -> None:
    prefix = network.rstrip(":")
    assert not is_public(ip_address(f"{prefix}::{interface}:{carried}"))
    assert is_public(ip_address(f"{prefix}::{interface}:{PUBLIC}"))


def test_a_mapped_ip_address_is_as_public_as_what_it_carries() -> None:
    assert is_public(ip_address(f"::ffff:{PUBLIC}"))
    for carried in PRIVATE:
        assert not is_public(ip_address(f"::ffff:{carried}"))


@pytest.mark.parametrize("prefix", ["64:ff9b::", "64:ff9b:1::", "::", "2002:a00:1::"])
def test_translated_and_compatible_ip_addresses_are_as_private_as_what_they_carry(
    prefix: str,
) -> None:
    assert not is_public(ip_address(f"{prefix}10.0.0.1"))


def test_listed_hosts_are_named_in_full_or_are_below_a_wildcard() -> None:
    listed = ("docs.example.com", "*.internal.example")
    for host in ("docs.example.com", "a.internal.example", "a.b.internal.example"):
        assert is_listed_host(host, listed)
    for host in ("example.com", "a.docs.example.com", "internal.example", "otherinternal.example"):
        assert not is_listed_host(host, listed)
    assert not is_listed_host("docs.example.com", ())


@pytest.mark.parametrize(
    "text", ["4000::1", "8000::1", "a000::1", "c000::1", "f000::1", "240.0.0.1"]
)
def test_what_nobody_was_given_is_not_public(text: str) -> None:
    assert not is_public(ip_address(text))


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com\\@127.0.0.1/",
        "https://example.com\\path",
        "https://example.com/a\\b",
        "https://example.com/a b",
        "https://example.com/ä",
        "https://example.com/\x7f",
        "https://example.com:0/",
        "https://user@example.com/",
        "https:///path",
        "ftp://example.com/",
    ],
)
def test_what_parsers_read_in_different_ways_is_refused(url: str) -> None:
    with pytest.raises(InvalidRequest):
        checked_url(url)
    assert checked_url("https://example.com/path").hostname == "example.com"
