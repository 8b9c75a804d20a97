from __future__ import annotations

import pytest

from docstead.base.errors import RateLimited
from docstead.limits.address_limits import AddressLimits, AddressPolicy, counted_as

POLICY = AddressPolicy("address", 2, 60)


def test_windows_are_counted_by_ip_address_and_end() -> None:
    moments = iter([0.0, 1.0, 2.0, 2.0, 61.0])
    limits = AddressLimits(lambda: next(moments))
    limits.spend(POLICY, "192.0.2.1")
    limits.spend(POLICY, "192.0.2.1")
    with pytest.raises(RateLimited) as raised:
        limits.spend(POLICY, "192.0.2.1")
    refused = raised.value
    assert refused.retry_after_seconds == 58
    assert (refused.limit, refused.window_seconds, refused.policy) == (2, 60, "address")
    assert str(refused) == (
        "At most 2 requests of one IP address in 1 minute. Try again in 58 seconds."
    )
    limits.spend(POLICY, "192.0.2.2")
    limits.spend(POLICY, "192.0.2.1")


def test_a_refusal_names_a_second_at_least() -> None:
    limits = AddressLimits(lambda: 59.9)
    for _ in range(POLICY.limit):
        limits.spend(POLICY, "192.0.2.1")
    with pytest.raises(RateLimited) as raised:
        limits.spend(POLICY, "192.0.2.1")
    assert raised.value.retry_after_seconds == 1


def test_a_new_window_begins_with_one() -> None:
    moments = iter([0.0, 0.0, 60.0, 60.0, 60.0])
    limits = AddressLimits(lambda: next(moments))
    for _ in range(4):
        limits.spend(POLICY, "192.0.2.1")
    with pytest.raises(RateLimited):
        limits.spend(POLICY, "192.0.2.1")


def test_the_least_recent_ip_address_is_forgotten() -> None:
    limits = AddressLimits(lambda: 0.0, most_counted=2)
    for ip_address in ("192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.3"):
        limits.spend(POLICY, ip_address)
    with pytest.raises(RateLimited):
        limits.spend(POLICY, "192.0.2.1")
    for _ in range(POLICY.limit):
        limits.spend(POLICY, "192.0.2.2")


def test_the_store_is_bounded() -> None:
    limits = AddressLimits(lambda: 0.0, most_counted=3)
    for number in range(1000):
        limits.spend(POLICY, f"2001:db8:0:{number:x}::1")
    assert len(limits._counts) == 3
    assert AddressLimits()._most_counted == 50_000


@pytest.mark.parametrize(
    ("ip_address", "expected"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::", "2001:db8:1:2::"),
        ("2001:db8:1:3:8000::1", "2001:db8:1:3::"),
        ("", ""),
    ],
)
def test_ipv6_is_counted_by_64(ip_address: str, expected: str) -> None:
    assert counted_as(ip_address) == expected
