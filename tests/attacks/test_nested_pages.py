"""Pages that are nested too deeply for the compiler.

Some overflow its stack, after which it never frees its locks: a few hundred bytes had a worker
wait for its time limit, six times in turn on a busy machine. For others its time doubles with each
level.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from builds import fork_server
from docstead.content.config import SiteConfig
from docstead.content.navigation import Navigation
from docstead.content.pages import Page, PageMeta, Repository, Site
from docstead.markup.rendered import RenderedPage
from docstead.rendering import RenderingEngine

NESTED = {
    "lists": "- " * 5_000 + "x",
    "quotes": ">" * 5_000 + " x",
    "tags": "<b>" * 5_000 + "x" + "</b>" * 5_000,
    "expression": "{" + "!" * 5_000 + "1}",
}
DOUBLING = {
    "elements": "{<b>" * 60 + "x" + "</b>}" * 60,
    "elements that are not closed": "{<b>" * 30 + "x",
    "attributes": "<A b={" * 60 + "1" + "}></A>" * 60,
    "calls": "{" + "a<b>(" * 30 + "1" + ")" * 30 + "}",
}


@pytest.fixture(scope="module")
def pages() -> dict[str, RenderedPage]:
    doubling = {name: f"# Title\n\n{body}\n" for name, body in DOUBLING.items()}
    cards = '<Card title="C" href="/c">\n\n  Text.\n\n</Card>\n\n' * 10_000
    bodies = {**NESTED, **doubling, "cards": cards, "last": "# Last"}
    metas = {slug: PageMeta(slug, f"{slug}.mdx", slug) for slug in bodies}
    found = {slug: Page(metas[slug], body, 1) for slug, body in bodies.items()}
    site = Site(SiteConfig("Test"), Navigation(), metas)
    with RenderingEngine(1, start=fork_server().start_worker) as engine:
        rendered = engine.render(Repository(Path("/nowhere"), site, found, {}, (), ()), [*bodies])
        return {page.slug: page for page in rendered}


@pytest.mark.parametrize("name", NESTED)
def test_a_page_that_is_nested_too_deeply_is_stopped_for_that(
    pages: dict[str, RenderedPage], name: str
) -> None:
    (diagnostic,) = pages[name].diagnostics
    assert diagnostic.code == "page-stopped"
    assert "nested too deeply" in diagnostic.message


def test_a_page_of_too_many_elements_is_not_called_nested(pages: dict[str, RenderedPage]) -> None:
    (diagnostic,) = pages["cards"].diagnostics
    assert diagnostic.code == "page-stopped"
    assert "too many elements" in diagnostic.message


@pytest.mark.parametrize("name", DOUBLING)
def test_a_page_that_would_take_long_is_refused_at_its_line(
    pages: dict[str, RenderedPage], name: str
) -> None:
    (diagnostic,) = pages[name].diagnostics
    assert (diagnostic.code, diagnostic.line) == ("mdx-syntax", 3)
    assert "nested in one another more than 16 times" in diagnostic.message


def test_pages_after_it_are_rendered(pages: dict[str, RenderedPage]) -> None:
    assert pages["last"].html.startswith("<h1")
