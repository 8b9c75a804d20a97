"""The client address comes from trusted proxies only."""

from __future__ import annotations

import pytest
from starlette.requests import HTTPConnection

from docstead.api.client_address import ClientAddress
from docstead.base.errors import InvalidRequest

PROXIES = ("10.0.0.0/8", "2001:db8::/32")


def client_address(peer: str | None, *forwarded: str, trusted: tuple[str, ...] = PROXIES) -> str:
    headers = [(b"x-forwarded-for", line.encode()) for line in forwarded]
    client = (peer, 1) if peer is not None else None
    scope = {"type": "http", "headers": headers, "client": client}
    return ClientAddress(trusted).of(HTTPConnection(scope))


@pytest.mark.parametrize(
    ("peer", "forwarded", "expected"),
    [
        ("192.0.2.1", (), "192.0.2.1"),
        ("192.0.2.1", ("203.0.113.5",), "192.0.2.1"),
        ("10.0.0.1", ("203.0.113.5",), "203.0.113.5"),
        ("10.0.0.1", ("1.1.1.1, 203.0.113.5",), "203.0.113.5"),
        ("10.0.0.1", ("1.1.1.1", "203.0.113.5, 10.0.0.7"), "203.0.113.5"),
        ("10.0.0.1", ("10.0.0.2, 10.0.0.3",), "10.0.0.2"),
        ("10.0.0.1", (), "10.0.0.1"),
        ("10.0.0.1", ("",), "10.0.0.1"),
        ("10.0.0.1", ("unknown",), "10.0.0.1"),
        ("10.0.0.1", ("203.0.113.5, garbage",), "10.0.0.1"),
        ("10.0.0.1", ("203.0.113.5:4711",), "203.0.113.5"),
        ("2001:db8::1", ("[2001:4860::7]:443",), "2001:4860::7"),
        ("::ffff:10.0.0.1", ("203.0.113.5",), "203.0.113.5"),
        ("10.0.0.1", ("::ffff:203.0.113.5",), "203.0.113.5"),
        (None, ("203.0.113.5",), "0.0.0.0"),
        ("socket", (), "0.0.0.0"),
    ],
)
def test_the_right_most_untrusted_hop(
    peer: str | None, forwarded: tuple[str, ...], expected: str
) -> None:
    assert client_address(peer, *forwarded) == expected


def test_nobody_is_trusted_by_default() -> None:
    assert client_address("10.0.0.1", "203.0.113.5", trusted=()) == "10.0.0.1"


def test_a_proxy_that_is_no_network_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="DOCSTEAD_TRUSTED_PROXIES: must be networks"):
        ClientAddress(["proxy.internal"])


@pytest.mark.parametrize(
    ("peer", "prefix", "expected"),
    [
        ("10.1.2.3", "/docs", "/docs"),
        ("10.1.2.3", "/a/b/", "/a/b"),
        ("192.0.2.1", "/docs", ""),
        ("10.1.2.3", "docs", ""),
        ("10.1.2.3", "//evil.example", ""),
        ("10.1.2.3", '/d"><script>', ""),
        ("10.1.2.3", "/", ""),
        (None, "/docs", ""),
    ],
)
def test_a_path_in_front_is_believed_from_trusted_proxies(
    peer: str | None, prefix: str, expected: str
) -> None:
    headers = [(b"x-forwarded-prefix", prefix.encode())]
    scope = {"type": "http", "headers": headers, "client": (peer, 1) if peer else None}
    assert ClientAddress(PROXIES).shown_below(HTTPConnection(scope)) == expected
