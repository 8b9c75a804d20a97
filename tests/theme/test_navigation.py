from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from lxml import html as lxml_html
from lxml.html import HtmlElement

from docstead.content.config import SiteConfig
from docstead.content.navigation import NavNode, NodeKind
from docstead.content.pages import Site
from docstead.content.style_settings import StylingSettings
from docstead.theme.document import PageShell
from site_builders import BASE_URL, group, make_site, meta, node, page, rendered

Make = Callable[..., PageShell]


def parse(html: str) -> HtmlElement:
    return lxml_html.document_fromstring(html)


def links(document: HtmlElement, selector: str) -> dict[str, str]:
    found = document.cssselect(f"{selector} a")
    return {" ".join(link.text_content().split()): link.get("href") for link in found}


@pytest.fixture
def translated() -> Site:
    english = group("Guides", page("index"), page("guides/start"), page("guides/only"))
    french = group("Guides", page("fr/index"), page("fr/guides/start"))
    return make_site(
        node(NodeKind.LANGUAGE, "en", english, default=True),
        node(NodeKind.LANGUAGE, "fr", french),
    )


def test_a_language_without_the_page_opens_in_the_same_version(shell_of: Make) -> None:
    def versions(folder: str, *old: str) -> tuple[NavNode, NavNode]:
        entries = [page(f"{folder}v1/{name}") for name in ("index", *old)]
        return (
            node(NodeKind.VERSION, "2.0", group("Guides", page(f"{folder}index")), default=True),
            node(NodeKind.VERSION, "1.0", group("Guides", *entries)),
        )

    shell = shell_of(
        make_site(
            node(NodeKind.LANGUAGE, "en", *versions("", "install"), default=True),
            node(NodeKind.LANGUAGE, "fr", *versions("fr/")),
            node(NodeKind.LANGUAGE, "de", group("Guides", page("de/index"))),
        )
    )
    found = links(parse(shell.page(rendered("v1/install"))), "[data-menu=language]")
    assert found["FrançaisPage not available"] == "../fr/v1/index.html"
    assert found["DeutschPage not available"] == "../de/index.html"


def test_a_language_leads_to_the_same_page_or_to_its_first(
    translated: Site, shell_of: Make
) -> None:
    shell = shell_of(translated)
    start = parse(shell.page(rendered("guides/start")))
    menu = "[data-menu=language]"
    assert links(start, menu) == {
        "English": "../guides/start.html",
        "Français": "../fr/guides/start.html",
    }
    only = parse(shell.page(rendered("guides/only")))
    assert links(only, menu)["FrançaisPage not available"] == "../fr/index.html"


def test_a_menu_says_where_a_page_is_not_available(shell_of: Make) -> None:
    site = make_site(
        node(NodeKind.LANGUAGE, "en", group("A", page("start"), page("only")), default=True),
        node(NodeKind.LANGUAGE, "de", group("A", page("de/anfang"), page("de/nur"))),
    )
    shell, note = shell_of(site), "[data-menu=language] .ds-option-note"
    (found,) = parse(shell.page(rendered("de/nur"))).cssselect(note)
    assert (found.text, found.get("lang")) == ("Seite nicht verfügbar", "de")
    assert parse(shell.page(rendered("de/anfang"))).cssselect(note) == []
    assert parse(shell.not_found()).cssselect(note) == []


def test_a_language_may_be_a_folder_within_a_version(shell_of: Make) -> None:
    def versions(folder: str) -> list[NavNode]:
        return [
            node(NodeKind.VERSION, label, group("G", page(f"docs/{label}/{folder}start")))
            for label in ("v2", "v1")
        ]

    site = make_site(
        node(NodeKind.LANGUAGE, "en", *versions(""), default=True),
        node(NodeKind.LANGUAGE, "fr", *versions("fr/")),
    )
    shell, menu = shell_of(site), "[data-menu=language]"
    english = parse(shell.page(rendered("docs/v1/start")))
    assert links(english, menu)["Français"] == "../../docs/v1/fr/start.html"
    french = parse(shell.page(rendered("docs/v1/fr/start")))
    assert links(french, menu)["English"] == "../../../docs/v1/start.html"


def test_an_unknown_icon_leaves_its_space(shell_of: Make) -> None:
    site = make_site(group("A", page("one"), page("two"), page("three")))
    icons = {"one": "book", "two": "no-such-icon", "three": None}
    pages = {slug: replace(site.pages[slug], icon=name) for slug, name in icons.items()}
    document = parse(shell_of(replace(site, pages=pages)).page(rendered("one")))
    entries = document.cssselect(".ds-nav .sidebar-item")
    assert [len(each.cssselect(".ds-nav-icon")) for each in entries] == [1, 1, 0]
    assert [len(each.cssselect("svg")) for each in entries] == [1, 0, 0]


def test_long_names_may_break_between_their_parts(shell_of: Make) -> None:
    labels = ["listPaymentMethodConfigurations", "billing.invoices.list_all", "Words <b> & more"]
    site = make_site(group("A", *(page(f"p{n}") for n in range(len(labels)))))
    titles = {f"p{n}": label for n, label in enumerate(labels)}
    pages = {slug: replace(site.pages[slug], title=title) for slug, title in titles.items()}
    html = shell_of(replace(site, pages=pages)).page(rendered("p0"))
    assert "list<wbr>Payment<wbr>Method<wbr>Configurations</span>" in html
    assert "list<wbr>Payment<wbr>Method<wbr>Configurations</h1>" in html
    assert "billing.<wbr>invoices.<wbr>list_<wbr>all</span>" in html
    assert "Words &lt;b&gt; &amp; more</span>" in html


def test_a_page_outside_the_navigation_stands_where_its_folder_does(
    translated: Site, shell_of: Make
) -> None:
    site = replace(translated, pages={**translated.pages, "fr/guides/old": meta("fr/guides/old")})
    assert parse(shell_of(site).page(rendered("fr/guides/old"))).get("lang") == "fr"


def test_the_shell_leaves_its_ids_to_the_headings_of_a_page(
    translated: Site, shell_of: Make
) -> None:
    body = '<h2 id="content">Content</h2><h2 id="sidebar">Sidebar</h2>'
    document = parse(shell_of(translated).page(rendered("guides/start", body)))
    assert [each.tag for each in document.cssselect("#content, #sidebar")] == ["h2", "h2"]
    assert document.cssselect(".ds-skip")[0].get("href") == "#ds-content"
    (button,) = document.cssselect(".ds-drawer-button")
    (drawer,) = document.cssselect(".ds-sidebar")
    assert button.get("popovertarget") == drawer.get("id") == "ds-sidebar"


def test_the_shell_speaks_the_language_of_the_page(translated: Site, shell_of: Make) -> None:
    document = parse(shell_of(translated).page(rendered("fr/guides/start")))
    assert document.get("lang") == "fr"
    assert document.cssselect(".ds-skip")[0].text_content() == "Aller au contenu"
    assert links(document, "#sidebar .ds-nav-group") == {
        "Index": "../../fr/index.html",
        "Start": "../../fr/guides/start.html",
    }


def test_arabic_is_written_from_right_to_left(shell_of: Make) -> None:
    site = make_site(node(NodeKind.LANGUAGE, "ar", group("A", page("a"))))
    document = parse(shell_of(site).page(rendered("a")))
    assert (document.get("lang"), document.get("dir")) == ("ar", "rtl")
    assert document.cssselect(".ds-skip")[0].text_content() == "تخطَّ إلى المحتوى"


def test_translations_are_named_to_search_engines(translated: Site, shell_of: Make) -> None:
    document = parse(shell_of(translated).page(rendered("guides/start")))
    found = {e.get("hreflang"): e.get("href") for e in document.cssselect("link[hreflang]")}
    assert found == {"en": f"{BASE_URL}/guides/start", "fr": f"{BASE_URL}/fr/guides/start"}


def test_a_page_of_a_section_is_no_translation_of_the_home_page(shell_of: Make) -> None:
    english = page("home"), group("G", page("guides/start"))
    spanish = group("G", page("es/guides/start")), group("R", page("es/reference/api"))
    site = make_site(
        node(NodeKind.LANGUAGE, "en", *english, default=True),
        node(NodeKind.LANGUAGE, "es", *spanish),
    )
    noted = [
        parse(shell_of(site).page(rendered(slug))).cssselect("[data-menu=language] .ds-option-note")
        for slug in ("home", "guides/start")
    ]
    assert [len(each) for each in noted] == [1, 0]


def test_versions_and_tabs_lead_to_their_first_pages(shell_of: Make) -> None:
    def tabs(folder: str) -> tuple[NavNode, ...]:
        guides = node(NodeKind.TAB, "Guides", group("G", page(f"{folder}start")))
        api = node(NodeKind.TAB, "API", group("A", page(f"{folder}api/users")))
        blog = node(NodeKind.TAB, "Blog", href="https://blog.example")
        return guides, api, blog, node(NodeKind.TAB, "Later", group("L", page("x"), hidden=True))

    site = make_site(
        node(NodeKind.VERSION, "v2", *tabs(""), default=True, tag="New"),
        node(NodeKind.VERSION, "v1", *tabs("v1/")),
    )
    document = parse(shell_of(site).page(rendered("api/users")))
    assert links(document, ".ds-tabs-bar") == {
        "Guides": "../start.html",
        "API": "../api/users.html",
        "Blog": "https://blog.example",
    }
    current = document.cssselect(".ds-tabs-bar [aria-current]")
    assert [tab.text_content() for tab in current] == ["API"]
    assert links(document, "[data-menu=version]") == {
        "v2New": "../api/users.html",
        "v1": "../v1/api/users.html",
    }
    assert links(document, "#sidebar .ds-nav-group") == {"Users": "../api/users.html"}


def test_the_only_version_is_named_and_opens_nothing(shell_of: Make) -> None:
    site = make_site(node(NodeKind.VERSION, "v2", group("G", page("start")), tag="New"))
    (menu,) = parse(shell_of(site).page(rendered("start"))).cssselect("[data-menu=version]")
    assert menu.text_content().split() == ["Version:", "v2New"]
    assert not menu.cssselect("details, summary, a")


def test_products_and_anchors_stand_at_the_top_of_the_sidebar(shell_of: Make) -> None:
    anchors = (
        node(NodeKind.ANCHOR, "Docs", group("D", page("one/docs"))),
        node(NodeKind.ANCHOR, "Forum", href="https://forum.example"),
    )
    site = make_site(
        node(NodeKind.PRODUCT, "One", *anchors, description="The first"),
        node(NodeKind.PRODUCT, "Two", group("T", page("two/docs"))),
    )
    document = parse(shell_of(site).page(rendered("one/docs")))
    assert set(links(document, ".ds-selector").values()) == {"../one/docs.html", "../two/docs.html"}
    assert links(document, ".ds-anchors") == {
        "Docs": "../one/docs.html",
        "Forum": "https://forum.example",
    }


def test_the_menu_of_a_tab_lists_its_items(shell_of: Make) -> None:
    items = (
        node(NodeKind.ITEM, "Basics", group("B", page("learn/basics"))),
        node(NodeKind.ITEM, "More", group("M", page("learn/more")), description="And more"),
    )
    site = make_site(
        node(NodeKind.TAB, "Docs", group("D", page("index"))), node(NodeKind.TAB, "Learn", *items)
    )
    document = parse(shell_of(site).page(rendered("learn/more")))
    assert set(links(document, ".ds-tab-menu").values()) == {
        "../learn/basics.html",
        "../learn/more.html",
    }
    assert not document.cssselect(".ds-anchors")


def test_global_links_are_on_every_page(shell_of: Make) -> None:
    site = make_site(group("A", page("a")))
    everywhere = (
        node(NodeKind.ANCHOR, "Community", href="https://chat.example"),
        node(NodeKind.TAB, "Status", href="https://status.example"),
    )
    site = replace(site, navigation=replace(site.navigation, everywhere=everywhere))
    document = parse(shell_of(site).page(rendered("a")))
    assert links(document, ".ds-anchors") == {"Community": "https://chat.example"}
    assert links(document, ".ds-tabs-bar") == {"Status": "https://status.example"}


def test_entries_show_what_their_pages_say(shell_of: Make) -> None:
    site = make_site(
        group("A", page("a"), page("b"), page("c")),
        metas={
            "a": meta("a", title="Long", sidebar_title="Short", icon="book", tag="NEW"),
            "b": meta("b", method="DELETE", deprecated=True),
            "c": meta("c", url="https://elsewhere.example"),
        },
    )
    document = parse(shell_of(site).page(rendered("a")))
    short, deleted, away = document.cssselect("#sidebar .ds-nav-group a")
    assert short.text_content().startswith("Short")
    assert short.cssselect("svg")
    assert short.cssselect(".ds-tag")[0].text_content() == "NEW"
    assert deleted.cssselect(".ds-method")[0].text_content() == "DEL"
    assert deleted.cssselect(".ds-tag-deprecated")
    assert away.get("href") == "https://elsewhere.example"
    assert not document.cssselect("#pagination [href*=elsewhere]")


def test_the_page_of_a_group_lists_what_is_in_it(shell_of: Make) -> None:
    inner = group("Inner", page("guides/x"), page("guides/y"), root="guides/index")
    site = make_site(group("Top", replace(inner, directory="card")))
    document = parse(shell_of(site).page(rendered("guides/index")))
    assert links(document, ".ds-listing") == {
        "X": "../guides/x.html",
        "Y": "../guides/y.html",
    }
    (current,) = document.cssselect("#sidebar [aria-current]")
    opened = current.getnext()
    assert (opened.tag, opened.get("open")) == ("details", "")
    assert opened.cssselect("summary")[0].get("aria-label") == "Inner"


def test_breadcrumbs_name_the_groups_on_the_way(shell_of: Make) -> None:
    site = make_site(
        group("Top", group("Inner", page("a"), page("b"))),
        config=SiteConfig("Acme", styling=StylingSettings(eyebrows="breadcrumbs")),
    )
    document = parse(shell_of(site).page(rendered("b")))
    assert links(document, ".ds-breadcrumbs") == {"Top": "a.html", "Inner": "a.html"}
    plain = replace(site, config=SiteConfig("Acme"))
    document = parse(shell_of(plain).page(rendered("b")))
    assert document.cssselect(".ds-eyebrow")[0].text_content() == "Inner"
    deep = replace(site, config=SiteConfig("Acme", theme="aspen"))
    document = parse(shell_of(deep).page(rendered("b")))
    assert links(document, ".ds-breadcrumbs") == {"Top": "a.html", "Inner": "a.html"}
