"""Markdown that is safe to render, as renderers see it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from docstead.assistant.writing.link_policy import LinkPolicy
from docstead.assistant.writing.markdown_units import MarkdownSplitter
from docstead.assistant.writing.sanitizer import MarkdownSanitizer

SITE = "https://docs.example.com/base"
PAGES = {"/": SITE, "/a": f"{SITE}/a", "/b c": f"{SITE}/b%20c"}
SANITIZER = MarkdownSanitizer(
    LinkPolicy(SITE, PAGES.get, ["*.allowed.example"], ["help@example.com"])
)
RENDERERS = (
    MarkdownIt("commonmark", {"html": True}),
    MarkdownIt("gfm-like", {"html": True, "linkify": True}),
)
ALLOWED = re.compile(
    r"https://docs\.example\.com/base(?:[/#?]|$)|https://x\.allowed\.example/"
    r"|mailto:help@example\.com$"
)
FRAGMENTS = [
    *"[]()<>!`*_|#~.:?&$ \n\\",
    *(
        "](",
        "![",
        "``",
        "```",
        "\n```\n",
        "\n\n",
        "\n> ",
        "\n- ",
        "\n    ",
        "  \n",
        "~~~",
        "\n~~~\n",
    ),
    *("https://evil.example", "//evil.example", "www.evil.example", "evil.com/x", "a@evil.com"),
    *(
        "https&#58;//evil.com",
        "javascript:x",
        "data:text/html,x",
        "mailto:a@evil.com",
        "&lt;",
        "<!--",
    ),
    *(
        "<img src=https://evil.com/x>",
        '<a href="https://evil.com">',
        "[e]: https://evil.com\n",
        "[e]",
    ),
    *("\n| a | b |\n|---|---|\n|", "\n---|---\n", f"{SITE}/a", "/a", "\u200b", "。", "text", "[1]"),
]


def safe(*pieces: str) -> str:
    units = MarkdownSplitter()
    found = [unit for piece in pieces for unit in units.add(piece)]
    return "".join(SANITIZER.safe(unit).markdown for unit in (*found, *units.rest()))


def shown(markdown: str) -> list[str]:
    """URLs of links, and tags that must not be there, in every renderer."""
    found: list[str] = []
    for renderer in RENDERERS:
        page = renderer.render(markdown)
        found += re.findall(r"<(?:img|script|iframe|object)\b[^>]*>", page)
        found += re.findall(r"<a\b[^>]*href=\"([^\"]*)\"", page)
    return found


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=24))
def test_no_image_no_tag_and_no_foreign_link_whatever_is_put_together(pieces: list[str]) -> None:
    assert [each for each in shown(safe(*pieces)) if not ALLOWED.match(each)] == []


@pytest.mark.parametrize(
    ("markdown", "result"),
    [
        ("See [a](/a#x).", f"See [a]({SITE}/a#x)."),
        (f"See [a]({SITE}/a?utm=1#x).", f"See [a]({SITE}/a#x)."),
        ("See [b](</b c>).", f"See [b]({SITE}/b%20c)."),
        ("See [c](/nowhere).", "See c."),
        ("See [d](https://evil.example/x).", "See d."),
        ("See [e](https://docs.example.com@evil.example/).", "See e."),
        ("See [f](https://docs.example.com/other).", "See f."),
        ("See [g](https://x.allowed.example/p).", "See [g](https://x.allowed.example/p)."),
        ("See [h](https://allowed.example/p).", "See h."),
        ("See ![an image](/a).", "See an image."),
        ("See [![an image](https://evil.example)](/a).", f"See [an image]({SITE}/a)."),
        ("See https://evil.example/x, really.", "See `https://evil.example/x`, really."),
        (f"See {SITE}/a.", f"See <{SITE}/a>."),
        ("Ask help@example.com.", "Ask <help@example.com>."),
        ("Press <kbd>.", "Press \\<kbd>."),
        ("Use `a[0](x)` and arr[0].", "Use `a[0](x)` and arr[0]."),
        ("It is 5 < 6 & fine!", "It is 5 < 6 & fine!"),
        ("*This* is **bold**.", "*This* is **bold**."),
    ],
)
def test_words_stay_and_targets_are_decided(markdown: str, result: str) -> None:
    assert safe(markdown) == result


def test_code_is_left_as_it_is_and_closed() -> None:
    assert safe("```js\nlet a = [x](https://evil.example);\n") == (
        "```js\nlet a = [x](https://evil.example);\n```\n"
    )
    assert safe("> ```sh\n> ls\n> ```\n") == "```sh\nls\n```\n"
    assert safe("````md\n```\na\n```\n````\n") == "````md\n```\na\n```\n````\n"
