"""Layout of page content, contents and sidebar on wide screens and on phones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

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
    + "\n`http://localhost:8000/realms/example/login/callback` `hideFooterPagination`\n"
    + "\nhttps://git.example/acme/examples/blob/main/packages/server/configuration.ts?plain=1&v=2\n"
)
LINES = """const lines = (node) => {
  const range = document.createRange();
  range.selectNodeContents(node);
  return new Set([...range.getClientRects()].map(({ top }) => top)).size;
};
"""
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
TREE = f"""---
title: Tree
---
<Tree>
  <Tree.Folder name="source" defaultOpen>
    <Tree.File name="{LONG_NAME}Panel.generated.tsx" comment="A comment after the name" />
  </Tree.Folder>
</Tree>

<img src="data:image/png;base64," width="600" height="40" />
<img src="data:image/png;base64," width="600" height="40" />
"""
OPERATION = {
    "openapi": "3.1.0",
    "info": {"title": "Users", "version": "1"},
    "servers": [{"url": "https://api.example.com"}],
    "paths": {
        "/users": {"get": {"responses": {"200": {"description": "Fine."}}}},
        "/tokens": {"post": {"deprecated": True, "responses": {"200": {"description": "Fine."}}}},
    },
}


DEPRECATED = "RefreshTokenMetadata"
SHORT = "---\ntitle: Short\n---\n" + "".join(f"## {name}\n\nText.\n\n" for name in ("One", "Two"))
SHORT += "## Three\n\n" + "Text.\n\n" * 60 + "## Four\n\nText.\n\n## Last\n\nText.\n"


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("layout")
    source, target = root / "source", root / "out"
    source.mkdir()
    config = {
        "name": "Layout",
        "theme": "sequoia",
        "colors": {"primary": "#0F766E"},
        "footer": {"socials": {"github": "https://github.com/acme"}},
        "navigation": {
            "groups": [
                {"group": "All", "pages": ["guide", "operation", "pieces", "short", "tree"]},
                {"group": "Modes", "pages": ["center", "frame", "wide"]},
                {
                    "group": "1",
                    "pages": [{"group": "2", "pages": [{"group": "3", "pages": ["old"]}]}],
                },
            ]
        },
    }
    (source / "docs.json").write_text(json.dumps(config))
    (source / "openapi.json").write_text(json.dumps(OPERATION))
    (source / "guide.mdx").write_text(f"---\ntitle: Guide\n---\n{GUIDE}")
    (source / "short.mdx").write_text(SHORT)
    (source / "pieces.mdx").write_text(PIECES)
    (source / "tree.mdx").write_text(TREE)
    (source / "old.mdx").write_text(f"---\ntitle: {DEPRECATED}\nopenapi: POST /tokens\n---\n")
    (source / "operation.mdx").write_text("---\nopenapi: GET /users\n---\n")
    (source / "center.mdx").write_text("---\nmode: center\nopenapi: GET /users\n---\n")
    for mode in ("frame", "wide"):
        (source / f"{mode}.mdx").write_text(f"---\ntitle: Mode\nmode: {mode}\n---\nText.\n")
    return export_folder(source, target)


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


def test_examples_are_as_wide_on_a_page_without_a_sidebar(browser: Any, exported: Path) -> None:
    widths = []
    for name in ("operation", "center"):
        browser.open((exported / f"{name}.html").as_uri())
        browser.wait("return document.querySelector('.ds-aside .ds-example') !== null")
        widths.append(browser.run("return document.querySelector('.ds-aside').offsetWidth"))
    assert widths[0] == widths[1] > 400


def test_languages_that_do_not_fit_take_no_space_for_a_scrollbar(
    browser: Any, exported: Path
) -> None:
    browser.open((exported / "operation.html").as_uri())
    browser.wait("return document.querySelector('.ds-aside .ds-example') !== null")
    strip = "const strip = document.querySelector('.ds-aside .ds-tab-list');"
    assert browser.run(f"{strip} return strip.scrollWidth > strip.clientWidth")
    assert browser.run(f"{strip} return strip.offsetHeight - strip.clientHeight") == 0


def test_the_mode_of_a_page_decides_its_width_in_a_wide_look(browser: Any, exported: Path) -> None:
    widths = """return ['.ds-article', '.ds-footer'].map(
        (each) => document.querySelector(each).clientWidth)"""
    measured = {}
    for name in ("tree", "wide", "frame"):
        browser.open((exported / f"{name}.html").as_uri())
        article, footer = browser.run(widths)
        assert article == footer
        measured[name] = article
    assert measured["tree"] < measured["wide"] < measured["frame"]


def test_on_a_phone_the_bar_of_contents_says_what_is_read(browser: Any, exported: Path) -> None:
    shown = "return document.querySelector('.ds-contents-now').innerText"
    with browser.phone():
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
    with browser.phone():
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


def test_the_section_that_was_jumped_to_is_marked_before_a_short_next_one(
    browser: Any, exported: Path
) -> None:
    browser.open((exported / "short.html").as_uri())
    marked = "return document.querySelector('.ds-contents [aria-current]').innerText"
    for name in ("Four", "One", "Two"):
        link = f".ds-contents [href='#{name.lower()}']"
        browser.driver.find_element("css selector", link).click()
        browser.expect(name, marked)
    browser.run("scrollTo({ top: 1e6, behavior: 'instant' })")
    browser.expect("Last", marked)


def test_names_with_hyphens_stay_in_one_line_and_sentences_have_space(
    browser: Any, exported: Path
) -> None:
    with browser.phone():
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
    with browser.phone():
        browser.open((exported / "guide.html").as_uri())
        assert browser.run("return document.querySelector('.prose table').offsetWidth") <= 350
        assert len(browser.run(tops)) > 1
    browser.resize(1440, 900)
    assert len(browser.run(tops)) == 1


def test_a_name_wider_than_a_line_of_a_phone_breaks_between_its_parts(
    browser: Any, exported: Path
) -> None:
    with browser.phone():
        browser.open((exported / "guide.html").as_uri())
        lines, parts, short = browser.run(
            LINES
            + """
            const [wide, name] = [...document.querySelectorAll('.ds-prose p code')].slice(-2);
            const texts = [...wide.childNodes].filter((each) => each.nodeName === '#text');
            return [lines(wide), texts.map(lines),
                    getComputedStyle(name.querySelector('wbr')).display];"""
        )
    assert lines == 2
    assert parts == [1] * 5  # "http://localhost:8000/", "realms/", "example/", "login/", "callback"
    assert short == "none"


def test_a_url_wider_than_a_line_of_a_phone_breaks_between_its_parts(
    browser: Any, exported: Path
) -> None:
    read = f"""{LINES}
    const link = document.querySelector('.ds-prose a.ds-wide');
    const texts = [...link.childNodes].filter((each) => each.nodeName === '#text');
    return [lines(link), texts.map(lines)];"""
    with browser.phone():
        browser.open((exported / "guide.html").as_uri())
        on_phone, parts = browser.run(read)
    assert on_phone > 1
    assert parts == [1] * len(parts)
    browser.resize(1440, 900)
    assert browser.run(read)[0] == 1


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
    with browser.phone():
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


def test_the_name_of_a_deprecated_operation_keeps_its_parts_deep_in_the_sidebar(
    browser: Any, exported: Path
) -> None:
    browser.resize(1440, 900)
    browser.open((exported / "old.html").as_uri())
    name, lines, below = browser.run(
        """const label = document.querySelector('.ds-nav [aria-current] .ds-nav-label');
        const tag = label.nextElementSibling.getBoundingClientRect();
        const { height, bottom } = label.getBoundingClientRect();
        const lines = height / parseFloat(getComputedStyle(label).lineHeight);
        return [label.textContent, lines, tag.top - bottom]"""
    )
    assert name == DEPRECATED
    assert lines < 3
    assert below >= 0


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


def test_no_line_of_code_runs_below_the_buttons_of_a_phone(browser: Any, exported: Path) -> None:
    with browser.phone():
        browser.open((exported / "pieces.html").as_uri())
        browser.wait("return document.querySelector('.ds-code > .ds-copy') !== null")
        covered, scrolling = browser.run(
            """const bare = ".ds-code:has(> .ds-copy):not([data-wrap], :has(> .ds-code-head))";
            const blocks = [...document.querySelectorAll(bare)].map((block) => [
              block.querySelector("pre"), block.querySelector(".ds-copy")]);
            const right = (part) => part.getBoundingClientRect().right;
            return [blocks.filter(([pre, copy]) => right(pre) > copy.getBoundingClientRect().left),
                    blocks.filter(([pre]) => pre.scrollWidth > pre.clientWidth)]"""
        )
    assert (len(covered), len(scrolling) > 0) == (0, True)


def test_a_numbered_line_of_a_diff_is_colored_in_full(browser: Any, exported: Path) -> None:
    browser.open((exported / "pieces.html").as_uri())
    line, text = browser.run(
        """const line = document.querySelector(".ds-line:has(> .gd)"), color = "backgroundColor";
        return [line, line.querySelector(".gd")].map((each) => getComputedStyle(each)[color])"""
    )
    assert "0.14" in line
    assert text == "rgba(0, 0, 0, 0)"


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


def test_the_path_of_an_operation_breaks_before_its_parts(browser: Any, exported: Path) -> None:
    browser.open((exported / "operation.html").as_uri())
    breaks = """const path = document.querySelector(".ds-address-path"), text = path.lastChild;
        path.style.width = "4ch"; // "/users" does not fit beside what is before it
        path.prepend("/v1");
        const part = document.createRange();
        part.selectNodeContents(text);
        return part.getBoundingClientRect().top > path.getBoundingClientRect().top + 9"""
    assert browser.run(breaks)


def test_on_a_phone_long_names_in_a_tree_need_several_lines(browser: Any, exported: Path) -> None:
    name = """const tree = document.querySelector(".ds-tree");
        const label = [...tree.querySelectorAll(".ds-tree-label")].at(-1);
        const icon = label.querySelector("svg").getBoundingClientRect();
        const words = document.createRange();
        words.selectNodeContents(label.lastElementChild);
        const lines = [...words.getClientRects()].map(({ left }) => left);
        const hidden = tree.scrollWidth - tree.clientWidth;
        return [hidden, lines.length > 1, Math.min(...lines) > icon.right];"""
    with browser.phone():
        browser.open((exported / "tree.html").as_uri())
        assert browser.run(name) == [0, True, True]


def test_pictures_that_follow_one_another_keep_their_distance(browser: Any, exported: Path) -> None:
    browser.open((exported / "tree.html").as_uri())
    distance = """const [one, two] = [...document.querySelectorAll(".ds-content > img")].map(
            (each) => each.getBoundingClientRect());
        return two.top - one.bottom"""
    assert browser.run(distance) >= 12
