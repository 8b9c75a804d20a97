"""Texts that grow, for functions that read one."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from docstead.content.pages import Section
from docstead.markup.sections import PageBody
from docstead.markup.svg import clean_svg
from docstead.repository.markdown_text import without_code
from docstead.search.chunks import split_section
from docstead.search.documents import SearchDocument
from docstead.search.index_writer import build


def index_sections(make: Callable[[int], tuple[str, str]]) -> Callable[[int], object]:
    """Index one page of so many sections; `make` gives heading and text of each."""

    def run(size: int) -> object:
        rows = (make(n) for n in range(size))
        found = tuple(Section(f"a{n}", (head,), text) for n, (head, text) in enumerate(rows))
        return _indexed([SearchDocument("a", "A", found)])

    return run


def index_text(piece: str) -> Callable[[int], object]:
    return lambda size: _indexed([SearchDocument("a", "A", (Section("", (), piece * size),))])


def index_pages(size: int) -> object:
    return _indexed(
        [SearchDocument(f"p{n}", f"P{n}", (Section("", (), f"Text {n}."),)) for n in range(size)]
    )


def _indexed(documents: list[SearchDocument]) -> None:
    with tempfile.TemporaryDirectory() as name:
        build(documents, Path(name) / "index")


def _text(read: Callable[[str], object], piece: str, end: str = "") -> Callable[[int], object]:
    return lambda size: read(piece * size + end)


TEXTS: dict[str, tuple[int, Callable[[int], object]]] = {
    **{
        f"code marks {piece!r}": (2_000, _text(without_code, piece))
        for piece in ("`", "``` ", "```\n", "` ``", "<!--", "{/*", "<code>")
    },
    **{
        f"svg {piece!r}": (500, _text(clean_svg, piece, "</svg>"))
        for piece in ("<svg>", "<svg ", "<g>", "<a b='", "<!--", "<![CDATA[", "&a;", "<style>")
    },
    **{
        f"sections of {piece!r}": (500, _text(lambda html: PageBody(html).sections(), piece))
        for piece in ("<h2 id='a'>x</h2>", "<p>", "<ul><li>", "<table><tr><td>", "<pre>", "<div>")
    },
    **{
        f"passages of {piece!r}": (1_000, _text(split_section, piece))
        for piece in ("word ", "- a\n", "a\n\n", "```\n", "| a |\n", "x", "a. ", "    a\n", "\n",
                      "1. a\n\n   b\n\n", "`", "#", "**a:** ")
    },
    "index of pages": (500, index_pages),
    "index of sections": (500, index_sections(lambda n: (f"h{n}", f"Text {n}."))),
    "index of sections without text": (500, index_sections(lambda n: (f"h{n}", ""))),
    "index of one heading": (500, index_sections(lambda _: ("h", "Text."))),
    **{
        f"index of {piece!r}": (2_000, index_text(piece))
        for piece in ("word ", "x", "a-b_c.", "aB", "漢字", "`a.b()` ", "'s ", "\u0301", "1.2.")
    },
}  # fmt: skip
