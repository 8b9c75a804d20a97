"""Layout of pages before their scripts have run, and without scripts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from exported_folders import export_folder

pytestmark = pytest.mark.browser

PAGE = """---
title: One
---

<RequestExample>
```bash
curl https://api.example.com
```
</RequestExample>

## Below

Words.
"""
SETTINGS = {
    "name": "Early",
    "theme": "mint",
    "colors": {"primary": "#0F766E"},
    "navigation": {"groups": [{"group": "All", "pages": ["one"]}]},
}
HEIGHT = "return document.querySelector('.ds-content [data-ds-example]').offsetHeight"
BEGIN = """for (const a of document.getAnimations()) {
    if (a.timeline === document.timeline) { a.pause(); a.currentTime = 0; }
}"""
COLUMNS = "return getComputedStyle(document.querySelector('.ds-layout')).gridTemplateColumns"


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("early")
    source, target = root / "source", root / "out"
    source.mkdir()
    (source / "docs.json").write_text(json.dumps(SETTINGS))
    (source / "one.mdx").write_text(PAGE)
    export_folder(source, target)
    html = (target / "one.html").read_text()
    without, count = re.subn(r'<script src="[^"]*/shell\.[^"]*"></script>', "", html)
    assert count == 1
    (target / "without.html").write_text(without)
    return target


def test_examples_beside_a_page_have_their_space_before_the_script_moves_them(
    browser: Any, exported: Path
) -> None:
    browser.open((exported / "one.html").as_uri())
    browser.wait("return document.querySelector('.ds-aside [data-ds-example]') !== null")
    stable = browser.run(COLUMNS)
    browser.open((exported / "without.html").as_uri())
    browser.run(BEGIN)  # however long the browser took
    assert browser.run(HEIGHT) == 0
    assert browser.run(COLUMNS) == stable
    browser.run("document.querySelector('.ds-content').replaceChildren()")  # not yet parsed
    assert browser.run(COLUMNS) == stable


def test_examples_take_no_space_early_where_the_reader_wants_no_motion(
    browser: Any, exported: Path
) -> None:
    still = {"name": "prefers-reduced-motion", "value": "reduce"}
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [still]})
    browser.open((exported / "without.html").as_uri())
    browser.run(BEGIN)
    assert browser.run(HEIGHT) == 0


def test_examples_stand_in_the_page_where_the_script_never_comes(
    browser: Any, exported: Path
) -> None:
    browser.open((exported / "without.html").as_uri())
    browser.wait(f"{HEIGHT} > 40")
    browser.resize(900, 900)
    browser.open((exported / "without.html").as_uri())
    assert browser.run(HEIGHT) > 40  # nothing is moved on narrow screens
