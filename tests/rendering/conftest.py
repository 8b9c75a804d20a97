"""Repositories made by hand, and what the real engine makes of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from builds import fork_server
from docstead.content.config import SiteConfig
from docstead.content.navigation import Navigation
from docstead.content.pages import Page, PageMeta, PageModule, Repository, Site
from docstead.markup.rendered import RenderedPage
from docstead.rendering import EngineLimits, RenderingEngine

FIRST_LINE = 5  # of every body, below a frontmatter of four lines

MakeRepository = Callable[..., Repository]
RenderPages = Callable[..., dict[str, RenderedPage]]


@pytest.fixture(scope="session")
def make_repository() -> MakeRepository:
    """Bodies by slug, modules by root-absolute path."""

    def make(
        bodies: Mapping[str, str],
        modules: Mapping[str, str] | None = None,
        assets: tuple[str, ...] = (),
        suffix: str = ".mdx",
        **config: object,
    ) -> Repository:
        settings = SiteConfig("Test", **config)
        metas = {slug: PageMeta(slug, f"{slug}{suffix}", slug) for slug in bodies}
        pages = {slug: Page(metas[slug], body, FIRST_LINE) for slug, body in bodies.items()}
        files = {path: PageModule(path, source) for path, source in (modules or {}).items()}
        return Repository(
            Path("/nowhere"), Site(settings, Navigation(), metas), pages, files, assets, ()
        )

    return make


@pytest.fixture(scope="session")
def render_pages(make_repository: MakeRepository) -> RenderPages:
    """Renders all of a repository by hand: `render_pages({slug: body}, …)`."""

    def render(
        bodies: Mapping[str, str],
        *known: object,
        workers: int = 1,
        limits: EngineLimits | None = None,
        **more: object,
    ) -> dict[str, RenderedPage]:
        repository = make_repository(bodies, *known, **more)
        with RenderingEngine(workers, limits, start=fork_server().start_worker) as engine:
            pages = list(engine.render(repository, list(bodies)))
        assert len(pages) == len(bodies)
        return {page.slug: page for page in pages}

    return render
