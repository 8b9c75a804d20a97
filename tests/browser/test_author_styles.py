"""Style sheets and scripts of authors on a page of ours, as they met the original's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from exported_folders import export_folder

pytestmark = pytest.mark.browser

SITE = Path(__file__).parent.parent.parent / "evals/datasets/author_site"
STYLES = """
ol, ul { list-style: none; margin: 0 }
#content-container { margin-left: calc(304px + 64px); width: min(1080px, 100vw - 304px - 128px) }
"""
PREPARE = """
const add = (html, place = ".ds-content") => {
  document.querySelector(place).insertAdjacentHTML("beforeend", html);
  return document.querySelector(place).lastElementChild;
};
const style = (element) => getComputedStyle(element);
const box = (selector) => document.querySelector(selector).getBoundingClientRect();
"""
LOOKS = {
    "a wide content box stays in the window": (
        "const {left, right} = box('#content-container');"
        "return left > 360 && left <= 400 && right <= innerWidth",
        True,
    ),
    "scripts find the end of the header": (
        "return document.querySelector('header .topbar-right-container') !== null",
        True,
    ),
    "lists keep their marks after a reset": (
        "return ['ul', 'ol'].map((tag) => style(add(`<${tag}><li>a</li></${tag}>`)).listStyleType)",
        ["disc", "decimal"],
    ),
    "prose in prose has no margin at its ends": (
        "const text = add('<div class=prose><p>a</p></div>').firstChild;"
        "const {marginTop, marginBottom} = style(text);"
        "return [marginTop, marginBottom]",
        ["0px", "0px"],
    ),
    "a paragraph in a link as button has no margin": (
        "return style(add('<a href=\"#\"><p>a</p></a>').firstChild).margin",
        "0px",
    ),
    "pictures in tabs are as large as the text": (
        'const image = \'<img class="ds-icon ds-icon-image" src="data:,">\';'
        "const icon = add(image, '.nav-tabs-item');"
        "return style(icon).width === style(icon.parentElement).fontSize",
        True,
    ),
    "signs of headings take no room": (
        "return style(document.querySelector('.ds-heading-anchor')).position",
        "absolute",
    ),
    "Chinese is not slanted": (
        "return style(add('<p lang=zh><em>a</em></p>').firstChild).fontStyle",
        "normal",
    ),
    "wrapped code continues beside its line numbers, below its own indentation": (
        "const line = add('<div class=ds-code data-wrap data-lines>'"
        " + '<pre style=\"width:12em\"><code>'"
        " + '<span class=ds-line style=\"--ds-indent:4\">    first and more words</span>'"
        " + '</code></pre></div>').querySelector('.ds-line').firstChild;"
        "const left = (at) => { const part = document.createRange();"
        " part.setStart(line, at); part.setEnd(line, at + 1);"
        " return Math.round(part.getBoundingClientRect().left) };"
        "return left(4) === left(line.data.lastIndexOf(' ') + 1)",
        True,
    ),
    "without the search, the header ends at the right": (
        "document.querySelectorAll('[id^=search-bar-entry]').forEach((each) => each.remove());"
        "return box('.ds-bar').right - box('.ds-bar-end').right < 40",
        True,
    ),
}


def test_pages_stand_what_authors_do_to_them(browser: Any, tmp_path: Path) -> None:
    site = export_folder(SITE, tmp_path / "site")
    browser.resize(1440, 900)
    browser.open((site / "components.html").as_uri())
    browser.run("document.head.append(document.createElement('style'))")
    browser.run("document.head.lastElementChild.textContent = arguments[0]", STYLES)
    seen = {name: browser.run(PREPARE + look) for name, (look, _) in LOOKS.items()}
    assert seen == {name: expected for name, (_, expected) in LOOKS.items()}
