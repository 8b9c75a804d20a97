"""URLs that a browser would read as something else than a path of the site."""

from __future__ import annotations

from html import escape
from urllib.parse import quote

import pytest

from docstead.theme.links import SiteLinks, marked
from docstead.theme.mode import ShellMode
from docstead.theme.sidebar.sidebar import page_link
from script_injections import SCRIPT_URLS
from site_builders import BASE_URL, group, make_site, page

SITE = make_site(group("All", page("index"), page("guides/start")))


@pytest.mark.parametrize("slug", ["index", "guides/start"])
def test_no_path_turns_into_a_scheme(slug: str) -> None:
    links = SiteLinks(SITE, ShellMode.bundle(BASE_URL))
    for url in SCRIPT_URLS:
        resolved = links.resolve(marked(url), slug)
        read = "".join(char for char in resolved if ord(char) > 32).lower()
        assert not read.startswith(("javascript:", "vbscript:", "data:")), url


def test_a_path_with_a_colon_stays_a_path() -> None:
    links = SiteLinks(SITE, ShellMode.bundle(BASE_URL))
    assert links.resolve(marked("/a:b"), "index") == "./a:b"
    assert links.resolve(marked("/a:b"), "guides/start") == ".././a:b"


@pytest.mark.parametrize("slug", ["with space/my page", "a+b/c&d", "指南/开始"])
def test_pages_of_any_name_are_found(slug: str) -> None:
    links = SiteLinks(
        make_site(group("All", page("index"), page(slug))), ShellMode.bundle(BASE_URL)
    )
    expected = quote(f"{slug}.html")
    for written in (page_link(slug), marked(f"/{slug}"), escape(marked(f"/{slug}"))):
        assert links.resolve(f'"{written}"', "index") == f'"{expected}"'


@pytest.mark.parametrize(("mode", "found"), [
    (ShellMode.bundle(BASE_URL), "../index.html#part"),
    (ShellMode.hosted("/docs", BASE_URL), "/docs/#part"),
])  # fmt: skip
def test_the_root_of_a_site_whose_home_has_another_name(mode: ShellMode, found: str) -> None:
    links = SiteLinks(make_site(group("All", page("home"), page("guides/start"))), mode)
    assert links.resolve(marked("/#part"), "guides/start") == found
