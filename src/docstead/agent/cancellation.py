"""Conditions that end a call of the model before the model does."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from docstead.base.errors import StoreUnavailable
from docstead.jobs import JobContext

_GRACE_SECONDS = 7.0  # of the ten that the service waits for the steps under way


class TurnCancelled(Exception):
    """Somebody asked for the end of the turn."""


class CallWatch:
    """Called now and then during one call.

    A service that stops lets an answer arrive that is nearly there, since it is paid for;
    one that takes longer is asked for again after the next start.
    """

    def __init__(self, context: JobContext, is_cancelled: Callable[[], bool]) -> None:
        self._context = context
        self._is_cancelled = is_cancelled
        self._stopping_since: float | None = None

    def __call__(self) -> None:
        with suppress(StoreUnavailable):  # the answer is waited for meanwhile
            if self._is_cancelled():
                raise TurnCancelled
        if not self._context.is_stopping:
            return
        if self._stopping_since is None:
            self._stopping_since = time.monotonic()
        if time.monotonic() - self._stopping_since > _GRACE_SECONDS:
            self._context.raise_if_stopping()
