from __future__ import annotations

import base64
import hashlib
import re
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from lxml import html as lxml_html
from lxml.html import HtmlElement

from docstead.content.config import (
    Appearance,
    Banner,
    Footer,
    LinkColumn,
    LinkItem,
    Logo,
    Navbar,
    NotFoundPage,
    Redirect,
    SiteConfig,
    ThemedValue,
)
from docstead.content.pages import Site
from docstead.markup.rendered import LINK_MARK, Heading
from docstead.theme.document import PageShell
from docstead.theme.mode import ShellMode
from site_builders import BASE_URL, group, make_site, meta, page, rendered

Make = Callable[..., PageShell]


def parse(html: str) -> HtmlElement:
    assert LINK_MARK not in html
    return lxml_html.document_fromstring(html)


def hrefs(document: HtmlElement, selector: str) -> list[str]:
    return [link.get("href") for link in document.cssselect(f"{selector} a[href]")]


def test_a_page_has_its_title_body_and_neighbours(guide_site: Site, shell_of: Make) -> None:
    document = parse(shell_of(guide_site).page(rendered("guides/start", "<p>Hello</p>")))
    assert document.cssselect("h1")[0].text_content() == "Start"
    assert document.cssselect("#content p")[0].text_content() == "Hello"
    assert document.cssselect("[rel=prev]")[0].get("href") == "../index.html"
    assert document.cssselect("[rel=next]")[0].get("href") == "../guides/deep/one.html"


def test_the_sidebar_marks_the_page_and_opens_the_groups_around_it(
    guide_site: Site, shell_of: Make
) -> None:
    shell = shell_of(guide_site)
    deep = parse(shell.page(rendered("guides/deep/two")))
    (current,) = deep.cssselect("#sidebar [aria-current=page]")
    assert current.get("href") == "../../guides/deep/two.html"
    assert deep.cssselect("#sidebar details[open]")
    home = parse(shell.page(rendered("index")))
    assert [e.get("href") for e in home.cssselect("[aria-current=page]")] == ["index.html"]
    assert not home.cssselect("#sidebar details[open]")


def test_a_page_outside_the_navigation_still_has_a_sidebar(
    guide_site: Site, shell_of: Make
) -> None:
    document = parse(shell_of(guide_site).page(rendered("loose")))
    assert "guides/start.html" in hrefs(document, "#sidebar")
    assert not document.cssselect("[aria-current=page]")


def test_a_bundle_asks_for_nothing_by_an_absolute_url(guide_site: Site, shell_of: Make) -> None:
    body = f'<img src="{LINK_MARK}/images/a.png"><a href="{LINK_MARK}/#x">home</a>'
    document = parse(shell_of(guide_site).page(rendered("guides/deep/one", body)))
    urls = [
        value
        for element in document.cssselect("link:not([rel=canonical]), script, img, a")
        for value in (element.get("src") or element.get("href"),)
        if value and not value.startswith("#")
    ]
    assert urls
    assert all(url.startswith("../../") for url in urls)
    assert "../../images/a.png" in urls
    assert "../../index.html#x" in urls


def test_a_hosted_site_has_its_base_path_and_no_extensions(
    guide_site: Site, shell_of: Make
) -> None:
    shell = shell_of(guide_site, ShellMode.hosted("/docs", f"{BASE_URL}/docs"))
    document = parse(shell.page(rendered("guides/start")))
    assert {"/docs/", "/docs/guides/start", "/docs/guides/deep/one"} <= set(
        hrefs(document, "#sidebar")
    )
    assert document.cssselect("[rel=canonical]")[0].get("href") == f"{BASE_URL}/docs/guides/start"


def test_no_script_is_inline_and_none_is_a_module(guide_site: Site, shell_of: Make) -> None:
    assets = ("style.css", "scripts/extra.js", "image.png")
    document = parse(shell_of(guide_site, assets=assets).page(rendered("guides/start")))
    scripts = document.cssselect("script:not([type='application/ld+json'])")
    assert all(script.get("src") and script.get("type") is None for script in scripts)
    assert scripts[-1].get("src") == "../scripts/extra.js"
    styles = [link.get("href") for link in document.cssselect("link[rel=stylesheet]")]
    assert styles[-1] == "../style.css"
    assert not document.cssselect("style")


def test_what_an_author_wrote_is_escaped(shell_of: Make) -> None:
    nasty = "<script>alert(1)</script>"
    site = make_site(
        group(nasty, page("a")),
        config=SiteConfig(nasty, navbar=Navbar((LinkItem(nasty, "javascript:alert(1)"),))),
        metas={"a": meta("a", title=nasty, description=nasty)},
    )
    html = shell_of(site).page(rendered("a"))
    assert nasty not in html
    assert "javascript:" not in html


def test_contents_hold_two_levels_of_headings(guide_site: Site, shell_of: Make) -> None:
    headings = (Heading(2, "One", "one"), Heading(3, "Two", "two"), Heading(4, "Three", "three"))
    document = parse(shell_of(guide_site).page(rendered("guides/start", headings=headings)))
    assert hrefs(document, "#table-of-contents") == ["#one", "#two"]
    assert document.cssselect("details.ds-contents-inline")


def test_a_page_without_a_title_is_named_for_screen_readers(shell_of: Make) -> None:
    site = make_site(group("All", page("a")), metas={"a": meta("a", mode="custom")})
    shell = shell_of(site)
    named = parse(shell.page(rendered("a", "<p>x</p>"))).cssselect("h1")
    assert [each.get("class") for each in named] == ["ds-sr-only"]
    assert len(parse(shell.page(rendered("a", "<h1>Own</h1>"))).cssselect("h1")) == 1


@pytest.mark.parametrize(
    ("mode", "shown"),
    [
        ("default", {"sidebar", "title", "contents", "pagination"}),
        ("wide", {"sidebar", "title", "pagination"}),
        ("frame", {"sidebar"}),
        ("center", {"title", "pagination"}),
        ("custom", set()),
        ("assistant", {"title", "pagination"}),
    ],
)
def test_a_mode_decides_what_stands_around_the_body(
    shell_of: Make, mode: str, shown: set[str]
) -> None:
    site = make_site(group("All", page("a"), page("b")), metas={"a": meta("a", mode=mode)})
    headings = (Heading(2, "One", "one"), Heading(2, "Two", "two"))
    document = parse(shell_of(site).page(rendered("a", headings=headings)))
    parts = {
        "sidebar": ".ds-has-sidebar",
        "title": "#page-title",
        "contents": "#table-of-contents",
        "pagination": "#pagination",
    }
    assert {name for name, selector in parts.items() if document.cssselect(selector)} == shown


def test_hidden_pages_and_groups_are_in_no_menu(shell_of: Make) -> None:
    site = make_site(
        group("Seen", page("a"), page("secret")),
        group("Unseen", page("b"), hidden=True),
        metas={"secret": meta("secret", hidden=True)},
    )
    document = parse(shell_of(site).page(rendered("a")))
    assert hrefs(document, "#sidebar nav") == ["a.html"]
    hidden = parse(shell_of(site).page(rendered("secret")))
    assert hidden.cssselect("meta[name=robots]")[0].get("content") == "noindex, nofollow"


def test_the_frame_shows_what_the_settings_say(guide_site: Site, shell_of: Make) -> None:
    config = SiteConfig(
        "Acme",
        logo=Logo(ThemedValue("/light.svg", "/dark.svg")),
        appearance=Appearance("dark", strict=True),
        navbar=Navbar((LinkItem("Blog", "https://blog.example"),), LinkItem("Go", "/guides/start")),
        footer=Footer(
            (LinkItem("github", "https://github.com/acme"),),
            (LinkColumn("Company", (LinkItem("About", "/about"),)),),
        ),
        banner=Banner("**New**: [read](/guides/last)", dismissible=True),
    )
    site = replace(guide_site, config=config)
    document = parse(shell_of(site).page(rendered("guides/start")))
    assert document.get("data-theme") == "dark"
    assert not document.cssselect(".ds-theme")
    images = [image.get("src") for image in document.cssselect("#navbar .nav-logo")]
    assert images == ["../light.svg", "../dark.svg"]
    assert "https://blog.example" in hrefs(document, "#navbar")
    assert hrefs(document, "#footer") == ["../about", "https://github.com/acme"]
    banner = document.cssselect("#banner")[0]
    assert banner.cssselect("strong")[0].text_content() == "New"
    assert banner.cssselect("a")[0].get("href") == "../guides/last.html"
    assert banner.cssselect("button")


def test_a_logo_that_does_not_exist_gives_way_to_the_name(guide_site: Site, shell_of: Make) -> None:
    site = replace(
        guide_site, config=SiteConfig("Acme", logo=Logo(ThemedValue("/a.svg", "/a.svg")))
    )
    document = parse(shell_of(site, assets=("other.png",)).page(rendered("index")))
    assert document.cssselect(".ds-logo")[0].text_content() == "Acme"


def test_a_site_with_one_theme_needs_only_its_logo(guide_site: Site, shell_of: Make) -> None:
    config = SiteConfig(
        "Acme",
        logo=Logo(ThemedValue("/light.svg", "/dark.svg")),
        appearance=Appearance("dark", strict=True),
    )
    site = replace(guide_site, config=config)
    document = parse(shell_of(site, assets=("dark.svg",)).page(rendered("index")))
    assert [image.get("src") for image in document.cssselect("#navbar .nav-logo")] == ["dark.svg"]


@pytest.mark.parametrize(
    ("body", "extras", "code"),
    [
        ("<p>Text</p>", False, False),
        ('<div class="ds-tree tree"></div>', True, False),
        ('<div class="ds-code-menu"></div>', True, False),
        ('<p><img src="/a.png" data-image-actions="copy"></p>', True, False),
        ("<p><code>x</code></p>", False, True),
        ("<ds-island data-n=0></ds-island>", True, True),
    ],
)
def test_pages_load_extras_and_the_font_of_code_only_where_they_need_them(
    guide_site: Site, shell_of: Make, body: str, extras: bool, code: bool
) -> None:
    document = parse(shell_of(guide_site).page(rendered("guides/start", body)))
    assert bool(document.cssselect("link[href*='extras']")) is extras
    assert bool(document.cssselect("script[src*='extras']")) is extras
    assert ("data-code" in document.attrib) is code


def test_the_not_found_page_works_at_any_depth(guide_site: Site, shell_of: Make) -> None:
    config = SiteConfig("Acme", not_found=NotFoundPage(False, "Lost", "Try [this](/guides/start)."))
    shell = shell_of(replace(guide_site, config=config), ShellMode.bundle(f"{BASE_URL}/sub"))
    document = parse(shell.not_found())
    assert document.cssselect("h1.not-found-title")[0].text_content() == "Lost"
    assert document.cssselect(".eyebrow .not-found-status-code")[0].text_content() == "404"
    assert hrefs(document, "#content") == ["/sub/guides/start.html", "/sub/index.html"]
    assert document.cssselect("meta[name=robots]")


def test_the_not_found_page_of_a_bundle_for_anywhere_opens_from_a_folder(
    guide_site: Site, shell_of: Make
) -> None:
    document = parse(shell_of(guide_site, ShellMode.bundle()).not_found())
    assert hrefs(document, "#content") == ["index.html"]
    sheet = document.cssselect("link[href*='site.']")[0].get("href")
    assert sheet.startswith("_docs/")
    finder = document.cssselect("script")[0]
    assert finder.get("data-probe") == sheet
    digest = base64.b64encode(hashlib.sha256(finder.text.encode()).digest()).decode()
    policy = document.cssselect("meta[http-equiv]")[0].get("content")
    assert f"'sha256-{digest}'" in policy
    assert "base-uri 'self'" in policy


@pytest.mark.parametrize("mode", [ShellMode.bundle(BASE_URL), ShellMode.hosted()])
def test_where_the_url_is_known_nothing_looks_for_it(
    guide_site: Site, shell_of: Make, mode: ShellMode
) -> None:
    html = shell_of(guide_site, mode).not_found()
    assert "data-probe" not in html
    assert "base-uri 'self'" not in html


def test_redirects_of_a_bundle_are_pages_that_lead_on(guide_site: Site, shell_of: Make) -> None:
    redirects = (
        Redirect("/old/place", "/guides/start#top"),
        Redirect("/away", "https://example.org/x"),
        Redirect("/twice//old", "/guides/start"),
        Redirect("/dots/./old", "/guides/start"),
        Redirect("/old/page.html", "/guides/start"),
        Redirect("/guides/start.html", "/loose"),
        Redirect("/all/:slug*", "/guides/:slug*"),
        Redirect("/guides/start", "/loose"),
    )
    site = replace(guide_site, config=SiteConfig("Acme", redirects=redirects))
    shell = shell_of(site)
    pages = shell.redirect_pages()
    relative = {"old/place.html", "twice/old.html", "dots/old.html", "old/page.html"}
    assert set(pages) == {*relative, "away.html"}
    assert all("url=../guides/start.html" in pages[file] for file in relative)
    assert 'content="0; url=../guides/start.html#top"' in pages["old/place.html"]
    assert "https://example.org/x" in pages["away.html"]
    body = f'<a href="{LINK_MARK}/all/last">x</a>'
    assert hrefs(parse(shell.page(rendered("index", body))), "#content") == ["guides/last.html"]


def test_a_site_without_a_home_page_leads_to_its_first(shell_of: Make) -> None:
    shell = shell_of(make_site(group("All", page("guides/a"), page("guides/b"))))
    assert shell.home == "guides/a"
    assert "url=guides/a.html" in shell.redirect_pages()["index.html"]


def test_shared_files_have_names_that_change_with_their_content(
    guide_site: Site, shell_of: Make
) -> None:
    shell = shell_of(guide_site)
    assert all(re.fullmatch(r"_docs/[\w-]+\.[0-9a-f]{12}\.\w+", path) for path in shell.assets())
    styles = next(data for path, data in shell.assets().items() if path.endswith(".css"))
    assert b"--ds-primary:" in styles
    other = shell_of(replace(guide_site, config=SiteConfig("Acme", theme="linden"))).assets()
    assert [path.split(".")[0] for path in {*other} - {*shell.assets()}] == ["_docs/site"]
    page_html = shell.page(rendered("index", "<ds-island data-n=0></ds-island>"))
    named = page_html + styles.decode()
    assert all(path.removeprefix("_docs/") in named for path in shell.assets())


def test_a_page_of_a_thousand_costs_as_much_as_one_of_fifty(shell_of: Make) -> None:
    assert _seconds_of_a_page(shell_of, 1_000) < 4 * _seconds_of_a_page(shell_of, 50)


def _seconds_of_a_page(shell_of: Make, pages: int) -> float:
    """The least processor time of a page, whose group has 50 pages, once all were made."""
    groups = [[page(f"g{n}/p{m}") for m in range(50)] for n in range(pages // 50)]
    site = make_site(*(group(f"Group {n}", *own) for n, own in enumerate(groups)))
    shell = shell_of(site)
    spent = []
    for slug in list(site.pages)[:50] * 2:
        start = time.thread_time()
        shell.page(rendered(slug))
        spent.append(time.thread_time() - start)
    return min(spent[50:])


def test_a_description_may_hold_marks_and_paragraphs(shell_of: Make) -> None:
    metas = {
        "a": meta("a", description="Sets `total`, see [b](/b)."),
        "b": meta("b", description="First *line*.\n\n- one\n- two"),
    }
    shell = shell_of(make_site(group("All", page("a"), page("b")), metas=metas))
    short = parse(shell.page(rendered("a")))
    assert short.cssselect(".ds-lead code")[0].text_content() == "total"
    assert hrefs(short, ".ds-lead") == ["b.html"]
    description = short.cssselect("meta[name=description]")[0].get("content")
    assert description == "Sets total, see b."
    long = parse(shell.page(rendered("b")))
    assert [item.text_content() for item in long.cssselect(".ds-lead li")] == ["one", "two"]


def test_what_has_no_words_is_named_for_listeners(guide_site: Site, shell_of: Make) -> None:
    icon = '<svg class="ds-icon" aria-hidden="true"><path d=""/></svg>'
    body = (
        f'<a href="https://www.example.org/x">{icon}</a><a href="https://a.example">{icon} A</a>'
        "<table><tr><th></th><th>Name</th></tr></table>"
    )
    document = parse(shell_of(guide_site).page(rendered("index", body)))
    named, worded = document.cssselect("#content a")
    assert named.get("aria-label") == "example.org"
    assert worded.get("aria-label") is None
    assert [cell.tag for cell in document.cssselect("#content tr > *")] == ["td", "th"]
