"""Pages that are named below a page because they are about the same thing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from lxml import html

from docstead.content.config import RelatedSettings, SiteConfig
from docstead.content.pages import PageMeta, Site
from docstead.theme.document import PageShell
from site_builders import group, make_site, meta, page, rendered

Make = Callable[..., PageShell]
AUTOMATIC = SiteConfig("Acme", related=RelatedSettings(automatic=True))
TITLES = {
    "index": "Welcome",
    "keys": "API keys",
    "other": "Colours of a theme",
    "webhooks": "Webhooks",
    "rotate": "Rotating an API key",
    "secrets": "Secrets and webhooks",
    "fonts": "Fonts of a theme",
}


def site(config: SiteConfig = AUTOMATIC, **changes: dict[str, Any]) -> Site:
    metas = {
        slug: replace(meta(slug, title=title, in_navigation=True), **changes.get(slug, {}))
        for slug, title in TITLES.items()
    }
    return make_site(group("All", *(page(slug) for slug in TITLES)), config=config, metas=metas)


def related(shell: PageShell, slug: str) -> list[str | None]:
    document = html.document_fromstring(shell.page(rendered(slug)))
    return [each.get("href") for each in document.cssselect(".ds-related a")]


def test_pages_about_the_same_thing_are_named(shell_of: Make) -> None:
    shell = shell_of(site())
    assert related(shell, "keys") == ["rotate.html"]
    assert related(shell, "other") == ["fonts.html"]
    assert related(shell_of(site(SiteConfig("Acme"))), "keys") == []


def test_neighbours_and_the_home_page_have_links_enough(shell_of: Make) -> None:
    metas = {slug: meta(slug, title="One thing", in_navigation=True) for slug in "abcd"}
    shell = shell_of(make_site(*(page(slug) for slug in "abcd"), config=AUTOMATIC, metas=metas))
    assert related(shell, "b") == ["d.html"]
    assert related(shell, "a") == []


@pytest.mark.parametrize(
    "change",
    [
        {"language": "fr"},
        {"version": "v1"},
        {"noindex": True},
        {"searchable": False},
        {"hidden": True},
        {"groups": ("staff",)},
        {"url": "https://elsewhere.example"},
    ],
)
def test_only_what_the_reader_may_find_is_named(shell_of: Make, change: dict[str, Any]) -> None:
    assert related(shell_of(site(rotate=change)), "keys") == []


def test_an_author_has_the_last_word(shell_of: Make) -> None:
    named = (("", "/fonts"), ("Away", "https://away.example"))
    shell = shell_of(site(keys={"related": named}, rotate={"related": ()}))
    assert related(shell, "keys") == ["fonts.html", "https://away.example"]
    assert related(shell, "rotate") == []


def test_there_are_at_most_so_many(shell_of: Make) -> None:
    metas = {f"p{n}": meta(f"p{n}", title="One thing", in_navigation=True) for n in range(9)}
    config = SiteConfig("Acme", related=RelatedSettings(automatic=True, limit=2))
    shell = shell_of(make_site(*(page(slug) for slug in metas), config=config, metas=metas))
    assert related(shell, "p4") == ["p0.html", "p1.html"]


def test_scripts_without_spaces_are_compared_too(shell_of: Make) -> None:
    titles = {
        "a": "\u306f\u3058\u3081",
        "b": "\u8a8d\u8a3c\u8a2d\u5b9a",
        "c": "\u8272",
        "d": "\u8a8d\u8a3c",
    }
    metas: dict[str, PageMeta] = {
        slug: meta(slug, title=title, in_navigation=True) for slug, title in titles.items()
    }
    shell = shell_of(make_site(*(page(slug) for slug in metas), config=AUTOMATIC, metas=metas))
    assert related(shell, "b") == ["d.html"]
