"""Content that needs a browser: rows of tabs, anchors, utility classes and formulas."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser


def test_the_chosen_one_of_many_tabs_is_in_sight(browser: Any, content: Path) -> None:
    browser.open((content / "tabs.html").as_uri())
    is_seen = """const [list] = document.querySelectorAll('[role=tablist]');
        const chosen = list.querySelector('[aria-selected=true]').getBoundingClientRect();
        const { left, right } = list.getBoundingClientRect();
        const hidden = list.scrollWidth - list.clientWidth, fade = 40;
        return hidden > 0 && chosen.left >= left + (list.scrollLeft > 0 && fade)
            && chosen.right <= right - (list.scrollLeft < hidden - 1 && fade)"""
    browser.expect(True, is_seen)
    for number in (*range(20), 12, 4, 19):
        browser.run("document.querySelectorAll('[role=tab]')[arguments[0]].click()", number)
        browser.expect(True, is_seen)
    browser.open((content / "tabs.html").as_uri())
    browser.expect(True, is_seen)
    assert browser.run("return document.querySelector('[aria-selected=true]').innerText").endswith(
        "19"
    )


def test_a_row_of_tabs_fades_where_more_of_them_are_hidden(browser: Any, content: Path) -> None:
    browser.open((content / "tabs.html").as_uri())
    list_ = "document.querySelector('[role=tablist]')"
    faded = f"""const style = getComputedStyle({list_});
        return ["start", "end"].map((each) => style.getPropertyValue(`--ds-fade-${{each}}`))"""
    browser.run(f"{list_}.scrollLeft = 0")
    browser.expect(["0px", "40px"], faded)
    browser.run(f"{list_}.scrollLeft = {list_}.scrollWidth / 2")
    browser.expect(["40px", "40px"], faded)
    browser.run(f"{list_}.scrollLeft = {list_}.scrollWidth")
    browser.expect(["40px", "0px"], faded)
    browser.expect(
        ["0px", "0px"], faded.replace("[role=tablist]", "[role=tablist]:not(:has(:nth-child(3)))")
    )
    browser.emulate("reduce", "prefers-reduced-motion")
    assert browser.run(faded) == ["40px", "0px"]


def test_utility_classes_have_their_effect(browser: Any, content: Path) -> None:
    browser.open((content / "classes.html").as_uri())
    style = """const style = getComputedStyle(document.getElementById(arguments[0]));
        return arguments[1].map((name) => style[name])"""
    assert browser.run(style, "plain", ["display", "paddingTop", "width"]) == [
        "flex",
        "16px",
        "123px",
    ]
    assert "gradient" in browser.run(style, "states", ["backgroundImage"])[0]
    assert browser.run(style, "states", ["boxShadow"]) != ["none"]
    browser.run("document.documentElement.dataset.theme = 'light'")
    browser.expect(["block"], style, "dark", ["display"])
    browser.run("document.documentElement.dataset.theme = 'dark'")
    browser.expect(["none"], style, "dark", ["display"])


def test_formulas_have_their_fonts_and_are_accessible(browser: Any, content: Path) -> None:
    browser.requests()
    browser.open((content / "maths.html").as_uri())
    assert browser.run("return document.querySelectorAll('.katex-mathml math').length") == 2
    used = """return document.fonts.ready.then((all) =>
        [...all].filter((font) => font.status === "loaded").map((font) => font.family))"""
    assert browser.until_true(lambda: {"KaTeX_Main", "KaTeX_Math"} <= set(browser.run(used)))
    assert [url for url in browser.requests() if "/math." in url]
    browser.open((content / "index.html").as_uri())
    assert not [url for url in browser.requests() if "/math." in url]


def test_a_part_is_found_by_the_name_that_others_give_it(browser: Any, content: Path) -> None:
    browser.open((content / "parts.html").as_uri() + "#step-2%3A-run-it")
    top = "return document.getElementById('step-2-run-it').getBoundingClientRect().top"
    assert browser.until_true(lambda: 0 <= browser.run(top) < browser.run("return innerHeight"))
