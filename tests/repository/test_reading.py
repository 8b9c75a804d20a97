from __future__ import annotations

import pytest

from docstead.repository.places import Faults, Lines
from docstead.repository.reading import check_reading


def found(text: str) -> list[tuple[int, int, str]]:
    faults = Faults()
    check_reading(text, Lines("page.mdx", text), faults)
    return [(fault.line, fault.column, fault.code) for fault in faults.sorted()]


@pytest.mark.parametrize(
    "text",
    [
        "![A plan of the house](plan.png)",
        '<img src="x.png" alt="" />',
        '<img alt={words} src="x.png">',
        "<img {...props} />",
        '<img aria-hidden="true" src="x.png" />',
        "## One\n\n### Two\n\n## Three\n\n### Four",
        "# One\n\n## Two",
        "#no heading\n\n####### nor this",
    ],
)
def test_what_everyone_can_read(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("See\n ![](plan.png)", (2, 2, "missing-alt")),
        ("![ ](plan.png)", (1, 1, "missing-alt")),
        ('<img\n  src="x.png"\n/>', (1, 1, "missing-alt")),
        ('<img src="x.png" onClick={() => go()} />', (1, 1, "missing-alt")),
        ("### Deep", (1, 1, "heading-jump")),
        ("## One\n\n#### Three", (3, 1, "heading-jump")),
    ],
)
def test_what_keeps_readers_out(text: str, fault: tuple[int, int, str]) -> None:
    assert found(text) == [fault]
