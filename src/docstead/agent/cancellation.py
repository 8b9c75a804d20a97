"""Conditions that abort a model call."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from docstead.base.errors import StoreUnavailable
from docstead.jobs import JobContext

_GRACE_SECONDS = 7.0  # of the ten seconds that a shutdown waits for steps in progress


class CallCancelled(Exception):
    """Cancellation of the turn was requested."""


class CallWatch:
    """Callback during a model call.

    On shutdown, a response that is nearly complete is awaited because it is paid for; otherwise the
    call is repeated after the next start.
    """

    def __init__(self, context: JobContext, is_cancelled: Callable[[], bool]) -> None:
        self._context = context
        self._is_cancelled = is_cancelled
        self._stopping_since: float | None = None

    def __call__(self) -> None:
        with suppress(StoreUnavailable):  # the response may still arrive
            if self._is_cancelled():
                raise CallCancelled
        if not self._context.is_stopping:
            return
        if self._stopping_since is None:
            self._stopping_since = time.monotonic()
        if time.monotonic() - self._stopping_since > _GRACE_SECONDS:
            self._context.raise_if_stopping()
