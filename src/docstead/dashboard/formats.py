"""Dates, sizes and durations as displayed text."""

from __future__ import annotations

from datetime import datetime, timedelta

from markupsafe import Markup

from docstead.base.texts import counted
from docstead.base.units import DAY_SECONDS, HOUR_SECONDS, KIB, MINUTE_SECONDS

_SPANS = (
    ("day", DAY_SECONDS),
    ("hour", HOUR_SECONDS),
    ("minute", MINUTE_SECONDS),
)
# Labels for field names of the HTTP API in error messages.
_FIELDS = {
    "prompt": "Instruction",
    "attachments": "Files",
    "version": "Version",
    "text": "Comment",
    "url": "URL",
    "fp": "Identifier",
    "threadId": "",
    "domain": "",
    "projectId": "",
}
_CENT = 0.01
_SMALLEST_COST = 0.0001
_MONTH_SECONDS = 30 * DAY_SECONDS


def moment(when: datetime) -> str:
    """Return a date and time, such as "21 Nov 2026, 03:40 UTC"."""
    return f"{when.day} {when:%b %Y, %H:%M} UTC"


def date(when: datetime) -> str:
    """Return a date, such as "21 Nov 2026"."""
    return f"{when.day} {when:%b %Y}"


def ago(when: datetime, now: datetime) -> str:
    """Return the age, such as "3 minutes ago", or the date after a month."""
    seconds = (now - when).total_seconds()
    if seconds >= _MONTH_SECONDS:
        return f"on {date(when)}"
    return "just now" if seconds < MINUTE_SECONDS else f"{span(now - when)} ago"


def span(length: timedelta) -> str:
    """Return a duration in its largest unit, such as "2 days" or "40 minutes"."""
    seconds = length.total_seconds()
    for name, unit in _SPANS:
        if seconds >= unit:
            return counted(int(seconds // unit), name)
    return "under a minute"


def left(length: timedelta) -> str:
    """Return the remaining time as `span` does, but rounded to the nearest unit."""
    unit = next((unit for _, unit in _SPANS if length.total_seconds() >= unit), 0)
    return span(length + timedelta(seconds=unit / 2))


def took(length: timedelta) -> str:
    """Return an elapsed time, such as "0.8 s", "42 s" or "3 min 5 s"."""
    seconds = length.total_seconds()
    if seconds < 10:  # noqa: PLR2004
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), MINUTE_SECONDS)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def cost(amount: float) -> str:
    """Return an amount with two decimals, or four below 0.01, such as "1.25" or "0.0042"."""
    if amount < _SMALLEST_COST:
        return f"under {_SMALLEST_COST:.4f}"
    return f"{amount:.2f}" if amount >= _CENT else f"{amount:.4f}"


def size(size_bytes: int) -> str:
    """Return a size in binary multiples with the usual units, such as "1.4 MB"."""
    value = float(size_bytes)
    for unit in ("bytes", "KB", "MB"):
        if value < KIB:
            return f"{size_bytes} bytes" if unit == "bytes" else f"{value:.1f} {unit}"
        value /= KIB
    return f"{value:.1f} GB"


def sentence(message: str) -> str:
    """Return an error message capitalized, with field names replaced by their labels."""
    field, colon, rest = message.partition(": ")
    if colon and field in _FIELDS:
        message = f"{_FIELDS[field]}: {rest}" if _FIELDS[field] else rest
    return message[:1].upper() + message[1:]


def without_scheme(url: str) -> str:
    """Return a URL without its scheme, such as "handbook.localhost:8080/docs"."""
    return url.partition("://")[2]


def network(cidr: str) -> str:
    """Return a network in CIDR notation, or the bare IP address of a single host."""
    return cidr.removesuffix("/128" if ":" in cidr else "/32")


def broken(path: str) -> Markup:
    """Return a path with line-break opportunities after its slashes."""
    return Markup("/<wbr>").join(path.split("/"))
