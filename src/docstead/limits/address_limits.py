"""In-memory rate limits per IP address, of bounded size.

They supplement the limits of the interface, which are counted in the database: they reject a single
address cheaply, and are far above the needs of readers. IPv6 addresses are counted by /64 network,
because subscribers have one.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from math import ceil

from docstead.base.errors import RateLimited
from docstead.base.texts import duration

_MOST_COUNTED = 50_000
_SUBSCRIBER_BITS = 64


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """At most `limit` requests of one IP address per window."""

    name: str  # public name, in the RateLimit headers
    limit: int
    window_seconds: int


class AddressLimits:
    """Counts requests by address. The least recent addresses are forgotten. Thread-safe."""

    def __init__(
        self, now: Callable[[], float] = time.time, *, most_counted: int = _MOST_COUNTED
    ) -> None:
        self._now = now
        self._most_counted = most_counted
        self._counts: OrderedDict[tuple[str, str], tuple[int, int]] = OrderedDict()
        self._lock = threading.Lock()

    def spend(self, policy: AddressPolicy, client_ip: str) -> None:
        """Count one request.

        Raises:
            RateLimited: the address has reached its limit.
        """
        now = self._now()
        window, key = int(now // policy.window_seconds), (policy.name, counted_as(client_ip))
        with self._lock:
            counted_in, count = self._counts.pop(key, (window, 0))
            count = count + 1 if counted_in == window else 1
            self._counts[key] = (window, count)
            if len(self._counts) > self._most_counted:
                self._counts.popitem(last=False)
        if count > policy.limit:
            raise _refusal(policy, (window + 1) * policy.window_seconds - now)


def counted_as(client_ip: str) -> str:
    """Return the address, or the /64 network of an IPv6 address."""
    try:
        parsed = ip_address(client_ip)
    except ValueError:
        return client_ip
    if isinstance(parsed, IPv6Address):
        return str(IPv6Address(int(parsed) >> _SUBSCRIBER_BITS << _SUBSCRIBER_BITS))
    return str(parsed)


def _refusal(policy: AddressPolicy, left_seconds: float) -> RateLimited:
    seconds = max(1, ceil(left_seconds))
    return RateLimited(
        f"At most {policy.limit} requests of one IP address in {duration(policy.window_seconds)}. "
        f"Try again in {duration(seconds)}.",
        retry_after_seconds=seconds,
        limit=policy.limit,
        window_seconds=policy.window_seconds,
        policy=policy.name,
    )
