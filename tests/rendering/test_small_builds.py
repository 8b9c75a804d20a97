"""Results of the engine for builds of one or two pages, with settings of their own."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from docstead.content.config import Seo
from docstead.content.grammars import Grammar
from docstead.content.pages import PageMeta
from docstead.content.style_settings import StylingSettings
from docstead.outputs.feeds import feed_xml
from docstead.rendering import RenderingEngine


def test_an_import_takes_the_base_path_of_the_site_off_its_links(render_pages):
    bodies = {"a": "[x](/docs/b) [y](/docs) [z](/docsy)"}
    canonical = {"canonical": "https://example.com/docs"}
    page = render_pages(bodies, seo=Seo(metatags=canonical))["a"]
    assert [href for href, _, _ in page.link_lines] == ["/b", "/", "/docsy"]


def test_markdown_files_may_hold_html_that_is_not_mdx(render_pages):
    page = render_pages({"a": "# T\n\n<p align=center>x\n\n{braces} and **y**\n"}, suffix=".md")[
        "a"
    ]
    assert not page.failed
    assert "<strong>y</strong>" in page.html


def test_the_feed_of_a_changelog_finds_its_entries(render_pages):
    body = (
        '<Update label="May" rss={{ title: "One & all", description: "Said" }}>\n## A\n</Update>'
        "\n\n"
        '<Update label="April">\n## B\n\nText.\n</Update>'
    )
    page = render_pages({"a": body})["a"]
    feed = feed_xml(PageMeta("a", "a.mdx", "A"), page, site="S", url="https://a", root="")
    assert "<title>One &amp; all</title><link>https://a#may</link>" in feed
    assert "<title>B</title>" in feed
    assert "<title>A</title>" not in feed


@pytest.mark.parametrize("latex", [None, False, True])
def test_the_site_may_say_whether_dollars_are_formulas(render_pages, latex):
    bodies = {"plain": "It is $5 for $x$ and more.", "formula": r"It is $\frac{1}{2}$ here."}
    pages = render_pages(bodies, styling=StylingSettings(latex=latex))
    assert ("<math" in pages["plain"].html) is (latex is True)
    assert ("<math" in pages["formula"].html) is (latex is not False)


def test_code_in_a_language_of_the_repository(make_repository):
    flow = {
        "name": "flow",
        "scopeName": "source.flow",
        "patterns": [
            {"match": r"\bstep\b", "name": "keyword.flow"},
            {"match": "(x+x+)+y", "name": "comment.flow"},
        ],
    }
    grammar = Grammar("flow.json", ("flow",), "source.flow", json.dumps(flow))
    bodies = {
        "a": "```flow\nstep <1>\n```\n\n```python\na = 1\n```",
        "b": f"```flow\n{'x' * 80}\n```",
    }
    repository = replace(make_repository(bodies), grammars=(grammar,))
    with RenderingEngine(1) as engine:
        pages = {page.slug: page for page in engine.render(repository, list(bodies))}
    assert '<span class="k">step</span> &lt;1&gt;' in pages["a"].html
    assert '<span class="m">1</span>' in pages["a"].html
    assert pages["a"].diagnostics == ()
    assert f">{'x' * 80}<" in pages["b"].html
    (diagnostic,) = pages["b"].diagnostics
    assert (diagnostic.code, diagnostic.file) == ("grammar-failed", "b.mdx")


@pytest.mark.parametrize(
    ("body", "line", "column"),
    [
        ("Text.\n\nMore {[].first.name} here.\n", 3, 6),
        ("```\n{x}\n```\n\nexport const a = () => nothing();\n\nText {a()}\n", 5, 1),
        ("{1 + 1}\n\n{(() => { throw new Error('no rates') })()}\n\n{2}\n", 3, 9),
        ("{(() => {\n  const a = 1;\n  throw new Error('no rates')\n})()}\n", 3, 3),
        ("{1 + 1}\n\n{(() => { const n = 3; throw new Error(`no ${n} rates`) })()}\n", 3, 9),
    ],
)
def test_errors_of_code_name_its_line(render_pages: Any, body: str, line: int, column: int) -> None:
    found = render_pages({"a": body})["a"].diagnostics
    (diagnostic,) = (each for each in found if each.code in ("render-error", "unknown-name"))
    first_line = 5  # of the bodies of these tests
    assert (diagnostic.line, diagnostic.column) == (first_line + line - 1, column), str(diagnostic)


def test_a_brace_is_escaped_by_a_brace(render_pages: Any) -> None:
    (diagnostic,) = render_pages({"a": "A { stands alone.\n"})["a"].diagnostics
    assert diagnostic.hint == "Write \\{, or use inline code."


def test_unknown_names_become_text_however_often_they_stand(render_pages: Any) -> None:
    often = "\n\n".join(f"Say {{word}} and {{ word.strip() }} {at}." for at in range(60))
    listed = "{['a'].map((word) => <b>{word}</b>)}"
    page = render_pages({"a": f"{listed}\n\n{often}\n"})["a"]
    assert not page.failed
    assert "<b>a</b>" in page.html
    assert page.html.count("{word}") == page.html.count("{ word.strip() }") == 60
    assert len(page.diagnostics) == 120
