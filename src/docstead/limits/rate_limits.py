"""Exact rate limits, counted in the database.

Windows are fixed and aligned to the clock: an hour is from :00 to :00. Spending is one
upsert per bucket, all in one transaction: either every bucket is charged or, when one of
them is full, none is. Threads, processes and nodes on one database share the count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Any

from sqlalchemy import Connection, Executable, bindparam, delete
from sqlalchemy.dialects import postgresql, sqlite

from docstead.base.clock import Clock
from docstead.base.errors import RateLimited
from docstead.base.units import DAY_SECONDS, HOUR_SECONDS
from docstead.storage.database import Database
from docstead.storage.schema import rate_limits


@dataclass(frozen=True)
class Charge:
    """One use of a bucket that holds `limit` uses per window."""

    bucket: str  # what is counted, such as "assistant:org_0f…"
    limit: int
    window_seconds: int  # at most a day
    policy: str  # the limit's public name, in the RateLimit headers

    def __post_init__(self) -> None:
        if self.limit < 1 or not 0 < self.window_seconds <= DAY_SECONDS:
            raise ValueError(f"not a rate limit: {self}")


@dataclass(frozen=True)
class _Window:
    """The window that a charge falls into."""

    charge: Charge
    start: int  # Unix seconds
    left_seconds: int  # until the next window, at least 1


class RateLimits:
    """Counts uses against their limits."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._upsert = _upsert(sqlite.insert if database.is_sqlite else postgresql.insert)
        self._purged_at = 0.0

    def spend(self, *charges: Charge) -> None:
        """Count one use of each bucket.

        Raises:
            RateLimited: a bucket is full; no other bucket was charged. When several are
                full it tells of the one that stays full the longest.
        """
        now = self._clock.now().timestamp()
        # Everybody locks buckets in the same order, so nobody waits in a circle.
        windows = [_window(charge, now) for charge in sorted(charges, key=lambda c: c.bucket)]
        with self._database.transaction() as connection:
            full = [window for window in windows if not self._spent(connection, window)]
            if full:
                raise _refusal(max(full, key=lambda window: window.left_seconds))
        if abs(now - self._purged_at) > HOUR_SECONDS:
            self._purged_at = now
            self.purge()

    def purge(self) -> None:
        """Forget the windows that are over; `spend` does it once an hour."""
        longest_ago = int(self._clock.now().timestamp()) - DAY_SECONDS
        with self._database.transaction() as connection:
            connection.execute(delete(rate_limits).where(rate_limits.c.window_start < longest_ago))

    def _spent(self, connection: Connection, window: _Window) -> bool:
        charge = window.charge
        values = {"key": charge.bucket, "start": window.start, "limit": charge.limit}
        return connection.execute(self._upsert, values).scalar() is not None


def _upsert(insert: Callable[..., Any]) -> Executable:
    """One more in the bucket's window, if there is room; returns the new count, or nothing."""
    count = rate_limits.c.n
    statement = insert(rate_limits).values(
        bucket=bindparam("key"), window_start=bindparam("start"), n=1
    )
    statement = statement.on_conflict_do_update(
        index_elements=[rate_limits.c.bucket, rate_limits.c.window_start],
        set_={"n": count + 1},
        where=count < bindparam("limit"),
    )
    returning: Executable = statement.returning(count)
    return returning


def _window(charge: Charge, now: float) -> _Window:
    start = int(now // charge.window_seconds) * charge.window_seconds
    return _Window(charge, start, max(1, ceil(start + charge.window_seconds - now)))


def _refusal(window: _Window) -> RateLimited:
    charge = window.charge
    return RateLimited(
        f"at most {charge.limit} requests in {charge.window_seconds} seconds; "
        f"try again in {window.left_seconds}",
        retry_after_seconds=window.left_seconds,
        limit=charge.limit,
        window_seconds=charge.window_seconds,
        policy=charge.policy,
    )
