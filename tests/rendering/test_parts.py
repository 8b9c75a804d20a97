"""Elements of components have the names by which sites' own styles and scripts select them."""

from __future__ import annotations

import pytest
from lxml import html as lxml_html

from docstead.markup.rendered import RenderedPage

#: Body, selectors, and the texts of what each selects. An element without text is "".
Row = tuple[str, str, dict[str, list[str]]]


def part(name: str) -> str:
    return f'[data-component-part="{name}"]'


ICON = f"svg.icon{part('icon-svg')}"
ROWS: list[Row] = [
    (
        "card",
        '<Card title="Start" icon="rocket" href="/x" cta="Go">Read it.</Card>',
        {
            f".card {part('card-content-container')} h2{part('card-title')}": ["Start"],
            f".card div{part('card-content')}": ["Read it."],
            f".card div{part('card-cta')} > span": ["Go"],
            f".card div{part('card-icon')} {ICON}": [""],
            f".card {part('card-arrow')}[hidden]": [""],
        },
    ),
    ("card without content", '<Card title="A" />', {f".card {part('card-content')}": [""]}),
    (
        "card that is a link, with a badge",
        '<Card title="A" href="/x">One <Badge>new</Badge></Card>\n\n'
        '<Card title="B" href="/x">Two <Badge href="/y">new</Badge></Card>',
        {f"a.card h2{part('card-title')}": ["A"], f"div.card h2{part('card-title')} a": ["B"]},
    ),
    ("image of a card", '<Card img="/a.png" />', {f".card img{part('card-image')}": [""]}),
    (
        "disabled card",
        '<Card title="A" href="/x" disabled />',
        {".card a": [], f".card {part('card-arrow')}": []},
    ),
    ("columns", "<Columns cols={3}>x</Columns>", {'.columns[style*="--cols:3"]': ["x"]}),
    (
        "accordions",
        '<AccordionGroup><Accordion title="T" description="D" icon="key">B</Accordion>'
        "</AccordionGroup>",
        {
            f".accordion-group{part('accordion-group')} > details.accordion{part('accordion')}": [
                "TDB"
            ],
            f"summary{part('accordion-button')} p{part('accordion-title')}": ["T"],
            f"{part('accordion-title-container')} p{part('accordion-description')}": ["D"],
            f"summary div{part('accordion-icon')} {ICON}": [""],
            f"summary div{part('accordion-caret-right')} {ICON}": [""],
            f"details > div{part('accordion-content')}": ["B"],
        },
    ),
    (
        "expandable",
        '<Expandable title="more">B</Expandable>',
        {
            f"details.expandable{part('expandable')} > summary{part('expandable-button')} p": [
                "Show more"
            ],
            f".expandable summary {ICON}": [""],
            f"div.expandable-content{part('expandable-content')}": ["B"],
        },
    ),
    (
        "steps",
        '<Steps><Step title="A">one</Step><Step title="B" stepNumber={5}>two</Step>'
        '<Step title="C" icon="key">three</Step><Step title="D">four</Step></Steps>',
        {
            f".steps{part('steps')} > .step{part('step-item')} p{part('step-title')}": list("ABCD"),
            f".step > div{part('step-number')}": ["1", "5", "", "4"],
            f".step {part('step-number')} {ICON}": [""],
            f".step > div{part('step-line')}": [""] * 4,
            f".step div{part('step-content')}": ["one", "two", "three", "four"],
        },
    ),
    (
        "callouts",
        '<Note>A</Note><Callout title="T" icon="key">B</Callout>',
        {
            f'.callout[data-callout-type="note"] div{part("callout-content")}': ["A"],
            f'.callout[data-callout-type="custom"] div{part("callout-icon")} {ICON}': [""],
            f".callout {part('callout-content')} > div{part('callout-title')}": ["T"],
            f".callout {part('callout-icon')} > svg:not(.icon)[role=img][aria-label=Note]": [""],
        },
    ),
    (
        "callouts with a variant",
        '<Callout variant="tip">A</Callout><Callout variant="x">B</Callout>',
        {
            '.callout[data-callout-type="tip"]': ["A"],
            '.callout[data-callout-type="custom"]': ["B"],
            f".callout {part('callout-icon')} > svg[role=img][aria-label=Tip]": [""],
        },
    ),
    (
        "code",
        "```js app.js icon=key\nlet a\n```",
        {
            f".code-block[data-has-header] {part('code-block-header')} "
            f"div{part('code-block-header-filename')} > span": ["app.js"],
            f".code-block svg.code-block-icon{part('icon-svg')}": [""],
            f".code-block > div{part('code-block-root')} > pre > code": ["let a"],
        },
    ),
    ("code without a title", "```js\nlet a\n```", {".code-block[data-has-header]": []}),
    (
        "frame",
        '<Frame hint="H" caption="C"><b>x</b></Frame>',
        {
            f"div{part('frame-container')} > p": ["H"],
            f'div.frame{part("frame")}[data-name="frame"] > div{part("frame-content")}': ["x"],
            f".frame div{part('frame-description')} > p": ["C"],
            f".frame > {part('frame-background-pattern')}": [""],
            f".frame > {part('frame-border')}": [""],
        },
    ),
    (
        "icons",
        'A <Icon icon="key" /> b <Icon icon="/a.svg" />',
        {f"p {ICON}": [""], f"p img.icon{part('icon-image')}": [""]},
    ),
    (
        "badge",
        '<Badge icon="key" stroke>b</Badge>',
        {f'span[data-variant="outline"] > span{part("tail-icon")} > {ICON}': [""]},
    ),
    (
        "disabled badge",
        "<Badge disabled>a</Badge> <Badge>b</Badge>",
        {'span[data-disabled="true"]': ["a"]},
    ),
    (
        "icon that is an element",
        '<Card title="A" icon={<svg viewBox="0 0 1 1"></svg>}>B</Card>',
        {f".card {part('card-icon')} svg": [""], ".card .icon": []},
    ),
    (
        "tooltip",
        'A <Tooltip tip="T" headline="H" cta="C" href="/x">b</Tooltip>.',
        {
            "span.tooltip": ["b"],
            f".tooltip {part('tooltip-content')}": [],
            f"{part('tooltip-content')} {part('tooltip-title')}": ["H"],
            f"{part('tooltip-content')} {part('tooltip-description')}": ["T"],
            f"a{part('tooltip-cta')}": ["C"],
        },
    ),
    (
        "field",
        '<ParamField query="q" type="string" required deprecated pre="P" post="O">B</ParamField>',
        {
            f".field div{part('field-name')}": ["q"],
            f".field div{part('field-meta-pre')}": ["P"],
            f".field {part('field-meta')} div{part('field-info-pill')}": ["string", "query"],
            f".field {part('field-meta')} div{part('field-required-pill')}": ["required"],
            f".field {part('field-meta')} div{part('field-deprecated-pill')}": ["deprecated"],
            f".field {part('field-meta')} div{part('field-meta-post')}": ["O"],
            f".field > div{part('field-content')}": ["B"],
        },
    ),
    (
        "tile",
        '<Tile href="/x" title="T" description="D"><b>P</b></Tile>',
        {
            f".tile {part('tile-children-container')} {part('tile-children-inner-container')}": [
                "P"
            ],
            f".tile {part('tile-text-container')} p{part('tile-title')}": ["T"],
            f".tile {part('tile-text-container')} p{part('tile-description')}": ["D"],
            f".tile {part('tile-background-light')}": [""],
        },
    ),
    (
        "tree",
        '<Tree><Tree.Folder name="a" defaultOpen><Tree.File name="b" /></Tree.Folder>'
        '<Tree.Folder name="c" /></Tree>',
        {
            f".tree{part('tree-root')} {part('tree-folder')} .tree-folder": ["a", "c"],
            f".tree-folder svg{part('tree-folder-icon-open')}": [""],
            f".tree-folder svg{part('tree-folder-icon-closed')}": [""],
            f".tree-folder span{part('tree-folder-title')}": ["a", "c"],
            f"{part('tree-folder-children-wrapper')} .tree-file{part('tree-file')} "
            f"span{part('tree-file-title')}": ["b"],
            f".tree-file svg{part('tree-file-icon')}": [""],
            f".tree[role=tree] > {part('tree-folder')}[role=none] > .tree-folder[role=treeitem]": [
                "a",
                "c",
            ],
            ".tree-folder[aria-expanded=true]": ["a"],
            ".tree-folder[aria-expanded]": ["a"],
            f"{part('tree-folder-children-wrapper')}[role=group] > "
            f"div{part('tree-folder-children-line')}": [""],
            "div.tree-file[role=treeitem]": ["b"],
        },
    ),
    (
        "update",
        '<Update label="L" description="D" tags={["T"]}>B</Update>',
        {
            f"div.update div{part('update-label')}": ["L"],
            f".update div{part('update-description')}": ["D"],
            f".update {part('update-tag-list')} {part('update-tag')}": ["T"],
            f".update > div{part('update-content')}": ["B"],
        },
    ),
    (
        "update with a tag that is repeated",
        '<Update label="L" tags={["T", "U ", "T", " "]}>B</Update>',
        {f".update {part('update-tag')}": ["T", "U"]},
    ),
    (
        "colours of two themes",
        '<Color><Color.Item name="N" value={{ light: "#fff", dark: "#000" }} /></Color>',
        {f".color-item p{part('color-item-value')}": ["#fff"]},
    ),
    (
        "colours",
        '<Color><Color.Row title="T"><Color.Item name="N" value="#000" /></Color.Row></Color>',
        {
            f".color-row > div{part('color-row-title-container')} p{part('color-row-title')}": [
                "T"
            ],
            f"{part('color-row-items-container')} .color-item p{part('color-item-name')}": ["N"],
            f".color-item p{part('color-item-value')}": ["#000"],
            f".color-item button{part('color-item-button')} [role=img]": [""],
        },
    ),
    (
        "tabs",
        '<Tabs><Tab title="A">one</Tab><Tab title="B">two</Tab></Tabs>',
        {
            f".tabs > div{part('tabs-panels')} > div{part('tab-content')}[role=tabpanel]": [
                "one",
                "two",
            ],
            f".tabs > ul{part('tabs-list')}[role=tablist] > li{part('tab')}[role=tab]": ["A", "B"],
            f"li > div{part('tab-button')}[data-active=true]": ["A"],
            f"li > div{part('tab-button')}[data-active=false]": ["B"],
        },
    ),
    (
        "tabs from several places",
        '<Tabs><>{["A"].map((t) => <Tab title={t} icon="key">1</Tab>)}</>'
        '<Tab title="B">2</Tab></Tabs>',
        {f"{part('tab')}": ["A", "B"], f".tabs {part('tab-button')} svg.tab-icon": [""]},
    ),
    (
        "code group",
        "<CodeGroup>\n\n```js app.js icon=key\nlet a\n```\n\n"
        "```js b.js\nlet b\n```\n\n</CodeGroup>",
        {
            f".code-group > div{part('code-group-tab-bar')} > [role=tablist] > [role=tab]": [
                "app.js",
                "b.js",
            ],
            f"{part('code-group-tab-bar')} [data-active='']": ["app.js"],
            f"{part('code-group-tab-bar')} svg.code-block-icon": [""],
            f".code-group > [role=tabpanel] > div{part('code-block-root')} "
            f"> div{part('code-group-tab-content')} > pre": ["let a"],
            ".code-group .code-block": [],
            ".code-group pre": ["let a", "let b"],
        },
    ),
    (
        "code group with a block without title and language",
        "<CodeGroup>\n\n```\na\n```\n\n```js icon=key\nb\n```\n\n</CodeGroup>",
        {
            "[role=tab]": ["Example", ""],
            "[role=tab][aria-label=js]": [""],
        },
    ),
    (
        "address in a link of its own",
        'Ask <a class="x" href="mailto:a@acme.example">a@acme.example</a> or {1}.',
        {"a": ["a@acme.example"], "a.x": ["a@acme.example"]},
    ),
    (
        "address in a link of its own, without a program",
        'Ask <a class="x" href="mailto:a@acme.example">a@acme.example</a>.',
        {"a": ["a@acme.example"], "a.x": ["a@acme.example"]},
    ),
    (
        "steps that are a list of Markdown",
        "<Steps>\n  1. [First](/a)\n  2. Second\n</Steps>",
        {".steps li": ["First", "Second"], ".steps[role=list]": []},
    ),
    (
        "code group with a menu",
        "<CodeGroup dropdown>\n\n```js app.js icon=key\nlet a\n```\n\n"
        "```py Python\nb\n```\n\n</CodeGroup>",
        {
            f".code-group > div{part('code-group-tab-bar')} > div": ["app.js", "JavaScript"],
            f".code-group > div{part('code-group-tab-bar')} > div svg.code-block-icon": [""],
            f".code-group > [role=tabpanel] {part('code-group-tab-content')} > pre": ["let a"],
            ".code-group .code-block": [],
        },
    ),
    (
        "long code",
        "```js expandable\n" + "x\n" * 13 + "```",
        {
            f"div.code-block > div{part('code-block-footer')} "
            f"> button{part('code-block-footer-button')}": ["See all 13 lines"]
        },
    ),
    (
        "short code",
        "```js expandable\nx\n```",
        {f".code-block {part('code-block-footer')}": []},
    ),
    (
        "diagram",
        "```mermaid actions={true}\ngraph TD; A-->B\n```",
        {
            f"div.mermaid > div{part('mermaid-diagram')}[role=img] > svg": ["AB"],
            f"div.mermaid > div{part('zoom-controls')}[role=group]": [""],
        },
    ),
    (
        "steps with headings",
        '<Steps titleSize="h3"><Step title="A" id="a">one</Step><Step title="B">two</Step></Steps>',
        {
            f".step {part('step-number')} > {part('step-number-anchor-link')} > a[href='#a']": [""],
            f"h3{part('step-title')}": ["A", "B"],
        },
    ),
    (
        "diagram of a component",
        '<Mermaid chart="graph TD; A-->B" actions placement="top-left" />',
        {
            f"div.mermaid > div{part('mermaid-diagram')}[role=img] > svg": ["AB"],
            f"div.mermaid[data-placement=top-left] > div{part('zoom-controls')}": [""],
        },
    ),
    ("view", '<View title="T">B</View>', {"div.multi-view-item": ["B"]}),
    (
        "views, of which one is shown",
        '<View title="T">A</View>\n\n<View title="U">B</View>\n\n<View title="T">C</View>',
        {"div.multi-view-item": ["A", "C"], "[data-view]": ["TA", "UB", "TC"]},
    ),
]


@pytest.fixture(scope="module")
def pages(render_pages) -> dict[str, RenderedPage]:
    bodies = {f"p{number}": body for number, (_, body, _) in enumerate(ROWS)}
    found: dict[str, RenderedPage] = render_pages(bodies)
    return found


@pytest.mark.parametrize("number", range(len(ROWS)), ids=[row[0] for row in ROWS])
def test_an_element_is_selected_by_its_part(pages: dict[str, RenderedPage], number: int) -> None:
    root = lxml_html.fragment_fromstring(pages[f"p{number}"].html, create_parent="div")
    for selector, texts in ROWS[number][2].items():
        found = [" ".join(each.text_content().split()) for each in root.cssselect(selector)]
        assert found == texts, selector


def test_the_title_of_a_card_is_no_heading(pages: dict[str, RenderedPage]) -> None:
    assert not pages["p0"].headings
    assert 'role="none"' in pages["p0"].html
