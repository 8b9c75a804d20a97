from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from posixpath import dirname, join, normpath

from lxml import html as lxml_html
from lxml.html import HtmlElement

from docstead.content.navigation import NodeKind
from docstead.content.pages import Site
from docstead.theme.document import PageShell
from docstead.theme.sidebar.sidebar import LONG
from site_builders import group, make_site, node, page, rendered

Make = Callable[..., PageShell]


def site_of(groups: int, pages: int) -> Site:
    """Groups of pages, each with one group inside it."""
    return make_site(
        *(
            group(
                f"Group {n}",
                *(page(f"g{n}/p{m}") for m in range(pages)),
                group(f"Inner {n}", *(page(f"g{n}/i{m}") for m in range(4))),
            )
            for n in range(groups)
        )
    )


def links(shell: PageShell, slug: str) -> set[str]:
    """The pages that the sidebar of a page leads to."""
    document = lxml_html.document_fromstring(shell.page(rendered(slug)))
    found = document.xpath("//nav[contains(@class, 'ds-nav')]//a/@href")
    return {normpath(join(dirname(slug), href)).removesuffix(".html") for href in found}


def reached(shell: PageShell, start: str) -> Iterator[str]:
    seen, waiting = {start}, [start]
    while waiting:
        slug = waiting.pop()
        yield slug
        new = links(shell, slug) - seen
        seen |= new
        waiting += new


def test_a_page_does_not_grow_with_the_site(shell_of: Make) -> None:
    small, large = (
        len(gzip.compress(shell_of(site_of(groups, 10)).page(rendered("g1/p1")).encode()))
        for groups in (20, 200)
    )
    assert large - small < 200 * 25  # a closed group's name and the link to its first page


def test_a_short_sidebar_is_whole(shell_of: Make) -> None:
    site = site_of(4, 10)
    assert links(shell_of(site), "g0/p0") == set(site.pages)
    assert not any("sidebar" in path for path in shell_of(site).assets())


def test_every_page_is_reached_without_scripts(shell_of: Make) -> None:
    site = site_of(6, 30)
    assert len(site.pages) > LONG
    assert set(reached(shell_of(site), "g0/p0")) == set(site.pages)


def test_the_page_and_the_groups_around_it_are_open(shell_of: Make) -> None:
    shell = shell_of(site_of(12, 10))
    document: HtmlElement = lxml_html.document_fromstring(shell.page(rendered("g3/i2")))
    (current,) = document.cssselect(".ds-nav [aria-current=page]")
    assert current.get("href") == "../g3/i2.html"
    opened = document.cssselect(".ds-nav details[open] > summary")
    assert [" ".join(each.text_content().split()) for each in opened] == ["Inner 3"]
    assert len(document.cssselect(".ds-nav details[data-more]")) == 11


def test_groups_of_the_first_level_are_open(shell_of: Make) -> None:
    shell = shell_of(site_of(12, 10))
    document: HtmlElement = lxml_html.document_fromstring(shell.page(rendered("g3/i2")))
    titles = [each.text_content().strip() for each in document.cssselect(".ds-nav .sidebar-title")]
    assert titles == [f"Group {n}" for n in range(12)]
    lists = document.cssselect(".ds-nav section[data-group] > ul")
    assert [len(each.cssselect("ul > li > a.sidebar-item")) for each in lists] == [
        14 if n == 3 else 11 for n in range(12)
    ]


def test_large_groups_show_their_first_pages_and_lead_to_the_next(shell_of: Make) -> None:
    shell = shell_of(site_of(15, 20))
    document = lxml_html.document_fromstring(shell.page(rendered("g3/p2")))
    (first, *_), own = (
        document.cssselect(".ds-nav section > ul"),
        "section[data-group] a[data-more]",
    )
    assert len(first.cssselect("li")) == 11
    (more,) = first.cssselect("a[data-more]")
    assert (more.text, more.get("href")) == ("More pages", "../g0/p10.html")
    assert len(document.cssselect(own)) == 14


def test_links_to_more_pages_speak_the_language_of_the_page(shell_of: Make) -> None:
    pages = (page(f"de/p{n}") for n in range(200))
    site = make_site(node(NodeKind.LANGUAGE, "de", group("Anfang", *pages), default=True))
    html = shell_of(site).page(rendered("de/p100"))
    assert html.count(">Weitere Seiten</a>") == 2


def test_a_long_list_without_a_group_can_be_completed(shell_of: Make) -> None:
    site = make_site(*(page(f"p{n}") for n in range(200)))
    shell = shell_of(site)
    document = lxml_html.document_fromstring(shell.page(rendered("p100")))
    (part,) = document.cssselect(".ds-nav section:has(a[data-more])")
    (path,) = [path for path in shell.assets() if "sidebar" in path]
    whole = json.loads(shell.assets()[path].decode().partition("(")[2].rpartition(")")[0])
    (same,) = lxml_html.fragments_fromstring(whole)[:1]
    assert same.get("data-group") == part.get("data-group")
    assert len(same.cssselect("section > ul > li")) == 200


def test_a_long_group_is_a_window_around_the_page(shell_of: Make) -> None:
    site = site_of(1, 600)
    shell = shell_of(site)
    near = links(shell, "g0/p300")
    assert {"g0/p290", "g0/p310"} <= near
    assert len(near) < 60
    assert set(reached(shell, "g0/p300")) == set(site.pages)


def test_one_script_holds_the_whole(shell_of: Make) -> None:
    site = site_of(12, 10)
    shell = shell_of(site)
    (path,) = [path for path in shell.assets() if "sidebar" in path]
    script = shell.assets()[path].decode()
    assert all(f'~/{slug}.html\\"' in script for slug in site.pages)
    assert f'data-whole="../{path}"' in shell.page(rendered("g1/p1"))
