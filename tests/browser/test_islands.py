"""Components with state come to life in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser


def test_a_component_with_state_comes_to_life(browser: Any, content: Path) -> None:
    browser.open((content / "islands.html").as_uri())
    count = "return document.getElementById('counter').textContent"
    assert browser.run(count) == "3"
    assert browser.until_true(
        lambda: browser.run("return document.querySelector('[data-alive]') !== null")
    )
    browser.run("document.getElementById('counter').click()")
    assert browser.until_true(lambda: browser.run(count) == "4")
    assert browser.complaints() == []


def test_what_a_component_hides_at_first_can_be_shown(browser: Any, content: Path) -> None:
    browser.open((content / "islands.html").as_uri())
    assert browser.until_true(
        lambda: browser.run("return document.querySelectorAll('[data-alive]').length == 3")
    )
    assert browser.run("return document.querySelector('#choice a')") is None
    assert browser.run("return document.querySelector('#choice button svg') !== null")
    browser.run("document.querySelector('#choice button').click()")
    link = "return document.querySelector('#choice a')?.getAttribute('href')"
    assert browser.until_true(lambda: browser.run(link)) == "index.html"
    assert browser.run("return document.querySelector('#choice button').textContent") == " More"
    assert browser.run("return document.querySelector('#choice button svg') !== null")


def test_a_component_that_needs_a_browser_is_rendered_there(browser: Any, content: Path) -> None:
    assert "always the same" in (content / "islands.html").read_text()
    browser.open((content / "islands.html").as_uri())
    width = "return document.getElementById('size')?.textContent"
    assert browser.until_true(lambda: browser.run(width)) == str(
        browser.run("return window.innerWidth")
    )


def test_a_component_without_state_is_no_island(browser: Any, content: Path) -> None:
    browser.open((content / "islands.html").as_uri())
    assert browser.run("return document.querySelector('ds-island #still')") is None


def test_code_in_a_component_stays_as_it_was_rendered(browser: Any, content: Path) -> None:
    browser.open((content / "nested.html").as_uri())
    blocks = """return [...document.querySelectorAll('#code .ds-code')]
        .map((each) => [each.querySelectorAll('code span').length > 1, each.textContent])"""
    first = [[True, "a.pydef f(): return 1"]]
    assert browser.until_true(
        lambda: browser.run("return document.querySelector('[data-alive]') !== null")
    )
    assert browser.until_true(lambda: browser.run(blocks)) == first
    browser.run("document.querySelector('#code button').click()")
    both = [*first, first[0]]
    assert browser.until_true(lambda: browser.run(blocks) == both), browser.run(blocks)
    assert browser.complaints() == []


def test_links_that_a_component_renders_later_lead_to_pages(browser: Any, content: Path) -> None:
    browser.open((content / "nested.html").as_uri())
    assert browser.until_true(
        lambda: browser.run("return document.querySelector('[data-alive]') !== null")
    )
    browser.run("document.querySelector('#code button').click()")
    link = "return document.querySelector(arguments[0])?.href"
    assert browser.until_true(lambda: browser.run(link, "#first")) == (
        (content / "folder/deep.html").as_uri() + "#x"
    )
    assert browser.run(link, "#code a.ds-card") == (content / "classes.html").as_uri()


def test_a_component_within_a_hidden_part_comes_to_life_with_it(
    browser: Any, content: Path
) -> None:
    browser.open((content / "nested.html").as_uri())
    assert browser.until_true(
        lambda: browser.run("return document.querySelectorAll('[data-alive]').length == 2")
    )
    assert browser.run("return document.querySelector('#inner')") is None
    browser.run("document.querySelector('#choice button').click()")
    count = "return document.querySelector('#inner')?.textContent"
    assert browser.until_true(lambda: browser.run(count) == "0")
    browser.run("document.querySelector('#inner').click()")
    assert browser.until_true(lambda: browser.run(count) == "1")


def test_only_pages_with_islands_load_their_runtime(browser: Any, content: Path) -> None:
    browser.requests()
    browser.open((content / "classes.html").as_uri())
    assert not [url for url in browser.requests() if "islands" in url]
    scripts = sorted((content / "_islands").iterdir())
    assert [path.name.split(".")[0] for path in scripts] == ["islands", "nested"]
    assert not [path for path in scripts if "_createMdxContent" in path.read_text()]
