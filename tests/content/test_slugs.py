from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docstead.content.config import Seo, SiteConfig
from docstead.content.navigation import Navigation
from docstead.content.pages import PageMeta, Site
from docstead.content.slugs import (
    base_path,
    clean_path,
    find_page,
    find_slug,
    inner_path,
    path_of,
    slug_of,
)

NAMES = st.text(alphabet="abcdefgh-_.0123456789é", min_size=1, max_size=8).filter(
    lambda name: name.strip(".") != "" and not name.endswith((".md", ".mdx")) and name != "index"
)
FILES = st.lists(NAMES, min_size=1, max_size=4).map("/".join)


@pytest.mark.parametrize(
    ("file", "slug", "path"),
    [
        ("index.mdx", "index", "/"),
        ("guides/index.mdx", "guides/index", "/guides"),
        ("guides/start.md", "guides/start", "/guides/start"),
        ("v1.2/notes.mdx", "v1.2/notes", "/v1.2/notes"),
    ],
)
def test_files_slugs_and_urls(file: str, slug: str, path: str) -> None:
    assert slug_of(file) == slug
    assert path_of(slug) == path


@pytest.mark.parametrize(
    "path",
    [
        "/guides/start",
        "guides/start",
        "/guides/start/",
        "/guides/start.mdx",
        "/guides/start.md",
        "/guides/start?x=1",
        "/guides/start#part",
        "/guides/./start",
        "/guides/st%61rt",
    ],
)
def test_every_spelling_finds_the_page(path: str) -> None:
    assert find_slug({"guides/start"}, path) == "guides/start"


@pytest.mark.parametrize("path", ["/", "", "/index", "index.mdx", "/#top"])
def test_the_home_page(path: str) -> None:
    assert find_slug({"index"}, path) == "index"


@pytest.mark.parametrize("path", ["/guides", "/guides/", "guides/index", "/guides/index.mdx"])
def test_index_pages(path: str) -> None:
    assert find_slug({"guides/index"}, path) == "guides/index"
    assert find_slug({"guides"}, path) == "guides"


def test_nothing_is_found_where_nothing_is() -> None:
    assert find_slug({"guides/start"}, "/guides/Start") is None
    assert find_slug({"guides/start"}, "/guides") is None


@given(FILES, st.sampled_from([".mdx", ".md"]))
def test_a_page_is_found_at_its_own_url(file: str, suffix: str) -> None:
    slug = slug_of(file + suffix)

    assert find_slug({slug}, path_of(slug)) == slug
    assert find_slug({slug}, file + suffix) == slug


@given(st.text(max_size=40))
def test_a_clean_path_never_climbs_out(path: str) -> None:
    clean = clean_path(path)

    assert not clean.startswith("/")
    assert ".." not in clean.split("/")


def test_the_base_path_is_that_of_the_canonical_url() -> None:
    config = SiteConfig("Acme", seo=Seo(metatags={"canonical": "https://example.com/docs/"}))

    assert base_path(config) == "/docs"
    assert inner_path(config, "/docs/images/a.png") == "/images/a.png"
    assert inner_path(config, "/docs") == "/"
    assert inner_path(config, "/docsearch") == "/docsearch"
    assert inner_path(SiteConfig("Acme"), "/docs/x") == "/docs/x"


def test_pages_of_a_site() -> None:
    pages = {"guides/index": PageMeta("guides/index", "guides/index.mdx", "Guides")}
    site = Site(SiteConfig("Acme"), Navigation(), pages)

    assert find_page(site, "/guides") == "guides/index"
    assert find_page(site, "/") is None
