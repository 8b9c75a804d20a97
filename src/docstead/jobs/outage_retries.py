"""Retries during outages of the database or object store, so that jobs do not fail."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import count
from typing import Protocol, TypeVar

from docstead.base.errors import OUTAGES, ObjectsUnreachable
from docstead.base.units import MINUTE_SECONDS

T = TypeVar("T")

_WAITS_SECONDS = (0.25, 0.5, 1.0, 2.0, 3.0)  # the last delay is repeated
_OBJECTS_SECONDS = 10.0 * MINUTE_SECONDS


class KeepTrying(Protocol):
    """Calls a function until it is not interrupted by an outage; it may run more than once."""

    def __call__(self, function: Callable[[], T]) -> T: ...


def try_once(function: Callable[[], T]) -> T:
    """Call a function once, for callers that handle outages themselves."""
    return function()


def keep_trying(function: Callable[[], T], wait: Callable[[float], object]) -> T:
    """Call a function, retrying after each outage of a store, and return its result.

    `wait` sleeps for some seconds, and raises to stop the job. An unavailable database is waited
    for indefinitely, because no failure could be recorded.

    Raises:
        ObjectsUnreachable: the object store was unavailable for ten minutes.
    """
    began = time.monotonic()
    for tries in count():
        try:
            return function()
        except OUTAGES as error:
            is_over = time.monotonic() - began > _OBJECTS_SECONDS
            if isinstance(error, ObjectsUnreachable) and is_over:
                raise
        wait(_WAITS_SECONDS[min(tries, len(_WAITS_SECONDS) - 1)])
    raise AssertionError("it is tried without end")
