"""Rate limits for sign-in attempts, which cannot lock out the account's owner.

Browsers in which an owner has signed in before have their own limit. Attempts from other
browsers count against the name, and at most lock out other unknown browsers. One-time links
always work.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address, ip_network

from docstead.base.errors import RateLimited
from docstead.base.units import DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS
from docstead.limits.rate_limits import BucketCharge

DEVICE_SECONDS = 180 * DAY_SECONDS
_WINDOW_SECONDS = 15 * MINUTE_SECONDS
_NAME_LENGTH = 200
_REFUSAL = "Too many attempts."
_STRANGERS_AT_ONCE = 8


class StrangersAtOnce:
    """Attempts from unknown browsers that wait for the hash of a password.

    Attempts from many IP addresses would otherwise take all threads of requests.
    """

    def __init__(self) -> None:
        self._free = threading.BoundedSemaphore(_STRANGERS_AT_ONCE)

    @contextmanager
    def one(self) -> Iterator[None]:
        """Count an attempt while it lasts.

        Raises:
            RateLimited: there are too many others.
        """
        if not self._free.acquire(blocking=False):
            raise RateLimited(
                f"{_REFUSAL} Try again in a few seconds.",
                retry_after_seconds=5,
                limit=_STRANGERS_AT_ONCE,
                window_seconds=1,
                policy="sign-in-at-once",
            )
        try:
            yield
        finally:
            self._free.release()


def of_device(token: str) -> tuple[BucketCharge, ...]:
    digest = hashlib.sha256(token.encode(errors="replace")).hexdigest()
    return (
        BucketCharge(f"sign-in-device:{digest}", 20, _WINDOW_SECONDS, "sign-in-device", _REFUSAL),
    )


def of_client_ip(client_ip: str) -> tuple[BucketCharge, ...]:
    """Return the limits of an IP address, and of the /64 network of an IPv6 address."""
    single = BucketCharge(
        f"sign-in-address:{client_ip}", 20, _WINDOW_SECONDS, "sign-in-address", _REFUSAL
    )
    network = _network(client_ip)
    if network is None:
        return (single,)
    return single, BucketCharge(
        f"sign-in-network:{network}", 200, _WINDOW_SECONDS, "sign-in-network", _REFUSAL
    )


def of_name(name: str) -> BucketCharge:
    return BucketCharge(
        f"sign-in-name:{name[:_NAME_LENGTH]}", 100, HOUR_SECONDS, "sign-in-name", _REFUSAL
    )


def of_confirmation(owner_id: str) -> BucketCharge:
    return BucketCharge(f"confirmation:{owner_id}", 20, _WINDOW_SECONDS, "confirmation", _REFUSAL)


def _network(client_ip: str) -> str | None:
    try:
        parsed = ip_address(client_ip)
    except ValueError:
        return None
    if not isinstance(parsed, IPv6Address):
        return None
    return str(ip_network((parsed, 64), strict=False))
