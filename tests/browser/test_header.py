"""Header of pages, and the line above their titles, on wide screens and on phones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from docstead.markup.assets import BuiltAssets
from exported_folders import export_folder

pytestmark = pytest.mark.browser

TABS = '<nav class="ds-tabs-bar"><ul><li><a class="ds-nav-tab" href="#">One</a></li></ul></nav>'
NESTED = {
    "group": "Server with a long name",
    "pages": [{"group": "Services", "pages": [{"group": "Speech", "pages": ["nested"]}]}],
}

_SEARCH_AND_CUT = """
const links = document.querySelector('.ds-navbar-links').getBoundingClientRect();
const seen = [...document.querySelectorAll('.ds-bar a, .ds-bar button')].filter((each) => {
    const { top, width } = each.getBoundingClientRect();
    return width > 0 && (top < links.bottom || !each.closest('.ds-navbar-links'));
});
return [
    document.querySelector('.ds-search-button').clientWidth,
    seen.filter((each) => {
        const { left, right } = each.getBoundingClientRect();
        const from = each.closest('.ds-navbar-links') ? links.left - 1 : 0;
        return left < from || right > innerWidth;
    }).map((each) => each.textContent),
]
"""


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("header")
    source, target = root / "source", root / "out"
    source.mkdir()
    config = {
        "name": "Header",
        "theme": "sequoia",
        "colors": {"primary": "#0F766E"},
        "navigation": {"groups": [{"group": "All", "pages": ["guide"]}, NESTED]},
        "contextual": {"options": ["copy", "view"]},
        "styling": {"eyebrows": "breadcrumbs"},
        "navbar": {
            "links": [
                {"label": f"Link number {n}", "href": f"https://{n}.example.com"} for n in range(5)
            ],
            "primary": {
                "type": "button",
                "label": "Create a free sandbox",
                "href": "https://example.com",
            },
        },
    }
    (source / "docs.json").write_text(json.dumps(config))
    for name in ("guide", "nested"):
        (source / f"{name}.mdx").write_text(
            f"---\ntitle: {name.title()}\n---\n\n## First\n\nText.\n"
        )
    return export_folder(source, target)


def test_on_a_phone_page_actions_stand_beside_the_breadcrumbs(browser: Any, exported: Path) -> None:
    with browser.phone():
        browser.open((exported / "guide.html").as_uri())
        path, actions, title = browser.run(
            """return ['.ds-breadcrumbs', '.ds-actions', 'h1'].map((each) => {
                const { top, bottom } = document.querySelector(each).getBoundingClientRect();
                return [top, bottom];
            })"""
        )
        assert actions[0] < path[1]
        assert actions[1] <= title[0]


def test_the_row_of_tabs_keeps_clear_of_the_bar_and_has_its_color(
    browser: Any, exported: Path
) -> None:
    browser.resize(900, 900)
    browser.open((exported / "guide.html").as_uri())
    browser.run(
        "document.querySelector('.ds-header').insertAdjacentHTML('beforeend', arguments[0])", TABS
    )
    browser.run("document.documentElement.dataset.tabs = ''")
    color = "return getComputedStyle(document.querySelector(arguments[0])).backgroundColor"
    assert browser.run(color, ".ds-tabs-bar") == browser.run(color, ".ds-bar")
    browser.run("document.documentElement.dataset.look = 'luma'")
    look = BuiltAssets().read("look-luma.css").decode()
    browser.run("document.head.append(document.createElement('style'))")
    browser.run("document.head.lastElementChild.textContent = arguments[0]", look)
    gap = """const box = (name) => document.querySelector(name).getBoundingClientRect();
        return [box('.ds-nav-tab').top - box('.ds-bar').bottom,
            box('.ds-header').bottom - box('.ds-nav-tab').bottom]"""
    above, below = browser.run(gap)
    assert above >= 12
    assert below >= 4


def test_nothing_in_the_header_is_cut_by_the_window(browser: Any, exported: Path) -> None:
    browser.open((exported / "guide.html").as_uri())
    for width in (640, 768, 900, 1030, 1200, 1440):
        browser.resize(width, 900)
        search, cut = browser.run(_SEARCH_AND_CUT)
        assert cut == [], width
        assert search > 140 or width < 768


def test_styles_of_a_site_leave_space_for_the_right_end(browser: Any, exported: Path) -> None:
    browser.resize(1440, 900)
    browser.open((exported / "guide.html").as_uri())
    style = "<style>.topbar-right-container { flex: 0 }</style>"
    browser.run("document.head.insertAdjacentHTML('beforeend', arguments[0])", style)
    assert browser.run(_SEARCH_AND_CUT)[1] == []


def test_on_a_phone_a_wide_logo_gives_way_to_the_version(browser: Any, exported: Path) -> None:
    with browser.phone():
        browser.open((exported / "guide.html").as_uri())
        cut, logo = browser.run(
            """const logo = document.querySelector(".ds-logo");
            logo.innerHTML = "<img alt='' width='190' height='26' src='data:image/svg+xml,"
                + "<svg xmlns=%22http://www.w3.org/2000/svg%22 width=%22190%22 height=%2226%22/>'>";
            const menu = "<summary><span>JavaScript</span><svg class='ds-glyph'/></summary>";
            logo.insertAdjacentHTML("afterend", `<details class="ds-menu">${menu}</details>`);
            const name = logo.nextElementSibling.querySelector("span");
            return [name.scrollWidth > name.clientWidth, logo.offsetWidth];"""
        )
    assert not cut
    assert 112 <= logo < 190


def test_without_scripts_the_header_keeps_its_right_end(browser: Any, exported: Path) -> None:
    browser.resize(700, 900)
    browser.open((exported / "guide.html").as_uri())
    end = """const end = document.querySelector(".ds-bar-end").getBoundingClientRect();
        const dead = document.querySelectorAll(".ds-search-phone, .ds-actions, .ds-theme");
        return [innerWidth - end.right, [...dead].map((each) => each.offsetWidth > 0)]"""
    space, shown = browser.run(end)
    assert shown == [True, True, True]
    browser.run("delete document.documentElement.dataset.scripts")
    assert browser.run(end) == [space, [False, False, False]]


def test_on_a_phone_the_version_gives_way_to_the_name_of_the_site(
    browser: Any, exported: Path
) -> None:
    with browser.phone():
        browser.open((exported / "guide.html").as_uri())
        cut, version = browser.run(
            """const logo = document.querySelector(".ds-logo"), name = logo.lastElementChild;
            const menu = "<summary><span>Version 2.0 beta, released in November</span></summary>";
            name.textContent = "Acme Handbook";
            logo.insertAdjacentHTML("afterend", `<details class="ds-menu">${menu}</details>`);
            const wide = document.querySelector(".ds-bar-end");
            wide.style.minWidth = "4rem";
            return [name.scrollWidth > name.clientWidth, logo.nextElementSibling.offsetWidth];"""
        )
    assert not cut
    assert version >= 56


def test_on_a_phone_the_search_is_a_button_of_the_header(browser: Any, exported: Path) -> None:
    with browser.phone():
        browser.open((exported / "guide.html").as_uri())
        browser.driver.find_element("id", "search-bar-entry-mobile").click()
        browser.wait("return document.querySelector('.ds-search-dialog')?.open === true")


def test_the_keyboard_reaches_links_without_space_and_leaves_the_first(
    browser: Any, exported: Path
) -> None:
    browser.resize(1030, 900)
    browser.open((exported / "guide.html").as_uri())
    seen = """const box = (each) => each.getBoundingClientRect();
        const bar = box(document.querySelector('.ds-navbar-links'));
        const link = box([...document.querySelectorAll('.ds-navbar-links a')].at(-1));
        return link.top >= bar.top && link.bottom <= bar.bottom
            && link.left >= bar.left - 1 && link.right <= bar.right + 1"""
    last = "[...document.querySelectorAll('.ds-navbar-links a')].at(-1)"
    assert browser.run(seen) is False
    browser.run(f"{last}.focus()")
    assert browser.run(seen) is True
    browser.run(f"{last}.blur()")
    assert browser.run("return document.querySelector('.ds-navbar-links').scrollTop") == 0


def test_on_a_phone_breadcrumbs_show_the_last_two_levels(browser: Any, exported: Path) -> None:
    shown = """return [...document.querySelectorAll('.breadcrumb-item')]
        .filter((each) => each.offsetWidth > 0).map((each) => each.innerText)"""
    browser.open((exported / "nested.html").as_uri())
    assert browser.run(shown) == ["Server with a long name", "Services", "Speech"]
    with browser.phone():
        assert browser.run(shown) == ["Services", "Speech"]
        divider = """const item = document.querySelectorAll('.breadcrumb-item')[1];
            return getComputedStyle(item, '::before').content"""
        assert browser.run(divider) == "none"


def test_on_a_phone_the_only_version_ends_before_the_search(browser: Any, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    version = {"version": "v2.14.5 (long term support)", "tag": "LTS", "pages": ["index"]}
    config = {
        "name": "Versioned docs",
        "theme": "mint",
        "colors": {"primary": "#0F766E"},
        "navigation": {"versions": [version]},
    }
    (source / "docs.json").write_text(json.dumps(config))
    (source / "index.md").write_text("# Start\n")
    page = export_folder(source, tmp_path / "out") / "index.html"
    with browser.phone():
        browser.open(page.as_uri())
        end, search = browser.run(
            """const box = (name) => document.querySelector(name).getBoundingClientRect();
            return [box('[data-menu=version] > * > span').right, box('.ds-search-phone').left]"""
        )
        assert 0 < end <= search
