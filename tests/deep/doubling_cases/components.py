"""Pages with so many of one component, or of its parts within one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from doubling_cases.reading import Files, settings

_FENCE = "```js a{n}.js\nlet a = {n}\n```\n\n"
# Component: what stands before, each piece and what stands after; `{n}` is the number of a piece.
_PAGES = {
    "Accordion": ("", '<Accordion title="a{n}" icon="star">\nx\n</Accordion>\n', ""),
    "AccordionGroup": (
        "<AccordionGroup>\n", '<Accordion title="a">\nx\n</Accordion>\n', "</AccordionGroup>"),
    "Badge": ("", '<Badge color="blue" icon="star">b{n}</Badge> ', ""),
    "Callout": ("", '<Callout icon="star" color="#fff">\nx\n</Callout>\n', ""),
    "Card": ("", '<Card title="x" icon="star" href="/index">y</Card>\n', ""),
    "CardGroup": ("<CardGroup cols={3}>\n", '<Card title="x">y</Card>\n', "</CardGroup>"),
    "Check": ("", "<Check>x</Check>\n", ""),
    "CodeBlock": ("", '<CodeBlock language="js" filename="a{n}.js">let a = {n}</CodeBlock>\n', ""),
    "CodeGroup": ("<CodeGroup>\n\n", _FENCE, "</CodeGroup>"),
    "Color": (
        '<Color variant="table">\n<Color.Row title="r">\n',
        '<Color.Item name="n{n}" value="#fff" />\n', "</Color.Row>\n</Color>"),
    "Column": ("<Columns cols={2}>\n", "<Column>x</Column>\n", "</Columns>"),
    "Columns": ("", "<Columns cols={2}>\n<Card>a</Card>\n</Columns>\n", ""),
    "Danger": ("", "<Danger>x</Danger>\n", ""),
    "Expandable": ("", '<Expandable title="e{n}">\nx\n</Expandable>\n', ""),
    "FileTree": ("<FileTree>\n\n", "- folder{n}/\n  - file{n}.mdx\n", "\n</FileTree>"),
    "Frame": ("", '<Frame caption="a *b*" hint="c">\nx\n</Frame>\n', ""),
    "GitHub": ("", '<GitHub.Repo url="https://github.com/a/b{n}" />\n', ""),
    "Heading": ("", '<Heading level="2">h{n}</Heading>\n', ""),
    "Icon": ("", '<Icon icon="icon-{n}" />\n', ""),
    "Image": ("", '<Image src="https://a.example/{n}.png" alt="a" />\n', ""),
    "Info": ("", "<Info>x</Info>\n", ""),
    "Latex": ("", "<Latex>a_{n}</Latex>\n", ""),
    "Link": ("", '<Link href="/index">l{n}</Link> ', ""),
    "Mermaid": ("", '<Mermaid chart="graph TD; a{n}-->b" />\n', ""),
    "Note": ("", "<Note>x</Note>\n", ""),
    "Panel": ("<Panel>\n\n", "Text {n}.\n\n", "</Panel>"),
    "ParamField": ("", '<ParamField query="p{n}" type="string">\ny\n</ParamField>\n', ""),
    "Prompt": ('<Prompt description="d">\n\n', "Text {n}.\n\n", "</Prompt>"),
    "RequestExample": ("<RequestExample>\n\n", _FENCE, "</RequestExample>"),
    "RequestField": ("", '<RequestField body="p{n}" type="string">\ny\n</RequestField>\n', ""),
    "ResponseExample": ("<ResponseExample>\n\n", _FENCE, "</ResponseExample>"),
    "ResponseField": ("", '<ResponseField name="p{n}" type="string">\ny\n</ResponseField>\n', ""),
    "Step": ("<Steps>\n", '<Step title="s{n}" icon="star">y</Step>\n', "</Steps>"),
    "Steps": ("", '<Steps>\n<Step title="s">y</Step>\n</Steps>\n', ""),
    "Tab": ("<Tabs>\n", '<Tab title="t{n}">y</Tab>\n', "</Tabs>"),
    "Tabs": ("", '<Tabs sync="false">\n<Tab title="t">y</Tab>\n</Tabs>\n', ""),
    "Tile": ("", '<Tile title="t{n}" href="/index">y</Tile>\n', ""),
    "Tip": ("", "<Tip>x</Tip>\n", ""),
    "Tooltip": ("", '<Tooltip tip="t{n}" cta="c" href="/index">y</Tooltip> ', ""),
    "Tree": (
        "<Tree>\n",
        '<Tree.Folder name="f{n}"><Tree.File name="a" comment="c" /></Tree.Folder>\n', "</Tree>"),
    "Update": ("", '<Update label="v{n}" tags={["t{n}"]}>\ny\n</Update>\n', ""),
    "View": ("", '<View title="v{n}" icon="star">\ny\n</View>\n', ""),
    "Visibility": ("", '<Visibility for="humans">\ny{n}\n</Visibility>\n', ""),
    "Warning": ("", "<Warning>x</Warning>\n", ""),
}  # fmt: skip
_NESTED = {  # so deep within themselves, next to one another
    "Accordion": '<Accordion title="a">\n',
    "Expandable": '<Expandable title="a">\n',
    "Tree.Folder": '<Tree.Folder name="a">\n',
}
_DEPTH = 12


def _page(before: str, piece: str, after: str) -> Callable[[int], Files]:
    def make(size: int) -> Files:
        pieces = "".join(piece.replace("{n}", str(number)) for number in range(size))
        return {"docs.json": settings(), "index.mdx": before + pieces + after}

    return make


def _nested(name: str, start: str) -> Callable[[int], Files]:
    ends = f"</{name}>\n" * _DEPTH
    return _page("", f"{start * _DEPTH}x\n{ends}\n", "")


def _cases() -> Iterator[tuple[str, tuple[int, Callable[[int], Files]]]]:
    for name, parts in _PAGES.items():
        yield f"component {name}", (1_000, _page(*parts))
    for name, start in _NESTED.items():
        yield f"component {name} within itself", (100, _nested(name, start))


COMPONENTS = dict(_cases())
NAMES = frozenset(_PAGES)
