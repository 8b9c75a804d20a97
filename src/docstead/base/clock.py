"""Time as a dependency. Every datetime in Docstead is aware and in UTC."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Source of the current time."""

    def now(self) -> datetime:
        """Return the current time, aware, in UTC."""
        ...


class SystemClock:
    """Clock of the machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)


def rfc3339(moment: datetime) -> str:
    """Format a time as RFC 3339 in UTC with milliseconds and `Z`, as in all responses."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
