"""axe over some pages of our own documentation; an evaluation does so over exports."""

from __future__ import annotations

from pathlib import Path

import pytest

from axe import violations

pytestmark = pytest.mark.browser

PAGES = ("index", "reference/components", "reference/cli", "guides/reading", "404")
_SEARCH = "document.querySelector('[data-search]').click()"
_MENU = "document.querySelector('.ds-actions-more').open = true"


def test_pages_have_no_violations(browser, bundle: Path) -> None:
    """Only colours differ in the dark."""
    for page in PAGES:
        browser.emulate("light")
        browser.open((bundle / f"{page}.html").as_uri())
        assert violations(browser) == [], page
        browser.emulate("dark")
        browser.wait("return document.documentElement.dataset.theme === 'dark'")
        assert violations(browser, "color-contrast") == [], page


def test_open_menus_and_the_search_have_none(browser, bundle: Path) -> None:
    browser.open((bundle / "guides/reading.html").as_uri())
    browser.run(_MENU)
    assert violations(browser) == []
    browser.run(_SEARCH)
    browser.wait("return document.querySelector('.ds-search-dialog')?.open")
    field = browser.driver.find_element("css selector", ".ds-search-dialog input")
    field.send_keys("export")
    browser.wait("return document.querySelector('.ds-search-dialog [role=option]') !== null")
    assert violations(browser) == []
