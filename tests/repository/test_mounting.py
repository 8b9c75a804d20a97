"""Redirects that carry the path below which a site is hosted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from docstead.content.pages import Repository
from docstead.repository.redirects import RedirectTable

Load = Callable[..., Repository]
PAGES = {"index.mdx": "# Home", "a/new.mdx": "# New", "a/next.mdx": "[x](/docs/a/new)"}
REDIRECTS = [
    {"source": "/docs/old", "destination": "/docs/a/new#part"},
    {"source": "/docs/older/:rest*", "destination": "/docs/a/:rest*"},
    {"source": "/docs/first", "destination": "/docs"},
    {"source": "/docs/away", "destination": "https://example.org/docs/x"},
]


def led_to(repository: Repository, path: str) -> str | None:
    match = RedirectTable(repository.site.config.redirects).match(path)
    return None if match is None else match.destination


def broken(repository: Repository) -> list[str]:
    return [each.message for each in repository.diagnostics if each.code == "broken-link"]


def test_a_path_that_all_redirects_share_and_no_page_has_is_that_of_the_site(load: Load) -> None:
    repository = load(PAGES, redirects=REDIRECTS)
    assert led_to(repository, "/old") == "/a/new#part"
    assert led_to(repository, "/older/next") == "/a/next"
    assert led_to(repository, "/first") == "/"
    assert led_to(repository, "/away") == "https://example.org/docs/x"
    assert broken(repository) == []


def test_so_is_that_of_the_canonical_url(load: Load) -> None:
    seo = {"metatags": {"canonical": "https://example.com/docs"}}
    repository = load(PAGES, redirects=REDIRECTS[:1], seo=seo)
    assert led_to(repository, "/old") == "/a/new#part"


def kept(load: Load, files: dict[str, str], redirects: list[dict[str, Any]]) -> bool:
    found = load({**PAGES, **files}, redirects=redirects).site.config.redirects
    return [each.source for each in found] == [each["source"] for each in redirects]


def test_redirects_stay_as_they_are_where_it_may_be_a_folder(load: Load) -> None:
    assert kept(load, {"docs/start.mdx": "# Start"}, REDIRECTS)
    assert kept(load, {"docs/logo.png": "png"}, REDIRECTS)
    assert kept(load, {}, REDIRECTS[:2])  # too few to decide
    others = [{"source": f"/x{n}", "destination": "/a/new"} for n in range(2)]
    assert kept(load, {}, REDIRECTS + others)
    nowhere = [{"source": f"/v1/{n}", "destination": f"/v1/gone-{n}"} for n in range(4)]
    assert kept(load, {}, nowhere)
