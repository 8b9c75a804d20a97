"""Pages that overflow the stack of the compiler, which then never frees its locks.

A few hundred bytes had a worker wait for its time limit, six times in turn on a busy machine.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from builds import fork_server
from docstead.content.config import SiteConfig
from docstead.content.navigation import Navigation
from docstead.content.pages import Page, PageMeta, Repository, Site
from docstead.markup.rendered import RenderedPage
from docstead.rendering import Engine

NESTED = {
    "lists": "- " * 5_000 + "x",
    "quotes": ">" * 5_000 + " x",
    "tags": "<b>" * 5_000 + "x" + "</b>" * 5_000,
    "expression": "{" + "!" * 5_000 + "1}",
}


@pytest.fixture(scope="module")
def pages() -> dict[str, RenderedPage]:
    bodies = {**NESTED, "last": "# Last"}
    metas = {slug: PageMeta(slug, f"{slug}.mdx", slug) for slug in bodies}
    found = {slug: Page(metas[slug], body, 1) for slug, body in bodies.items()}
    site = Site(SiteConfig("Test"), Navigation(), metas)
    with Engine(1, start=fork_server().start_worker) as engine:
        rendered = engine.render(Repository(Path("/nowhere"), site, found, {}, (), ()), [*bodies])
        return {page.slug: page for page in rendered}


@pytest.mark.parametrize("name", NESTED)
def test_a_page_that_is_nested_too_deeply_is_stopped_for_that(
    pages: dict[str, RenderedPage], name: str
) -> None:
    (diagnostic,) = pages[name].diagnostics
    assert diagnostic.code == "page-stopped"
    assert "nested too deeply" in diagnostic.message


def test_pages_after_it_are_rendered(pages: dict[str, RenderedPage]) -> None:
    assert pages["last"].html.startswith("<h1")
