"""Fair shares of concurrent jobs, so that no organization delays others."""

from __future__ import annotations


def fair_share(concurrency: int, organizations: int) -> int:
    """Return how many of `concurrency` jobs each of the `organizations` may run.

    A single organization may use all of them, one of several half.
    """
    return concurrency if organizations <= 1 else max(1, concurrency // 2)
