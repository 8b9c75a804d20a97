"""Pages in Arabic, and names that no line of a phone holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains

from exported_folders import export_folder

pytestmark = pytest.mark.browser

ARABIC = """---
title: مرحبًا
---
$$
a = b
$$

<Card title="المكونات" href="/ar/more" arrow cta="اقرأ المزيد">نص قصير.</Card>

<CodeGroup>
```bash One
echo one
```
```bash Two
echo two
```
</CodeGroup>
"""
KEY = "configuration.database.connectionPool.maximumLifetimeBeforeForcedReconnection"
NAMES = f"""---
title: Names
---
<Badge>{KEY}</Badge>

<Update label="{KEY}" description="{KEY}">
Text.
</Update>

<Note>
- one

  ```js
  run();
  ```
</Note>
"""
EXCESS = """return [...document.querySelectorAll(arguments[0])].filter((each) =>
  each.getBoundingClientRect().right > innerWidth || each.scrollWidth > each.clientWidth).length"""


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("languages")
    (root / "source/ar").mkdir(parents=True)
    config = {
        "name": "Names",
        "theme": "mint",
        "colors": {"primary": "#0F766E"},
        "navigation": {
            "languages": [
                {"language": "en", "pages": ["index"]},
                {"language": "ar", "pages": ["ar/index", "ar/more"]},
            ]
        },
    }
    (root / "source/docs.json").write_text(json.dumps(config))
    (root / "source/index.mdx").write_text(NAMES)
    (root / "source/ar/index.mdx").write_text(ARABIC)
    (root / "source/ar/more.mdx").write_text("---\ntitle: المزيد\n---\nنص.\n")
    return export_folder(root / "source", root / "out")


@pytest.fixture
def arabic(browser: Any, exported: Path) -> Any:
    browser.resize(1280, 900)
    browser.open((exported / "ar/index.html").as_uri())
    assert browser.run("return document.documentElement.dir") == "rtl"
    return browser


def test_formulas_run_from_the_left(arabic: Any) -> None:
    order = """const left = (text) => [...document.querySelectorAll('.katex-html .mord')]
        .find((each) => each.innerText === text).getBoundingClientRect().left;
      return left('a') < left('b')"""
    assert arabic.run(order)


def test_arrows_of_cards_are_turned(arabic: Any) -> None:
    """The line across ends in the corner of the arrow, and goes with the pointer to the left."""
    origin = "return getComputedStyle(document.querySelector('.ds-card-arrow'), '::before').right"
    assert arabic.run(origin) == "0px"
    card = arabic.driver.find_element("css selector", ".ds-card")
    arabic.run("arguments[0].scrollIntoView({ block: 'center' })", card)
    from_left = """const cta = document.querySelector('.ds-card-cta');
      return parseFloat(getComputedStyle(cta, '::after').translate) < 0"""
    ActionChains(arabic.driver).move_to_element(card).perform()
    arabic.wait(from_left)


def test_tabs_of_code_stand_where_titles_of_code_do(arabic: Any) -> None:
    directions = """return [".ds-code-group", ".ds-code-bar", ".ds-code"].map(
      (each) => getComputedStyle(document.querySelector(each)).direction)"""
    assert arabic.run(directions) == ["ltr"] * 3
    fade = """const tabs = document.querySelector('.ds-code-bar .ds-tab-list');
      return getComputedStyle(tabs).getPropertyValue('--ds-onward')"""
    assert arabic.run(fade) == "90deg"


def test_long_names_stay_within_the_screen_of_a_phone(browser: Any, exported: Path) -> None:
    browser.resize(390, 844)
    browser.open((exported / "index.html").as_uri())
    names = ".ds-badge, .ds-update-label, .ds-update-description"
    assert browser.run("return document.querySelectorAll(arguments[0]).length", names) == 3
    assert browser.run(EXCESS, names) == 0


def test_a_callout_ends_as_close_to_its_last_code_as_to_its_text(
    browser: Any, exported: Path
) -> None:
    browser.open((exported / "index.html").as_uri())
    distance = """const box = document.querySelector('.ds-callout');
      const code = box.querySelector('.ds-code').getBoundingClientRect();
      return box.getBoundingClientRect().bottom - code.bottom"""
    assert browser.run(distance) < 24


def test_a_phone_says_below_the_field_that_nothing_matches(browser: Any, exported: Path) -> None:
    browser.resize(390, 844)
    browser.open((exported / "index.html").as_uri())
    browser.run("document.getElementById('search-bar-entry-mobile').click()")
    browser.wait("return document.querySelector('.ds-search-dialog input') !== null")
    browser.driver.switch_to.active_element.send_keys("zzqqxx")
    note = "document.querySelector('.ds-search-note')"
    browser.wait(f"return {note} && !{note}.hidden")
    assert browser.run(f"return {note}.getBoundingClientRect().top < innerHeight / 2")


@pytest.mark.parametrize(("page", "away"), [("index.html", -1), ("ar/index.html", 1)])
def test_the_drawer_comes_from_its_edge_without_showing_through(
    browser: Any, exported: Path, page: str, away: int
) -> None:
    with browser.phone():
        browser.emulate("no-preference", "prefers-reduced-motion")
        browser.open((exported / page).as_uri())
        first = """const drawer = document.querySelector('.ds-sidebar');
            drawer.showPopover();
            const [slide] = drawer.getAnimations();
            slide.pause();
            slide.currentTime = 0;
            const { left, width } = drawer.getBoundingClientRect();
            const style = getComputedStyle(drawer);
            return [Math.round((left - (innerWidth - width) * (arguments[0] > 0)) / width),
                style.opacity];"""
        assert browser.run(first, away) == [away, "1"]
