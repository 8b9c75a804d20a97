"""Diagrams in a browser: published drawings, and those that the page renders itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser


def test_diagrams_are_rendered_and_named_and_a_broken_one_is_shown_as_code(
    browser: Any, content: Path
) -> None:
    browser.open((content / "diagrams.html").as_uri())
    states = """return [...document.querySelectorAll('.ds-mermaid')].map((each) => [
        'drawn' in each.dataset, 'failed' in each.dataset,
        each.querySelector('[role=img]')?.getAttribute('aria-label') ?? null,
        each.querySelectorAll('.ds-mermaid-actions button').length])"""
    browser.expect([[True, False, "Diagram", 7], [True, False, "Diagram", 0]], states)
    code = "[...document.querySelectorAll('pre')].filter((each) => each.checkVisibility())"
    browser.expect(["this is no diagram at all"], f"return {code}.map((e) => e.innerText.trim())")


@pytest.mark.parametrize(("page", "is_complete"), [("common", False), ("rare", True)])
def test_only_rare_diagrams_load_the_complete_library(
    browser: Any, content: Path, page: str, is_complete: bool
) -> None:
    browser.requests()
    browser.open((content / f"{page}.html").as_uri())
    waiting = "document.querySelectorAll('.ds-mermaid:not([data-drawn])').length"
    browser.expect(0, f"return {waiting}")
    asked = [url for url in browser.requests() if "/mermaid-all." in url]
    assert bool(asked) is is_complete


def test_a_diagram_is_enlarged_by_its_button(browser: Any, content: Path) -> None:
    browser.open((content / "diagrams.html").as_uri())
    button = "document.querySelector('.ds-mermaid-actions [aria-label=\"Zoom in\"]')"
    assert browser.until_true(lambda: browser.run(f"return {button} !== null"))
    browser.run(f"{button}.click()")
    transform = "return document.querySelector('.ds-mermaid-stage > svg').style.transform"
    browser.expect("translate(0px, 0px) scale(1.25)", transform)


def test_pages_without_diagrams_do_not_load_the_library(browser: Any, content: Path) -> None:
    browser.requests()
    browser.open((content / "index.html").as_uri())
    assert not [url for url in browser.requests() if "mermaid" in url]
    browser.open((content / "rare.html").as_uri())
    assert browser.until_true(lambda: [a for a in browser.requests() if "/mermaid." in a])


def test_a_published_drawing_needs_no_library_and_follows_the_theme(
    browser: Any, content: Path
) -> None:
    browser.requests()
    browser.open((content / "published.html").as_uri())
    browser.expect(7, "return document.querySelectorAll('.ds-mermaid-actions button').length")
    fill = """document.documentElement.dataset.theme = arguments[0];
        return getComputedStyle(document.querySelector('.ds-drawing .node text')).fill"""
    assert browser.run(fill, "light") == "rgb(0, 0, 0)"
    assert browser.run(fill, "dark") == "rgb(204, 204, 204)"
    assert not [url for url in browser.requests() if "/mermaid" in url]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_messages_can_be_read_on_the_blocks_of_authors(
    browser: Any, content: Path, theme: str
) -> None:
    """A block as bright as its texts is only a tint on the page."""
    browser.open((content / "blocks.html").as_uri())
    opacities = """document.documentElement.dataset.theme = arguments[0];
        return Object.fromEntries([...document.querySelectorAll('.ds-drawing rect.rect')].map(
            (each) => [each.getAttribute('fill'), getComputedStyle(each).fillOpacity]))"""
    tinted, full = ("rgb(20, 20, 60)", "rgb(240, 245, 255)")[:: 1 if theme == "light" else -1]
    assert browser.run(opacities, theme) == {tinted: "0.16", full: "1"}


def test_texts_on_the_fills_of_authors_can_be_read_where_the_browser_renders(
    browser: Any, content: Path
) -> None:
    browser.emulate("dark")
    browser.open((content / "fills.html").as_uri())
    browser.expect(2, "return document.querySelectorAll('.ds-mermaid[data-drawn]').length")
    tint = "return getComputedStyle(document.querySelector('.ds-mermaid rect.rect')).fillOpacity"
    assert browser.run(tint) == "0.16"
    colors = """return Object.fromEntries([...document.querySelectorAll('.ds-mermaid .node')].map(
        (node) => [node.textContent.trim(), getComputedStyle(node.querySelector('span')).color]))"""
    found = browser.run(colors)
    assert (found["pale"], found["own"]) == ("rgb(17, 17, 17)", "rgb(255, 0, 0)")
    assert found["plain"] not in (found["pale"], found["own"])


def test_a_drawing_with_its_own_styles_follows_the_theme(browser: Any, content: Path) -> None:
    browser.requests()
    browser.open((content / "own.html").as_uri())
    fill = """document.documentElement.dataset.theme = arguments[0];
        const part = document.querySelector('.ds-drawing-own ' + arguments[1]);
        return getComputedStyle(part).fill"""
    assert browser.run(fill, "light", "line") != browser.run(fill, "dark", "line")
    for theme in ("light", "dark"):  # dark texts on bright branches
        assert browser.run(fill, theme, ".section-root text") == "rgb(17, 17, 17)"
    assert not [url for url in browser.requests() if "/mermaid" in url]


def test_labels_of_published_drawings_fit_their_boxes(browser: Any, content: Path) -> None:
    browser.open((content / "published.html").as_uri())
    outside = """return document.fonts.ready.then(() =>
        [...document.querySelectorAll('.ds-drawing .node:has(text)')].filter((node) =>
            node.querySelector('text').getBBox().width >
            node.querySelector('.label-container').getBBox().width).length)"""
    browser.expect(0, outside)
