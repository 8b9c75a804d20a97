"""Pages without a pointer, on paper, on the smallest screens and without motion."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

pytestmark = pytest.mark.browser

_CUT = """
const scrolls = (element) => {
  for (let each = element.parentElement; each && each !== document.body; each = each.parentElement)
    if (/auto|scroll|hidden|clip/.test(getComputedStyle(each).overflowX)) return true;
  return false;
};
return [...document.querySelectorAll(".ds-header *, .ds-main *")]
  .filter((each) => {
    const { left, right, width } = each.getBoundingClientRect();
    const isOut = right > innerWidth + 1 || left < -1;
    return width > 1 && isOut && each.checkVisibility() && !scrolls(each);
  })
  .map((each) => each.outerHTML.slice(0, 120));
"""
_COLOR = "return getComputedStyle(document.querySelector('.ds-content p')).color"
_SIDEBAR_IS_OPEN = "return document.querySelector('.ds-sidebar').matches(':popover-open')"


def press(browser, *keys: str) -> None:
    ActionChains(browser.driver).send_keys(*keys).perform()


def active(browser) -> str:
    return browser.run("return document.activeElement.className || document.activeElement.id")


def test_the_first_stop_leads_past_the_navigation(browser, bundle: Path) -> None:
    browser.open((bundle / "quickstart.html").as_uri())
    press(browser, Keys.TAB)
    browser.until("ds-skip", lambda: active(browser))
    press(browser, Keys.ENTER)
    browser.wait("return document.activeElement.classList.contains('ds-content')")
    press(browser, Keys.TAB)
    browser.wait("return !!document.activeElement.closest('.ds-content')")


def test_every_stop_is_seen(browser, bundle: Path) -> None:
    browser.open((bundle / "reference/components.html").as_uri())
    for _ in range(45):
        press(browser, Keys.TAB)
        outline, shown = browser.run(
            "const each = document.activeElement; const card = each.closest('.ds-card') ?? each;"
            "return [getComputedStyle(each).outlineStyle + getComputedStyle(card).outlineStyle,"
            " each.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })]"
        )
        assert "solid" in outline, active(browser)
        assert shown, active(browser)


def test_the_drawer_takes_the_focus_and_gives_it_back(browser, bundle: Path) -> None:
    browser.resize(600, 900)
    browser.open((bundle / "quickstart.html").as_uri())
    button = browser.driver.find_element("css selector", ".ds-drawer-button")
    button.send_keys(Keys.ENTER)
    browser.wait(_SIDEBAR_IS_OPEN)
    press(browser, Keys.TAB)
    browser.wait("return !!document.activeElement.closest('.ds-sidebar')")
    press(browser, Keys.ESCAPE)
    browser.expect(False, _SIDEBAR_IS_OPEN)
    browser.until(button, lambda: browser.driver.switch_to.active_element)


def test_arrows_move_in_a_menu(browser, bundle: Path) -> None:
    browser.open((bundle / "quickstart.html").as_uri())
    menu = browser.driver.find_element("css selector", ".ds-actions-more")
    summary = menu.find_element("css selector", "summary")
    options = menu.find_elements("css selector", ".ds-option")
    is_open = "return document.querySelector('.ds-actions-more').open"
    summary.send_keys(Keys.ARROW_DOWN)
    focused = browser.driver.switch_to
    browser.until(options[0], lambda: focused.active_element)
    for key, index in [
        (Keys.ARROW_DOWN, 1),
        (Keys.ARROW_UP, 0),
        (Keys.ARROW_UP, -1),
        (Keys.ARROW_DOWN, 0),
        (Keys.END, -1),
        (Keys.HOME, 0),
    ]:
        press(browser, key)
        browser.until(options[index], lambda index=index: focused.active_element)
    press(browser, Keys.ESCAPE)
    browser.expect(False, is_open)
    assert focused.active_element == summary

    press(browser, Keys.ARROW_UP)
    browser.until(options[-1], lambda: focused.active_element)
    press(browser, Keys.TAB)
    browser.expect(False, is_open)


@pytest.mark.parametrize("page", ["index", "reference/static-export", "reference/components"])
def test_nothing_is_cut_on_the_smallest_screens(browser, bundle: Path, page: str) -> None:
    size = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        browser.open((bundle / f"{page}.html").as_uri())
        browser.expect(360, "return innerWidth")
        browser.expect([], _CUT)
        browser.run("document.querySelector('.ds-actions-more').open = true")
        browser.expect([], _CUT)
    finally:
        browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_paper_is_light_whatever_the_screen(browser, bundle: Path) -> None:
    browser.emulate("light")
    browser.open((bundle / "quickstart.html").as_uri())
    browser.run("localStorage.clear()")  # pages of a disk are of one origin, here and in any test
    browser.open((bundle / "quickstart.html").as_uri())
    ink = browser.run(_COLOR)
    dark = {"name": "prefers-color-scheme", "value": "dark"}
    media = {"media": "print", "features": [dark]}
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    browser.wait("return document.documentElement.dataset.theme === 'dark'")
    browser.expect(ink, _COLOR)
    hidden = "return getComputedStyle(document.querySelector(arguments[0])).display"
    for part in (".ds-header", ".ds-sidebar", ".ds-aside", ".ds-actions", ".ds-skip"):
        assert browser.run(hidden, part) == "none", part
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


def test_nothing_moves_for_readers_who_want_no_motion(browser, bundle: Path) -> None:
    still = {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", still)
    browser.open((bundle / "reference/components.html").as_uri())
    moving = browser.run(
        "return [...document.querySelectorAll('body *')].filter((each) => {"
        " const style = getComputedStyle(each);"
        " return parseFloat(style.transitionDuration) > 0.01"
        " || (style.animationName !== 'none' && style.animationTimeline === 'auto');"
        "}).map((each) => each.className)"
    )
    assert moving == []  # fades that follow the scroll position are no motion
