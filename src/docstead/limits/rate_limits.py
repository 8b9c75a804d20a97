"""Exact rate limits, counted in the database.

Windows slide: uses are counted in sub-windows of a minute (ten minutes for windows of a day), and
count as long as their sub-window overlaps the window. The limit is therefore never exceeded within
any window, and a use expires at most one sub-window late. Spending takes one lock per bucket, in
one transaction: either every bucket is charged or, if one is full, none is. Threads, processes and
nodes of a database share the count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

from sqlalchemy import (
    BigInteger,
    Connection,
    Executable,
    Integer,
    String,
    bindparam,
    delete,
    func,
    literal,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite

from docstead.base.clock import Clock
from docstead.base.errors import RateLimited
from docstead.base.texts import duration
from docstead.base.units import DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS
from docstead.storage.database import Database
from docstead.storage.schema import rate_limits

_PARTS = 60  # in sub-windows, for windows of an hour or less
_PART_OF_LONGER = 10 * MINUTE_SECONDS


@dataclass(frozen=True)
class BucketCharge:
    """One use of a bucket that allows `limit` uses per window."""

    bucket: str  # key of the count, such as "assistant:org_0f…"
    limit: int
    window_seconds: int  # at most a day
    policy: str  # public name, in the RateLimit headers
    refusal: str = ""  # message of the error; by default the limit

    def __post_init__(self) -> None:
        if self.limit < 1 or not 0 < self.window_seconds <= DAY_SECONDS:
            raise ValueError(f"not a rate limit: {self}")

    @property
    def part_seconds(self) -> int:
        """Length of a sub-window."""
        if self.window_seconds > HOUR_SECONDS:
            return _PART_OF_LONGER
        return max(1, self.window_seconds // _PARTS)


@dataclass(frozen=True)
class _ExceededCharge:
    """A charge that exceeds its limit, and the seconds until it is possible."""

    charge: BucketCharge
    left_seconds: int  # at least 1


class RateLimits:
    """Counts uses against their limits. `limits` overrides limits by policy name."""

    def __init__(
        self, database: Database, clock: Clock, limits: Mapping[str, int] | None = None
    ) -> None:
        self._database = database
        self._clock = clock
        self._limits = limits or {}
        self._upsert = _upsert(sqlite.insert if database.is_sqlite else postgresql.insert)
        self._purged_at = 0.0

    def spend(self, *charges: BucketCharge, once: str | None = None) -> None:
        """Count one use of each bucket; with `once`, only the first for this id in a day.

        Raises:
            RateLimited: a bucket is full; no bucket was charged. If several are full, the error is
                that of the one that stays full the longest.
        """
        now = self._clock.now().timestamp()
        # Buckets are always locked in the same order, which prevents deadlocks.
        ordered = sorted(map(self._as_set, charges), key=lambda charge: charge.bucket)
        with self._database.transaction() as connection:
            if once is not None and self._spend(connection, _first_use(once), now) is not None:
                return
            tried = [self._spend(connection, charge, now) for charge in ordered]
            if full := [each for each in tried if each is not None]:
                raise _refusal(max(full, key=lambda each: each.left_seconds))
        if abs(now - self._purged_at) > HOUR_SECONDS:
            self._purged_at = now
            self.purge()

    def purge(self) -> None:
        """Delete counts of past windows; `spend` does it once an hour."""
        oldest = int(self._clock.now().timestamp()) - DAY_SECONDS - _PART_OF_LONGER
        with self._database.transaction() as connection:
            connection.execute(delete(rate_limits).where(rate_limits.c.window_start <= oldest))

    def _as_set(self, charge: BucketCharge) -> BucketCharge:
        limit = self._limits.get(charge.policy)
        return charge if limit is None else replace(charge, limit=limit)

    def _spend(
        self, connection: Connection, charge: BucketCharge, now: float
    ) -> _ExceededCharge | None:
        if not self._database.is_sqlite:  # writing transactions hold the only lock there
            connection.execute(_LOCK, {"key": charge.bucket})
        part = charge.part_seconds
        values = {
            "key": charge.bucket,
            "start": int(now // part) * part,
            "since": int(now) - charge.window_seconds - part,
            "limit": charge.limit,
        }
        if connection.execute(self._upsert, values).scalar() is not None:
            return None
        return _ExceededCharge(charge, max(1, ceil(_free_at(connection, charge, values) - now)))


def _first_use(created: str) -> BucketCharge:
    """Return the charge that only the first of repeated requests can make."""
    return BucketCharge(f"once:{created}", limit=1, window_seconds=DAY_SECONDS, policy="once")


_LOCK = select(func.pg_advisory_xact_lock(func.hashtextextended(bindparam("key", type_=String), 0)))
_COUNTED = (
    rate_limits.c.bucket == bindparam("key", type_=String),
    rate_limits.c.window_start > bindparam("since", type_=BigInteger),
)
_PARTS_IN_USE = (
    select(rate_limits.c.window_start, rate_limits.c.n)
    .where(*_COUNTED)
    .order_by(rate_limits.c.window_start)
)


def _upsert(insert: Callable[..., Any]) -> Executable:
    """Return a statement that increments a sub-window if allowed, and returns the count."""
    counted = select(func.coalesce(func.sum(rate_limits.c.n), 0)).where(*_COUNTED)
    new = select(
        bindparam("key", type_=String), bindparam("start", type_=BigInteger), literal(1, Integer)
    ).where(counted.scalar_subquery() < bindparam("limit", type_=Integer))
    statement = insert(rate_limits).from_select(["bucket", "window_start", "n"], new)
    statement = statement.on_conflict_do_update(
        index_elements=[rate_limits.c.bucket, rate_limits.c.window_start],
        set_={"n": rate_limits.c.n + 1},
    )
    returning: Executable = statement.returning(rate_limits.c.n)
    return returning


def _free_at(connection: Connection, charge: BucketCharge, values: Mapping[str, Any]) -> float:
    """Return when enough uses have left the window for another one."""
    parts = connection.execute(
        _PARTS_IN_USE, {name: values[name] for name in ("key", "since")}
    ).all()
    left = sum(part.n for part in parts)
    leaves = float(values["start"])
    for part in parts:
        left -= part.n
        leaves = part.window_start + charge.part_seconds + charge.window_seconds
        if left < charge.limit:
            break
    return leaves


def _refusal(full: _ExceededCharge) -> RateLimited:
    charge = full.charge
    noun = "request" if charge.limit == 1 else "requests"
    requests = f"At most {charge.limit} {noun} in {duration(charge.window_seconds)}."
    return RateLimited(
        f"{charge.refusal or requests} Try again in {duration(full.left_seconds)}.",
        retry_after_seconds=full.left_seconds,
        limit=charge.limit,
        window_seconds=charge.window_seconds,
        policy=charge.policy,
    )
