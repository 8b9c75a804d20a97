"""Clock that a test moves."""

from __future__ import annotations

from datetime import datetime


class ManualClock:
    """A clock that stands still until it is moved."""

    def __init__(self, start: datetime) -> None:
        self._now = start

    def now(self) -> datetime:
        return self._now

    def move_to(self, moment: datetime) -> None:
        self._now = moment
