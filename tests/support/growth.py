"""Growth of processor time with input size, measured independently of other load."""

from __future__ import annotations

import time
from collections.abc import Callable

_TIMES = 4
_MOST = 9.0  # times the processor time for four times the input; quadratic is 16
_ROUNDS = 12
_NOISE_SECONDS = 0.001


def assert_linear(run: Callable[[int], object], size: int, *, most: float = _MOST) -> None:
    """Raise AssertionError if `run` takes over `most` times the time for four times `size`.

    Both sizes take turns. Other work can only add to a measurement, so the fastest runs count,
    and measuring ends when they are within the limit.
    """
    small = large = float("inf")
    for _ in range(_ROUNDS):
        small = min(small, _seconds(run, size))
        large = min(large, _seconds(run, size * _TIMES))
        if large < most * max(small, _NOISE_SECONDS):
            return
    raise AssertionError(f"{large / small:.1f} times the time for {_TIMES} times the input")


def _seconds(run: Callable[[int], object], size: int) -> float:
    before = time.thread_time()
    run(size)
    return time.thread_time() - before
