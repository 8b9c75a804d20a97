from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from lxml import html as lxml_html
from lxml.html import HtmlElement

from docstead.content.config import Seo, SiteConfig
from docstead.content.pages import Site
from docstead.theme.document import PageShell
from docstead.theme.mode import ShellMode
from site_builders import BASE_URL, group, make_site, meta, page, rendered

Make = Callable[..., PageShell]


def head(shell: PageShell, slug: str) -> HtmlElement:
    document: HtmlElement = lxml_html.document_fromstring(shell.page(rendered(slug)))
    return document.head


def content(found: HtmlElement, name: str) -> str | None:
    (*_, last) = [None, *found.cssselect(f'meta[name="{name}"], meta[property="{name}"]')]
    return None if last is None else last.get("content")


def test_a_page_describes_itself(guide_site: Site, shell_of: Make) -> None:
    found = head(shell_of(guide_site), "index")
    assert found.findtext("title") == "Welcome - Acme"
    assert content(found, "description") == "Read this <first>."
    assert content(found, "og:title") == "Welcome - Acme"
    assert content(found, "og:url") == f"{BASE_URL}/"
    assert content(found, "robots") is None
    assert found.cssselect("link[rel=canonical]")[0].get("href") == f"{BASE_URL}/"
    assert found.cssselect("link[type='text/markdown']")[0].get("href") == "index.md"


def test_structured_data_has_the_location_of_the_page(guide_site: Site, shell_of: Make) -> None:
    (script,) = head(shell_of(guide_site), "guides/deep/one").cssselect("script[type*=json]")
    graph = {each["@type"]: each for each in json.loads(script.text_content())["@graph"]}
    names = [each["name"] for each in graph["BreadcrumbList"]["itemListElement"]]
    assert names == ["More", "Nested", "One"]
    assert graph["TechArticle"]["url"] == f"{BASE_URL}/guides/deep/one"


def test_metatags_of_site_and_page_win(shell_of: Make) -> None:
    seo = Seo(metatags={"og:image": "/og.png", "canonical": "https://acme.com/docs", "x": "1"})
    site = make_site(
        group("A", page("a/b")),
        config=SiteConfig("Acme", description="Fallback", seo=seo),
        metas={"a/b": meta("a/b", metatags={"og:title": "Own", "x": "2"})},
    )
    found = head(shell_of(site), "a/b")
    assert content(found, "og:image") == f"{BASE_URL}/og.png"
    assert content(found, "twitter:card") == "summary_large_image"
    assert content(found, "og:title") == "Own"
    assert content(found, "x") == "2"
    assert content(found, "description") == "Fallback"
    assert found.cssselect("link[rel=canonical]")[0].get("href") == "https://acme.com/docs/a/b"


def test_a_page_may_keep_out_of_indexes(guide_site: Site, shell_of: Make) -> None:
    start = meta("guides/start", noindex=True)
    site = replace(guide_site, pages={**guide_site.pages, "guides/start": start})
    found = head(shell_of(site), "guides/start")
    assert content(found, "robots") == "noindex, nofollow"
    assert not found.cssselect("script[type*=json]")


def test_without_a_public_url_nothing_pretends_to_know_it(guide_site: Site, shell_of: Make) -> None:
    found = head(shell_of(guide_site, ShellMode.hosted("/docs")), "guides/start")
    assert not found.cssselect("link[rel=canonical]")
    assert content(found, "og:url") is None
