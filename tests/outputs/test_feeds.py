from __future__ import annotations

from collections.abc import Callable
from html import escape

import pytest
from lxml import etree

from docstead.content.generated_files import feed_of
from docstead.content.pages import Section
from docstead.markup.rendered import LINK_MARK, RenderedPage
from docstead.outputs.generated_texts import GeneratedTexts
from docstead.theme.document import PageShell
from docstead.theme.mode import ShellMode
from site_builders import BASE_URL, group, make_site, meta, page, rendered

Make = Callable[..., PageShell]

HTML = (
    '<section data-tags="[]" class="ds-update update"><div class="ds-update-side">'
    '<h2 id="may" class="ds-update-label">May</h2></div></section>'
    '<section class="ds-update"><div class="ds-update-side">'
    '<h2 class="ds-update-label" id="2026-04-02">2026-04-02</h2></div></section>'
)
SECTIONS = (
    Section("may", ("May",), "## May\n\nNew `flags` & [more](" + LINK_MARK + "/guide#x)."),
    Section("2026-04-02", ("2026-04-02",), "## 2026-04-02"),
    Section("fixes", ("Fixes",), "## Fixes\n\n```py\nx\n```\n\nLess <b>noise</b>."),
    Section("speed", ("Speed",), "## Speed\n\nFaster."),
)


def changelog(slug: str = "changes") -> RenderedPage:
    return RenderedPage(slug, HTML, (), SECTIONS)


def site():
    metas = {"changes": meta("changes", title="Changes", rss=True)}
    return make_site(group("All", page("changes"), page("guide")), metas=metas)


def test_characters_that_xml_does_not_have_are_left_out(shell_of: Make) -> None:
    sections = (Section("may", ("May",), "## May\n\nNew\x01 \x1b[31mflags."),)
    page = RenderedPage("changes", HTML, (), sections)
    feed = GeneratedTexts(shell_of(site())).feed(page)
    assert feed is not None
    (description,) = etree.fromstring(feed.encode()).xpath("//item/description/text()")
    assert description == "New [31mflags."


@pytest.mark.parametrize("written", ["[", "[" * 5_000, "5", "[1, 2]", '["a"]'])
def test_an_entry_that_somebody_wrote_by_hand_is_passed_over(shell_of: Make, written: str) -> None:
    html = HTML.replace("<section ", f'<section data-rss="{escape(written)}" ', 1)
    texts = GeneratedTexts(shell_of(site()))
    assert texts.feed(RenderedPage("changes", html, (), SECTIONS)) == texts.feed(changelog())


def test_each_heading_of_an_update_is_an_entry(shell_of: Make) -> None:
    feed = GeneratedTexts(shell_of(site())).feed(changelog())
    assert feed is not None
    channel = etree.fromstring(feed.encode())[0]
    items = [{child.tag: child.text for child in item} for item in channel.findall("item")]
    assert [item["title"] for item in items] == ["May", "Fixes", "Speed"]
    assert items[0]["link"] == f"{BASE_URL}/changes#may"
    assert items[0]["description"] == f"New  & [more]({BASE_URL}/guide#x)."
    assert "pubDate" not in items[0]
    assert items[1]["pubDate"] == "Thu, 02 Apr 2026 00:00:00 +0000"
    assert items[1]["description"] == "Less noise."


@pytest.mark.parametrize(
    "label", ["2026-04-02", "April 2, 2026", "Apr 2, 2026", "2 April 2026", "2026/04/02"]
)
def test_a_label_may_be_a_date(shell_of: Make, label: str) -> None:
    page = RenderedPage("changes", HTML, (), (Section("may", (label,), f"## {label}\n\nNew."),))
    feed = GeneratedTexts(shell_of(site())).feed(page)
    assert feed is not None
    assert etree.fromstring(feed.encode()).xpath("string(//pubDate)")[:16] == "Thu, 02 Apr 2026"


def test_an_update_may_say_what_its_entry_is(shell_of: Make) -> None:
    own = ' data-rss="[&quot;Out &amp; about&quot;,&quot;All of it.&quot;]" class="ds-update">'
    page = RenderedPage("changes", HTML.replace(' class="ds-update">', own), (), SECTIONS)
    feed = GeneratedTexts(shell_of(site())).feed(page)
    assert feed is not None
    items = etree.fromstring(feed.encode())[0].findall("item")
    assert [item.findtext("title") for item in items] == ["May", "Out & about"]
    assert items[1].findtext("description") == "All of it."


def test_pages_lead_to_their_feed(shell_of: Make) -> None:
    shell = shell_of(site())
    html = shell.page(changelog())
    assert feed_of("changes") == "changes/rss.xml"
    assert 'type="application/rss+xml"' in html
    assert 'class="ds-feed" href="changes/rss.xml"' in html
    assert "rss+xml" not in shell.page(rendered("guide"))


def test_without_a_base_url_there_is_no_feed(shell_of: Make) -> None:
    shell = shell_of(site(), ShellMode.bundle())
    assert GeneratedTexts(shell).feed(changelog()) is None
    assert "rss+xml" not in shell.page(changelog())
