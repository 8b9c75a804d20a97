"""The bundle as a reader opens it: by a double click, from a folder."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from lxml import html
from selenium.webdriver.common.keys import Keys

pytestmark = pytest.mark.browser


_FOCUSABLE_WITHIN_FOCUSABLE = """
const inner = "a[href], button, summary, input, select, [tabindex='0']";
return [...document.querySelectorAll("summary, button, a[href]")]
  .filter((each) => each.querySelector(inner)).map((each) => each.outerHTML.slice(0, 200));
"""
_OUTSIDE_WINDOW = """
return [...document.querySelectorAll("main :is(table, .ds-table, pre)")]
  .filter((each) => each.scrollWidth > each.clientWidth + 1 && each.tabIndex < 0)
  .map((each) => each.outerHTML.slice(0, 200));
"""
_FITS = "return document.documentElement.scrollWidth <= window.innerWidth"


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.deep)])
def test_pages_open_on_a_phone_and_ask_no_other_host(browser, bundle: Path, every: int) -> None:
    pages = sorted(bundle.rglob("*.html"))
    assert len(pages) > 15
    browser.resize(390, 844)
    for page in pages[::every]:
        browser.open(page.as_uri())
        # A page that leads on is gone before it can be looked at.
        browser.wait("return document.querySelector('h1, #page-title, main') !== null")
        browser.wait(_FITS)
        assert browser.run(_FOCUSABLE_WITHIN_FOCUSABLE) == [], page
        browser.expect([], _OUTSIDE_WINDOW)
    outside = [
        url
        for url in browser.requests()
        if not url.startswith(("file://", "data:", "about:", "blob:"))
    ]
    assert outside == []
    assert browser.complaints() == []


def test_every_link_and_every_image_leads_to_a_file_of_the_bundle(bundle: Path) -> None:
    broken = []
    for page in bundle.rglob("*.html"):
        document: html.HtmlElement = html.fromstring(page.read_bytes())
        for element, attribute, url, _ in document.iterlinks():
            parts = urlsplit(url)
            if (
                parts.scheme
                or parts.netloc
                or not parts.path
                or (element.tag == "link" and (element.get("rel") == "canonical"))
            ):
                continue
            target = (page.parent / unquote(parts.path)).resolve()
            if not target.is_file():
                broken.append((page.name, attribute, url))
            elif element.tag == "a" and target.suffix == ".html" and parts.fragment:
                ids = set(html.fromstring(target.read_bytes()).xpath("//@id"))
                if unquote(parts.fragment) not in ids:
                    broken.append((page.name, "fragment", url))
    assert broken == []


def test_links_between_pages_end_in_html(bundle: Path) -> None:
    document = html.fromstring((bundle / "index.html").read_bytes())
    links = {urlsplit(link).path for link in document.xpath("//main//a/@href")}
    assert "quickstart.html" in {link.removeprefix("./") for link in links}


def test_a_page_is_readable_without_its_scripts(bundle: Path) -> None:
    components = bundle / "reference" / "components.html"
    page: html.HtmlElement = html.fromstring(components.read_bytes())
    text = re.sub(r"\s+", " ", page.text_content())
    for panel in ("The first panel.", "The second panel.", "Content that opens.", "Hello,"):
        assert panel in text


def test_the_theme_switch_is_remembered(browser, bundle: Path) -> None:
    background = "return getComputedStyle(document.body).backgroundColor"
    seen = {}
    for theme in ("light", "dark"):
        browser.open((bundle / "index.html").as_uri())
        browser.driver.find_element("css selector", f"[data-set-theme={theme}]").click()
        browser.expect(theme, "return document.documentElement.dataset.theme")
        seen[theme] = browser.run(background)
        browser.open((bundle / "quickstart.html").as_uri())
        browser.expect(seen[theme], background)
    assert seen["light"] != seen["dark"]


def test_tabs_follow_the_arrow_keys(browser, bundle: Path) -> None:
    browser.open((bundle / "reference" / "components.html").as_uri())
    tabs = browser.driver.find_elements("css selector", "[role=tablist]")[0]
    first, second = tabs.find_elements("css selector", "[role=tab]")
    assert first.get_attribute("aria-selected") == "true"
    first.send_keys(Keys.ARROW_RIGHT)
    browser.until("true", lambda: second.get_attribute("aria-selected"))
    panel = browser.driver.find_element("id", second.get_attribute("aria-controls"))
    assert panel.is_displayed()
    assert "The second panel." in panel.text
    browser.until(second, lambda: browser.driver.switch_to.active_element)


def test_no_page_has_an_id_twice(bundle: Path) -> None:
    pages = list(bundle.rglob("*.html"))
    assert pages
    for page in pages:
        ids = html.fromstring(page.read_bytes()).xpath("//body//@id")
        assert sorted(ids) == sorted(set(ids)), page


def test_the_drawer_opens_and_closes_by_the_keyboard(browser, bundle: Path) -> None:
    browser.resize(390, 844)
    browser.open((bundle / "index.html").as_uri())
    button = browser.driver.find_element("css selector", ".ds-drawer-button")
    drawer = browser.driver.find_element("css selector", ".ds-sidebar")
    assert not drawer.is_displayed()
    button.send_keys(Keys.ENTER)
    browser.until(True, drawer.is_displayed)
    browser.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
    browser.until(False, drawer.is_displayed)
    browser.until(button, lambda: browser.driver.switch_to.active_element)
