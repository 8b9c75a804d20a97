from __future__ import annotations

import pytest

from docstead.accounts.allowlist import allows, checked_allowlist
from docstead.base.errors import InvalidRequest


@pytest.mark.parametrize(
    ("entries", "kept"),
    [
        (["192.0.2.7"], ("192.0.2.7/32",)),
        ([" 10.0.0.0/8 ", "10.0.0.0/8"], ("10.0.0.0/8",)),
        (["2001:DB8::1"], ("2001:db8::1/128",)),
        (["2001:db8::/32", "192.0.2.0/24"], ("2001:db8::/32", "192.0.2.0/24")),
        (["::ffff:192.0.2.0/120"], ("192.0.2.0/24",)),
    ],
)
def test_entries_are_kept_in_canonical_form(entries: list[str], kept: tuple[str, ...]) -> None:
    assert checked_allowlist(entries) == kept


def test_no_list_stays_no_list() -> None:
    assert checked_allowlist(None) is None


@pytest.mark.parametrize(
    "entries",
    [
        ["0.0.0.0/0"],
        ["::/0"],
        ["192.0.2.1", "0.0.0.0/0"],
        ["0.0.0.0/1", "128.0.0.0/1"],
        ["::ffff:0:0/96"],
        [],
        [""],
        ["example.com"],
        ["10.0.0.1/8"],
        ["10.0.0.0/33"],
        ["1.2.3"],
        ["192.0.2.1"] * 101,
        [7],
    ],
)
def test_bad_lists_are_refused(entries: list[str]) -> None:
    with pytest.raises(InvalidRequest, match=r"^allowlist:"):
        checked_allowlist(entries)


@pytest.mark.parametrize(
    ("allowlist", "client_ip", "allowed"),
    [
        (None, "203.0.113.9", True),
        (None, None, True),
        (("192.0.2.0/24",), "192.0.2.255", True),
        (("192.0.2.0/24",), "192.0.3.0", False),
        (("192.0.2.0/24",), "::ffff:192.0.2.1", True),
        (("192.0.2.0/24", "2001:db8::/32"), "2001:db8:ffff::1", True),
        (("2001:db8::/32",), "2001:db9::1", False),
        (("2001:db8::/32",), "192.0.2.1", False),
        (("192.0.2.0/24",), None, False),
        (("192.0.2.0/24",), "", False),
        (("192.0.2.0/24",), "testclient", False),
    ],
)
def test_who_is_let_in(allowlist, client_ip: str | None, allowed: bool) -> None:
    assert allows(allowlist, client_ip) is allowed
