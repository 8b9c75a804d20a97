"""Moments, spans and sizes in words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from docstead.base.texts import counted
from docstead.dashboard import formats

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("back", "text"),
    [
        (timedelta(seconds=5), "just now"),
        (timedelta(seconds=-5), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(minutes=59, seconds=59), "59 minutes ago"),
        (timedelta(hours=30), "1 day ago"),
        (timedelta(days=29), "29 days ago"),
        (timedelta(days=51), "on 1 Oct 2026"),
    ],
)
def test_ago(back: timedelta, text: str) -> None:
    assert formats.ago(NOW - back, NOW) == text


@pytest.mark.parametrize(
    ("length", "text"),
    [
        (timedelta(days=7), "7 days"),
        (timedelta(days=7, seconds=-1), "7 days"),
        (timedelta(days=1, hours=11), "1 day"),
        (timedelta(hours=1, minutes=50), "2 hours"),
        (timedelta(seconds=30), "under a minute"),
    ],
)
def test_left(length: timedelta, text: str) -> None:
    assert formats.left(length) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.84, "0.8 s"), (42.2, "42 s"), (59.7, "1 min 0 s"), (185, "3 min 5 s")],
)
def test_took(seconds: float, text: str) -> None:
    assert formats.took(timedelta(seconds=seconds)) == text


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 bytes"),
        (1023, "1023 bytes"),
        (1536, "1.5 KB"),
        (5_000_000, "4.8 MB"),
        (3 << 30, "3.0 GB"),
    ],
)
def test_size(size: int, text: str) -> None:
    assert formats.size(size) == text


def test_moment() -> None:
    assert formats.moment(NOW) == "21 Nov 2026, 12:00 UTC"
    assert counted(1, "page") == "1 page"
    assert counted(1204, "page") == "1,204 pages"


@pytest.mark.parametrize(
    ("network", "text"),
    [
        ("203.0.113.7/32", "203.0.113.7"),
        ("10.0.0.0/8", "10.0.0.0/8"),
        ("2001:db8::1/128", "2001:db8::1"),
        ("2001:db8::/32", "2001:db8::/32"),
    ],
)
def test_url_of_a_page(network: str, text: str) -> None:
    assert formats.network(network) == text
