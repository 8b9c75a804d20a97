from __future__ import annotations

import pytest

from docstead.repository.positions import Diagnostics, LineIndex
from docstead.repository.reading import check_reading


def found(text: str) -> list[tuple[int, int, str]]:
    diagnostics = Diagnostics()
    check_reading(text, LineIndex("page.mdx", text), diagnostics)
    return [
        (diagnostic.line, diagnostic.column, diagnostic.code) for diagnostic in diagnostics.sorted()
    ]


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
    ("text", "diagnostic"),
    [
        ("See\n ![](plan.png)", (2, 2, "missing-alt")),
        ("![ ](plan.png)", (1, 1, "missing-alt")),
        ('<img\n  src="x.png"\n/>', (1, 1, "missing-alt")),
        ('<img src="x.png" onClick={() => go()} />', (1, 1, "missing-alt")),
        ("### Deep", (1, 1, "heading-jump")),
        ("## One\n\n#### Three", (3, 1, "heading-jump")),
    ],
)
def test_what_keeps_readers_out(text: str, diagnostic: tuple[int, int, str]) -> None:
    assert found(text) == [diagnostic]


@pytest.mark.parametrize(
    ("text", "followed"),
    [
        ("### Deep", "the page's title"),
        ("# One\n\n### Two", "one of level 1"),
        ("## One\n\n#### Three", "one of level 2"),
    ],
)
def test_a_skipped_level_names_what_it_follows(text: str, followed: str) -> None:
    diagnostics = Diagnostics()
    check_reading(text, LineIndex("page.mdx", text), diagnostics)
    (diagnostic,) = diagnostics.sorted()
    assert diagnostic.message.endswith(f" follows {followed}")
