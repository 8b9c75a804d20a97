"""Layout of pages on wide screens and on phones."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from docstead.markup.assets import BuiltAssets
from exported_folders import export_folder

pytestmark = pytest.mark.browser

GUIDE = (
    "## First\n\nPass `--dry-run` to see what would happen.\n\n"
    + "Text.\n\n" * 60
    + "## Second\n\n"
    + "| Option | Type | Text |\n|---|---|---|\n"
    + "| `--option-1` | `string` | What the option does, and when it is read at all. |\n"
    + "| `ACME_PLAYGROUND_REQUESTS_PER_MINUTE` | `integer` | The most requests of a minute. |\n"
    + "\nText.\n" * 60
    + "\n## Third\n\n### `connect(host)`\n\nText.\n"
)
LONG_NAME = "listPaymentMethodConfigurationsByAccount"
PIECES = f"""---
title: {LONG_NAME}
---
## First

| Name | Type |
|---|---|
| id | text |

|  |  |
|---|---|
| id | text |

```bash
npm install
```

```bash wrap
echo {"word " * 40}
```

```bash
echo {"word " * 40}
echo
```

```bash {{1}}
echo {"word " * 40}
```

```diff lines
- one
```

| Name | Each | head | is | one | long | word | that | does | not | break |
|---|---|---|---|---|---|---|---|---|---|---|
| id | text | text | text | text | text | text | text | text | text | text |
"""
STEPS = "---\ntitle: Steps\n---\n<Steps>\n{}</Steps>\n".format(
    "".join(
        f"<Step title='Step {n}'>\n```js\n" + "run();\n" * 36 + "```\n</Step>\n" for n in range(6)
    )
)
TABS = '<nav class="ds-tabs-bar"><ul><li><a class="ds-nav-tab" href="#">One</a></li></ul></nav>'
OPERATION = {
    "openapi": "3.1.0",
    "info": {"title": "Users", "version": "1"},
    "servers": [{"url": "https://api.example.com"}],
    "paths": {"/users": {"get": {"responses": {"200": {"description": "Fine."}}}}},
}


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("layout")
    source, target = root / "source", root / "out"
    source.mkdir()
    config = {
        "name": "Layout",
        "theme": "sequoia",
        "colors": {"primary": "#0F766E"},
        "navigation": {
            "groups": [{"group": "All", "pages": ["guide", "operation", "pieces", "steps"]}]
        },
        "contextual": {"options": ["copy", "view"]},
        "navbar": {
            "links": [
                {"label": f"Link number {n}", "href": f"https://{n}.example.com"} for n in range(5)
            ],
            "primary": {
                "type": "button",
                "label": "Create a free sandbox",
                "href": "https://example.com",
            },
        },
    }
    (source / "docs.json").write_text(json.dumps(config))
    (source / "openapi.json").write_text(json.dumps(OPERATION))
    (source / "guide.mdx").write_text(f"---\ntitle: Guide\n---\n{GUIDE}")
    (source / "pieces.mdx").write_text(PIECES)
    (source / "steps.mdx").write_text(STEPS)
    (source / "operation.mdx").write_text("---\nopenapi: GET /users\n---\n")
    return export_folder(source, target)


@contextmanager
def phone(browser: Any) -> Iterator[None]:
    """Windows of a browser are never as narrow as a phone."""
    size = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        yield
    finally:
        browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_page_does_not_move_when_its_examples_go_beside_it(browser: Any, exported: Path) -> None:
    browser.open((exported / "operation.html").as_uri())
    browser.wait("return document.querySelector('.ds-aside .ds-example') !== null")
    positions = """const at = (each) => JSON.stringify(document.querySelector(each)
        .getBoundingClientRect());
        return at('.ds-main') + at('.ds-section-head') + at('.ds-aside')"""
    moved = browser.run(positions)
    # As it was before the script came to the end of the page.
    browser.run(
        """const examples = document.querySelectorAll('.ds-aside .ds-example');
        document.querySelector('.ds-content > *').prepend(...examples)"""
    )
    assert browser.run(positions) == moved


def test_on_a_phone_the_bar_of_contents_says_what_is_read(browser: Any, exported: Path) -> None:
    shown = "return document.querySelector('.ds-contents-now').innerText"
    with phone(browser):
        browser.open((exported / "guide.html").as_uri())
        browser.run("document.getElementById('second').scrollIntoView({ behavior: 'instant' })")
        browser.expect("Second", shown)
        bar, heading = browser.run(
            """const box = (each) => document.querySelector(each).getBoundingClientRect();
            return [box('.ds-contents-inline').bottom, box('#second').top]"""
        )
        assert heading >= bar
        browser.run("scrollTo({ top: 0, behavior: 'instant' })")
        browser.expect("", shown)


def test_on_a_phone_the_contents_close_when_the_page_scrolls(browser: Any, exported: Path) -> None:
    with phone(browser):
        browser.open((exported / "guide.html").as_uri())
        browser.run("document.querySelector('.ds-contents-inline > summary').click()")
        contents = "document.querySelector('.ds-contents-inline')"
        browser.wait(f"return {contents}.dataset.state === 'open'")
        browser.run("scrollTo({ top: innerHeight, behavior: 'instant' })")
        browser.expect(False, f"return {contents}.open")


def test_at_the_top_of_a_tall_window_the_first_heading_is_marked(
    browser: Any, exported: Path
) -> None:
    size = {"width": 1440, "height": 12000, "deviceScaleFactor": 0.2, "mobile": False}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        browser.open((exported / "guide.html").as_uri())
        third, top = browser.run("return [innerHeight / 3, second.getBoundingClientRect().top]")
        assert top < third  # where the second heading is marked once the page is scrolled
        marked = "return document.querySelector('.ds-contents [aria-current]').innerText"
        browser.expect("First", marked)
    finally:
        browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_on_a_phone_page_actions_stand_beside_the_eyebrow(browser: Any, exported: Path) -> None:
    with phone(browser):
        browser.open((exported / "guide.html").as_uri())
        eyebrow, actions, title = browser.run(
            """return ['.ds-eyebrow', '.ds-actions', 'h1'].map((each) => {
                const { top, bottom } = document.querySelector(each).getBoundingClientRect();
                return [top, bottom];
            })"""
        )
        assert actions[0] < eyebrow[1]
        assert actions[1] <= title[0]


def test_names_with_hyphens_stay_in_one_line_and_sentences_have_space(
    browser: Any, exported: Path
) -> None:
    with phone(browser):
        browser.open((exported / "guide.html").as_uri())
        lines, width = browser.run(
            """const [name, , text] = document.querySelectorAll('td');
            return [name.querySelector('code').getClientRects().length, text.clientWidth]"""
        )
        assert lines == 1
        assert width >= 140


def test_a_long_name_leaves_space_for_its_columns_on_a_phone(browser: Any, exported: Path) -> None:
    tops = """const code = document.querySelectorAll('td')[3].querySelector('code');
        return [...code.getClientRects()].map((each) => each.top)"""
    with phone(browser):
        browser.open((exported / "guide.html").as_uri())
        assert browser.run("return document.querySelector('.prose table').offsetWidth") <= 350
        assert len(browser.run(tops)) > 1
    browser.resize(1440, 900)
    assert len(browser.run(tops)) == 1


def test_code_in_headings_is_as_bold_as_they_are(browser: Any, exported: Path) -> None:
    browser.open((exported / "guide.html").as_uri())
    weight = "return getComputedStyle(document.querySelector('h3 code')).fontWeight"
    assert browser.run(weight) == "600"


def test_an_empty_head_of_a_table_takes_no_space(browser: Any, exported: Path) -> None:
    browser.open((exported / "pieces.html").as_uri())
    heights = "return [...document.querySelectorAll('thead')].map((each) => each.offsetHeight)"
    full, empty, _ = browser.run(heights)
    assert full > 20
    assert empty <= 1


def test_small_tables_fill_their_column_and_wide_ones_scroll(browser: Any, exported: Path) -> None:
    with phone(browser):
        browser.open((exported / "pieces.html").as_uri())
        boxes = """return [...document.querySelectorAll('.prose table')].map((table) => {
            const box = table.parentElement;
            return [table.offsetWidth - box.clientWidth, box.tabIndex];
        })"""
        browser.wait(f"return (() => {{ {boxes} }})().some(([, index]) => index === 0)")
        small, empty, (beyond, index) = browser.run(boxes)
    assert small == empty == [0, -1]
    assert beyond > 0
    assert index == 0


def test_long_names_in_the_sidebar_break_between_their_parts(browser: Any, exported: Path) -> None:
    browser.resize(1440, 900)
    browser.open((exported / "pieces.html").as_uri())
    parts = browser.run(
        """const label = document.querySelector('.ds-nav [aria-current] .ds-nav-label');
        return [...label.childNodes].filter((each) => each.nodeType === 3).map((each) => {
            const range = document.createRange();
            range.selectNode(each);
            return [each.data, range.getClientRects().length, range.getBoundingClientRect().top];
        })"""
    )
    assert "".join(text for text, _, _ in parts) == LONG_NAME
    assert {lines for _, lines, _ in parts} == {1}
    assert len({top for _, _, top in parts}) > 1


def test_the_copy_button_is_visible_and_says_that_it_copied(browser: Any, exported: Path) -> None:
    browser.open((exported / "pieces.html").as_uri())
    button = "document.querySelector('.ds-code > .ds-copy')"
    browser.wait(f"return {button} !== null")
    assert browser.run(f"return getComputedStyle({button}).opacity") == "1"
    browser.run(
        f"""const button = {button}, shown = () => getComputedStyle(button, '::before').content;
        window.seen = [];
        const look = () => window.seen.push([button.ariaLabel, shown()]);
        new MutationObserver(look).observe(button, {{attributeFilter: ['aria-label']}});"""
    )
    browser.driver.find_element("css selector", ".ds-code > .ds-copy").click()
    # Both are shown for two seconds only, which a busy machine may need for a click.
    browser.wait("return window.seen.length === 2")
    copied, ready = browser.run("return window.seen")
    assert (copied[0], "Copied" in copied[1]) == ("Copied", True)
    assert ready == ["Copy code", "none"]


def test_the_first_line_of_code_ends_before_its_button(browser: Any, exported: Path) -> None:
    browser.open((exported / "pieces.html").as_uri())
    found = browser.run(
        """const blocks = [...document.querySelectorAll(".ds-code:has(> .ds-copy)")];
        return blocks.slice(1, 4).map((block) => {
          const pre = block.querySelector("pre");
          pre.scrollLeft = pre.scrollWidth;
          const texts = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT), rows = [];
          while (texts.nextNode()) {
            const text = document.createRange();
            text.selectNodeContents(texts.currentNode);
            rows.push(...text.getClientRects());
          }
          const first = rows.filter((each) => Math.abs(each.top - rows[0].top) < 4);
          const button = block.querySelector(".ds-copy").getBoundingClientRect();
          return button.left - Math.max(...first.map((each) => each.right));
        })"""
    )
    assert len(found) == 3
    assert min(found) >= 0
    assert max(found) < 100


def test_a_numbered_line_of_a_diff_is_colored_in_full(browser: Any, exported: Path) -> None:
    browser.open((exported / "pieces.html").as_uri())
    line, text = browser.run(
        """const line = document.querySelector(".ds-line:has(> .gd)"), color = "backgroundColor";
        return [line, line.querySelector(".gd")].map((each) => getComputedStyle(each)[color])"""
    )
    assert "0.14" in line
    assert text == "rgba(0, 0, 0, 0)"


def test_the_row_of_tabs_keeps_clear_of_the_bar_and_has_its_color(
    browser: Any, exported: Path
) -> None:
    browser.resize(900, 900)
    browser.open((exported / "pieces.html").as_uri())
    browser.run(
        "document.querySelector('.ds-header').insertAdjacentHTML('beforeend', arguments[0])", TABS
    )
    browser.run("document.documentElement.dataset.tabs = ''")
    color = "return getComputedStyle(document.querySelector(arguments[0])).backgroundColor"
    assert browser.run(color, ".ds-tabs-bar") == browser.run(color, ".ds-bar")
    browser.run("document.documentElement.dataset.look = 'luma'")
    look = BuiltAssets().read("look-luma.css").decode()
    browser.run("document.head.append(document.createElement('style'))")
    browser.run("document.head.lastElementChild.textContent = arguments[0]", look)
    gap = """const box = (name) => document.querySelector(name).getBoundingClientRect();
        return [box('.ds-nav-tab').top - box('.ds-bar').bottom,
            box('.ds-header').bottom - box('.ds-nav-tab').bottom]"""
    above, below = browser.run(gap)
    assert above >= 12
    assert below >= 4


def test_contents_of_sites_with_own_styles_have_no_frame(browser: Any, exported: Path) -> None:
    browser.resize(900, 900)
    browser.open((exported / "guide.html").as_uri())
    shadow = "return getComputedStyle(document.querySelector('.ds-contents-inline')).boxShadow"
    assert browser.run(shadow) != "none"
    browser.run("document.documentElement.setAttribute('data-styled', '')")
    assert browser.run(shadow) == "none"


def test_a_full_line_of_a_heading_does_not_widen_the_page_of_a_phone(
    browser: Any, exported: Path
) -> None:
    browser.resize(390, 800)
    browser.open((exported / "guide.html").as_uri())
    fits = """document.documentElement.setAttribute('data-styled', '');
        const anchor = document.querySelector('.ds-heading-anchor');
        anchor.parentElement.style.cssText = 'white-space: nowrap; width: max-content;'
            + 'min-width: calc(100vw - 24px)';
        return document.documentElement.scrollWidth <= innerWidth"""
    assert browser.run(fits)


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


@pytest.mark.parametrize("width", [640, 768, 900, 1030, 1200, 1440])
def test_nothing_in_the_header_is_cut_by_the_window(
    browser: Any, exported: Path, width: int
) -> None:
    browser.resize(width, 900)
    browser.open((exported / "guide.html").as_uri())
    search, cut = browser.run(
        """const links = document.querySelector('.ds-navbar-links').getBoundingClientRect();
        const seen = [...document.querySelectorAll('.ds-bar a, .ds-bar button')].filter((each) => {
            const { top, width } = each.getBoundingClientRect();
            return width > 0 && (top < links.bottom || !each.closest('.ds-navbar-links'));
        });
        return [
            document.querySelector('.ds-search-button').clientWidth,
            seen.filter((each) => {
                const { left, right } = each.getBoundingClientRect();
                const from = each.closest('.ds-navbar-links') ? links.left - 1 : 0;
                return left < from || right > innerWidth;
            }).map((each) => each.textContent),
        ]"""
    )
    assert cut == []
    assert search > 140 or width < 768


def test_without_scripts_the_header_keeps_its_right_end(browser: Any, exported: Path) -> None:
    browser.resize(700, 900)
    browser.open((exported / "guide.html").as_uri())
    end = """const end = document.querySelector(".ds-bar-end").getBoundingClientRect();
        const dead = document.querySelectorAll(".ds-search-phone, .ds-actions, .ds-theme");
        return [innerWidth - end.right, [...dead].map((each) => each.offsetWidth > 0)]"""
    space, shown = browser.run(end)
    assert shown == [True, True, True]
    browser.run("delete document.documentElement.dataset.scripts")
    assert browser.run(end) == [space, [False, False, False]]


def test_on_a_phone_the_version_gives_way_to_the_name_of_the_site(
    browser: Any, exported: Path
) -> None:
    with phone(browser):
        browser.open((exported / "guide.html").as_uri())
        cut, version = browser.run(
            """const logo = document.querySelector(".ds-logo"), name = logo.lastElementChild;
            const menu = "<summary><span>Version 2.0 beta, released in November</span></summary>";
            name.textContent = "Acme Handbook";
            logo.insertAdjacentHTML("afterend", `<details class="ds-menu">${menu}</details>`);
            const wide = document.querySelector(".ds-bar-end");
            wide.style.minWidth = "4rem";
            return [name.scrollWidth > name.clientWidth, logo.nextElementSibling.offsetWidth];"""
        )
    assert not cut
    assert version >= 56


def test_on_a_phone_the_search_is_a_button_of_the_header(browser: Any, exported: Path) -> None:
    with phone(browser):
        browser.open((exported / "guide.html").as_uri())
        browser.driver.find_element("id", "search-bar-entry-mobile").click()
        browser.wait("return document.querySelector('.ds-search-dialog')?.open === true")


def test_the_keyboard_reaches_links_without_space_and_leaves_the_first(
    browser: Any, exported: Path
) -> None:
    browser.resize(1030, 900)
    browser.open((exported / "guide.html").as_uri())
    seen = """const box = (each) => each.getBoundingClientRect();
        const bar = box(document.querySelector('.ds-navbar-links'));
        const link = box([...document.querySelectorAll('.ds-navbar-links a')].at(-1));
        return link.top >= bar.top && link.bottom <= bar.bottom
            && link.left >= bar.left - 1 && link.right <= bar.right + 1"""
    last = "[...document.querySelectorAll('.ds-navbar-links a')].at(-1)"
    assert browser.run(seen) is False
    browser.run(f"{last}.focus()")
    assert browser.run(seen) is True
    browser.run(f"{last}.blur()")
    assert browser.run("return document.querySelector('.ds-navbar-links').scrollTop") == 0


def test_the_path_of_an_operation_breaks_before_its_parts(browser: Any, exported: Path) -> None:
    browser.open((exported / "operation.html").as_uri())
    breaks = """const path = document.querySelector(".ds-address-path"), text = path.lastChild;
        path.style.width = "4ch"; // "/users" does not fit beside what is before it
        path.prepend("/v1");
        const part = document.createRange();
        part.selectNodeContents(text);
        return part.getBoundingClientRect().top > path.getBoundingClientRect().top + 9"""
    assert browser.run(breaks)


def test_paper_shows_all_of_an_example(browser: Any, exported: Path) -> None:
    browser.open((exported / "operation.html").as_uri())
    browser.wait("return document.querySelector('.ds-aside .ds-example') !== null")
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    height = "return getComputedStyle(document.querySelector('.ds-example pre')).maxHeight"
    try:
        assert browser.run(height) == "none"
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
