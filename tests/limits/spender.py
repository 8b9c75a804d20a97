"""A process that spends from one bucket: `spender.py URL COUNT`; prints how often it could."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

from docstead.base.errors import RateLimited
from docstead.limits.rate_limits import BucketCharge, RateLimits
from docstead.storage.database import Database
from manual_clock import ManualClock

CHARGES = (
    BucketCharge("organization", 100, 3600, "organization"),
    BucketCharge("address", 1_000, 3600, "address"),
)


def main(url: str, count: str) -> None:
    database = Database(url)
    limits = RateLimits(database, ManualClock(datetime(2026, 11, 21, 12, tzinfo=UTC)))

    def spend(_: int) -> bool:
        try:
            limits.spend(*CHARGES)
        except RateLimited:
            return False
        return True

    print("ready", flush=True)
    sys.stdin.readline()
    with ThreadPoolExecutor(2) as pool:
        print(sum(pool.map(spend, range(int(count)))))
    database.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
