"""Pages on paper."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from exported_folders import export_folder

pytestmark = pytest.mark.browser

TABS = "<Tabs>\n<Tab title='One'>\nFirst.\n</Tab>\n<Tab title='Two'>\nSecond.\n</Tab>\n</Tabs>\n"
STEPS = "---\ntitle: Steps\n---\n<Steps>\n{}</Steps>\n".format(
    "".join(
        f"<Step title='Step {n}'>\n```js\n" + "run();\n" * 36 + "```\n</Step>\n" for n in range(6)
    )
)
TERM = """---
title: Term
---
A <Tooltip headline="API" tip="A contract" href="/tabs" cta="Read more">term</Tooltip>.
"""
TABLE = """---
title: Table
---
| Name | Meaning | Since | More |
|---|---|---|---|
| `applicationConfigurationSettingOfMembers` | {text} | 1.0 | {text} |
""".format(text="A sentence that is longer than a line. " * 4)
OPERATION = {
    "openapi": "3.1.0",
    "info": {"title": "Users", "version": "1"},
    "servers": [{"url": "https://api.example.com"}],
    "paths": {
        "/users": {
            "get": {
                "responses": {
                    status: {
                        "description": "Users",
                        "content": {"application/json": {"example": {"status": status}}},
                    }
                    for status in ("200", "404")
                }
            }
        }
    },
}
_SHOWN = """return [...document.querySelectorAll(`[data-ds-example=${arguments[0]}] .ds-code`)]
    .filter((each) => each.offsetHeight > 0).map((each) => each.dataset.title)"""


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("paper")
    source, target = root / "source", root / "out"
    source.mkdir()
    pages = {
        "operation": "---\nopenapi: GET /users\n---\n",
        "term": TERM,
        "steps": STEPS,
        "table": TABLE,
        "tabs": TABS,
    }
    config = {
        "name": "Paper",
        "theme": "mint",
        "colors": {"primary": "#0F766E"},
        "navigation": {"groups": [{"group": "All", "pages": list(pages)}]},
    }
    (source / "docs.json").write_text(json.dumps(config))
    (source / "openapi.json").write_text(json.dumps(OPERATION))
    for name, text in pages.items():
        (source / f"{name}.mdx").write_text(text)
    return export_folder(source, target)


@contextmanager
def on_paper(browser: Any) -> Iterator[None]:
    """Lay out the page for A4."""
    size = {"width": 658, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        browser.expect(658, "return innerWidth")
        yield
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_long_steps_leave_no_white_pages_on_paper(browser: Any, exported: Path) -> None:
    browser.open((exported / "steps.html").as_uri())
    divided = printed_pages(browser)
    browser.run(
        "document.head.insertAdjacentHTML('beforeend', arguments[0])",
        "<style>.ds-code, .ds-step { break-inside: avoid !important }</style>",
    )
    assert divided < printed_pages(browser)


def printed_pages(browser: Any) -> int:
    printed = browser.driver.execute_cdp_cmd("Page.printToPDF", {})
    return len(re.findall(rb"/Type /Page\b", base64.b64decode(printed["data"])))


def test_on_paper_tabs_keep_their_distance(browser: Any, exported: Path) -> None:
    browser.open((exported / "tabs.html").as_uri())
    browser.wait("return document.querySelectorAll('.ds-tab[data-ready]').length === 2")
    distance = """const [one, two] = document.querySelectorAll('.ds-tab');
        return two.getBoundingClientRect().top - one.getBoundingClientRect().bottom"""
    with on_paper(browser):
        assert browser.run(distance) > 0


def test_on_paper_a_name_in_a_table_takes_two_lines_at_most(browser: Any, exported: Path) -> None:
    browser.open((exported / "table.html").as_uri())
    lines = "return document.querySelector('td code').getClientRects().length"
    with on_paper(browser):
        assert browser.run(lines) <= 2


def test_paper_shows_all_of_an_example(browser: Any, exported: Path) -> None:
    browser.open((exported / "operation.html").as_uri())
    browser.wait("return document.querySelector('.ds-aside .ds-example') !== null")
    height = "return getComputedStyle(document.querySelector('.ds-example pre')).maxHeight"
    with on_paper(browser):
        assert browser.run(height) == "none"


def test_a_request_is_printed_in_the_selected_language(browser: Any, exported: Path) -> None:
    browser.open((exported / "operation.html").as_uri())
    browser.wait("return document.querySelector('.ds-code-group[data-ready]') !== null")
    tab = "[data-ds-example=request] [role=tab]:nth-child(2)"
    browser.run("document.querySelector(arguments[0]).click()", tab)
    with on_paper(browser):
        browser.expect(["Python"], _SHOWN, "request")
        assert browser.run(_SHOWN, "response") == ["200", "404"]


def test_explanations_of_terms_are_printed_within_the_line(browser: Any, exported: Path) -> None:
    browser.open((exported / "term.html").as_uri())
    with on_paper(browser):
        height = "return document.querySelector('.ds-content > p').offsetHeight"
        assert browser.run(height) < 40
