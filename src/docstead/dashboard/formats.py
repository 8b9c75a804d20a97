"""Moments, sizes and durations in words, as the pages show them."""

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
# Messages name the fields of the HTTP interface.
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
    """ "21 Nov 2026, 03:40 UTC"."""
    return f"{when.day} {when:%b %Y, %H:%M} UTC"


def date(when: datetime) -> str:
    """ "21 Nov 2026"."""
    return f"{when.day} {when:%b %Y}"


def ago(when: datetime, now: datetime) -> str:
    """ "3 minutes ago"; the date after a month."""
    seconds = (now - when).total_seconds()
    if seconds >= _MONTH_SECONDS:
        return f"on {date(when)}"
    return "just now" if seconds < MINUTE_SECONDS else f"{span(now - when)} ago"


def span(length: timedelta) -> str:
    """The largest unit that fits: "2 days", "1 hour", "40 minutes"; else "under a minute"."""
    seconds = length.total_seconds()
    for name, unit in _SPANS:
        if seconds >= unit:
            return counted(int(seconds // unit), name)
    return "under a minute"


def left(length: timedelta) -> str:
    """As `span`, to the nearest whole unit: what remains of seven days is not "6 days" at once."""
    unit = next((unit for _, unit in _SPANS if length.total_seconds() >= unit), 0)
    return span(length + timedelta(seconds=unit / 2))


def took(length: timedelta) -> str:
    """ "0.8 s", "42 s", "3 min 5 s"."""
    seconds = length.total_seconds()
    if seconds < 10:  # noqa: PLR2004
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), MINUTE_SECONDS)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def cost(amount: float) -> str:
    """Two decimals, and four below a cent: "1.25", "0.0042", "under 0.0001"."""
    if amount < _SMALLEST_COST:
        return f"under {_SMALLEST_COST:.4f}"
    return f"{amount:.2f}" if amount >= _CENT else f"{amount:.4f}"


def size(size_bytes: int) -> str:
    """ "1.4 MB"; decimal multiples look exact, so these are binary ones with plain names."""
    value = float(size_bytes)
    for unit in ("bytes", "KB", "MB"):
        if value < KIB:
            return f"{size_bytes} bytes" if unit == "bytes" else f"{value:.1f} {unit}"
        value /= KIB
    return f"{value:.1f} GB"


def sentence(message: str) -> str:
    """The message of an error with a capital letter, and names of fields as pages have them."""
    field, colon, rest = message.partition(": ")
    if colon and field in _FIELDS:
        message = f"{_FIELDS[field]}: {rest}" if _FIELDS[field] else rest
    return message[:1].upper() + message[1:]


def without_scheme(url: str) -> str:
    """ "handbook.localhost:8080/docs"."""
    return url.partition("://")[2]


def address(network: str) -> str:
    """A network as people write it: one of a single address is that address."""
    return network.removesuffix("/128" if ":" in network else "/32")


def broken(path: str) -> Markup:
    """A path whose lines may end behind its slashes."""
    return Markup("/<wbr>").join(path.split("/"))
