from __future__ import annotations

import pytest

from docstead.repository.frontmatter import split
from docstead.repository.positions import Diagnostics


def test_head_and_body_are_parted() -> None:
    document = split("---\ntitle: Start\nrss: true\n---\n\n# Hi\n", "a.mdx", Diagnostics())

    assert document.fields == {"title": "Start", "rss": True}
    assert document.body == "\n# Hi\n"
    assert document.body_line == 5
    assert str(document.position("rss")) == "a.mdx:3:1"


@pytest.mark.parametrize(
    ("text", "body", "line"),
    [
        ("# Hi\n", "# Hi\n", 1),
        ("", "", 1),
        ("---\n---\nbody", "body", 3),
        ("---\n# only a comment\n---\nbody", "body", 4),
        ("--- \ntitle: A\n---\t\nbody", "body", 4),
        ("---\ntitle: A\n---", "", 3),
        ("text\n---\ntitle: A\n---\n", "text\n---\ntitle: A\n---\n", 1),
        ("---\nJust a rule above, no end", "---\nJust a rule above, no end", 1),
    ],
)
def test_what_counts_as_frontmatter(text: str, body: str, line: int) -> None:
    diagnostics = Diagnostics()
    document = split(text, "a.mdx", diagnostics)

    assert (document.body, document.body_line) == (body, line)
    assert diagnostics.sorted() == ()


def test_a_broken_block_is_a_diagnostic_and_its_plain_lines_still_count() -> None:
    diagnostics = Diagnostics()
    text = "---\ntitle: Setup: first steps\nicon: rocket\nhidden: true\n---\nbody\n"
    document = split(text, "guides/a.mdx", diagnostics)

    (diagnostic,) = diagnostics.sorted()
    assert (diagnostic.file, diagnostic.line, diagnostic.code) == (
        "guides/a.mdx",
        2,
        "frontmatter-syntax",
    )
    assert diagnostic.column > 1
    assert diagnostic.hint
    assert document.fields == {"title": "Setup: first steps", "icon": "rocket", "hidden": True}
    assert document.body == "body\n"


@pytest.mark.parametrize("character", ["\x00", "\x08", "\x0b", "\x1f", "\x7f"])
def test_a_control_character_is_reported_where_it_is(character: str) -> None:
    diagnostics = Diagnostics()
    split(f"---\ntitle: A\n---\n\nA\tb\f\né {character} {character}\n", "a.mdx", diagnostics)

    (diagnostic,) = diagnostics.sorted()
    assert (diagnostic.line, diagnostic.column) == (6, 3)
    assert diagnostic.code == "control-character"
    assert f"U+{ord(character):04X}" in diagnostic.message


def test_a_block_that_never_closes() -> None:
    diagnostics = Diagnostics()
    document = split("---\ntitle: Start\n\nbody\n", "a.mdx", diagnostics)

    assert [diagnostic.code for diagnostic in diagnostics.sorted()] == ["frontmatter-unclosed"]
    assert document.body == "---\ntitle: Start\n\nbody\n"


def test_a_key_that_is_there_twice_is_reported() -> None:
    diagnostics = Diagnostics()
    document = split("---\ntitle: A\nicon: star\ntitle: B\n---\nbody\n", "a.mdx", diagnostics)

    (diagnostic,) = diagnostics.sorted()
    assert (diagnostic.line, diagnostic.code) == (4, "frontmatter-repeated")
    assert document.fields["title"] == "B"


def test_a_block_that_is_a_list() -> None:
    diagnostics = Diagnostics()

    assert split("---\n- a\n- b\n---\n", "a.mdx", diagnostics).fields == {}
    assert [diagnostic.code for diagnostic in diagnostics.sorted()] == ["frontmatter-syntax"]


@pytest.mark.parametrize("quote", ['"', "'"])
def test_an_open_quote_is_named(quote: str) -> None:
    diagnostics = Diagnostics()
    split(f"---\ntitle: {quote}Start\n---\nbody\n", "a.mdx", diagnostics)
    (diagnostic,) = diagnostics.sorted()
    assert diagnostic.hint == "Close the quote at the end of the value."
