"""Words that the index does not know."""

from __future__ import annotations

import pytest

from docstead.search.spelling import slips, suggestions

KNOWN = {"authentication": 9, "author": 2, "deploy": 5, "deployment": 7, "keys": 3, "kubernetes": 1}


def with_prefix(start: str) -> list[tuple[str, int]]:
    return [(word, count) for word, count in KNOWN.items() if word.startswith(start)]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("authentcation", ["authentication"]),
        ("authentciation", ["authentication"]),
        ("kubernets", ["kubernetes"]),
        ("kubrenetse", ["kubernetes"]),
        ("depl", ["deployment", "deploy"]),
        ("keyz", ["keys"]),
        ("bread", []),
        ("ke", []),
        ("key5", []),
    ],
)
def test_suggestions(typed: str, meant: list[str]) -> None:
    assert suggestions(typed, with_prefix) == meant


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [
        ("same", "same", 0),
        ("cat", "cut", 1),
        ("cat", "cart", 1),
        ("form", "from", 1),
        ("kitten", "sitten", 1),
        ("abcdefgh", "abdcefhg", 2),
        ("abcdefgh", "abxdefyh", 2),
        ("abcdefgh", "zyxwvuts", 3),
    ],
)
def test_slips(one: str, other: str, count: int) -> None:
    assert slips(one, other, 2) == slips(other, one, 2) == count
