"""Tooltips in boxes that cut what is in them, and marks for keyboards and forced colors."""

from __future__ import annotations

import json
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from exported_folders import export_folder

pytestmark = pytest.mark.browser

PAGE = """---
title: Terms
---
<Card title="Card"><Tooltip tip="In a card, a text that is longer than a line">term</Tooltip></Card>

| Name |
|---|
| <Tooltip tip="In a table, a text that is longer than a line">term</Tooltip> |

<Tabs>
<Tab title="One">First.</Tab>
<Tab title="Two">Second.</Tab>
</Tabs>
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    root = tmp_path_factory.mktemp("tooltips")
    (root / "source").mkdir()
    config = {
        "name": "Terms",
        "theme": "mint",
        "colors": {"primary": "#0F766E"},
        "banner": {"content": "[News](/index)", "dismissible": True},
        "navigation": {"pages": ["index"]},
    }
    (root / "source/docs.json").write_text(json.dumps(config))
    (root / "source/index.mdx").write_text(PAGE)
    return (export_folder(root / "source", root / "out") / "index.html").as_uri()


@pytest.mark.parametrize("box", [".ds-card", "table"])
def test_nothing_cuts_a_tooltip(browser: Any, page: str, box: str) -> None:
    browser.resize(390, 844)
    browser.open(page)
    browser.wait("return document.querySelector('.ds-tabs[data-ready]') !== null")
    browser.run("document.querySelector(arguments[0] + ' [role=button]').focus()", box)
    whole = """const tip = document.querySelector(arguments[0] + ' [role=tooltip]');
      const { left, right, top, bottom } = tip.getBoundingClientRect();
      return bottom > top && [[left + 4, top + 4], [right - 4, bottom - 4]]
        .every(([x, y]) => tip.contains(document.elementFromPoint(x, y)))"""
    browser.expect(True, whole, box)


def test_the_focus_is_visible_on_a_banner(browser: Any, page: str) -> None:
    browser.resize(1280, 900)
    browser.open(page)
    for _ in range(2):
        browser.driver.switch_to.active_element.send_keys(Keys.TAB)
    colors = """const style = getComputedStyle(document.activeElement);
      return [document.activeElement.innerText, style.outlineColor === style.color]"""
    assert browser.run(colors) == ["News", True]


def test_forced_colors_mark_the_chosen_tab(browser: Any, page: str) -> None:
    browser.open(page)
    browser.wait("return document.querySelector('.ds-tabs[data-ready]') !== null")
    browser.emulate("active", "forced-colors")
    browser.run("document.getAnimations().forEach((each) => each.finish())")
    lines = """return [...document.querySelectorAll('.ds-tab-button')].map(
      (each) => getComputedStyle(each).borderBottomColor)"""
    chosen, other = browser.run(lines)
    assert chosen != other


def test_forced_colors_mark_the_chosen_theme(browser: Any, page: str) -> None:
    browser.open(page)
    browser.wait("return document.querySelector('.ds-theme [aria-pressed=true]') !== null")
    browser.emulate("active", "forced-colors")
    borders = """return [...document.querySelectorAll('.ds-theme button')].map(
      (each) => getComputedStyle(each).borderTopWidth)"""
    assert sorted(browser.run(borders)) == ["0px", "0px", "1px"]


def test_forced_colors_mark_the_current_page_and_the_chosen_result(browser: Any, page: str) -> None:
    browser.emulate("active", "forced-colors")
    browser.open(page)
    outline = "return getComputedStyle(document.querySelector(arguments[0])).outlineStyle"
    assert browser.run(outline, ".ds-nav-link[aria-current]") == "solid"

    browser.run("document.getElementById('search-bar-entry').click()")
    field = ".ds-search-dialog[open] input"
    browser.wait(f"return document.querySelector('{field}') !== null")
    browser.driver.find_element("css selector", field).send_keys("terms")
    chosen = ".ds-search-option[aria-selected=true]"
    browser.wait(f"return document.querySelector('{chosen}') !== null")
    assert browser.run(outline, chosen) == "solid"
