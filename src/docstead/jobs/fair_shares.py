"""Fair shares of the jobs that run at once, so that no organization delays the others."""

from __future__ import annotations


def fair_share(concurrency: int, organizations: int) -> int:
    """Return how many of `concurrency` jobs one of the `organizations` may have under way.

    A single organization may have all of them, each of several half.
    """
    return concurrency if organizations <= 1 else max(1, concurrency // 2)
