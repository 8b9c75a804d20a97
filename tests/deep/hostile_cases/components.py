"""Components and their properties: depth, size, and values of the wrong kind."""

from __future__ import annotations

from collections.abc import Callable

from hostile_cases.case import of_bodies


def _nested(tag: str, depth: int, properties: str = "") -> Callable[[], str]:
    return lambda: f"<{tag}{properties}>\n" * depth + "x\n" + f"</{tag}>\n" * depth


def _unclosed(tag: str, count: int) -> Callable[[], str]:
    return lambda: f"<{tag}>\n" * count


_MAKERS = {
    "nested-cards": _nested("Card", 2_000, ' title="x"'),
    "nested-tabs": _nested("Tab", 300, ' title="x"'),
    "nested-accordions": _nested("Accordion", 1_000, ' title="x"'),
    "nested-fields": _nested("ParamField", 800, ' path="x" type="y"'),
    "nested-divs-inline": lambda: "<div>" * 20_000 + "</div>" * 20_000,
    "unclosed-divs": _unclosed("div", 50_000),
    "unclosed-cards": _unclosed("Card", 20_000),
    "unopened": lambda: "</Card>\n" * 50_000,
    "mixed-tags": lambda: "<Card><Tab></Card></Tab>\n" * 20_000,
    "many-properties": lambda: "<Card " + " ".join(f'a{n}="x"' for n in range(100_000)) + " />",
    "spread-properties": lambda: "<Card " + "{...{a: 1}} " * 20_000 + "/>",
    "long-property": lambda: '<Card title="' + "x" * 8_000_000 + '" />',
    "columns-of-billions": lambda: "<Columns cols={1e9}><Card title='x' /></Columns>",
    "columns-negative": lambda: "<Columns cols={-1}><Card title={{a: 1}} /></Columns>",
    "icon-long": lambda: '<Icon icon="' + "a/../" * 200_000 + '" />',
    "icon-data": lambda: '<Icon icon="data:image/svg+xml,' + "%3Csvg%3E" * 100_000 + '" />',
    "icon-outside": lambda: '<Icon icon="../../../../etc/passwd" />\n\n<img src="../canary.svg" />',
    "many-tabs": lambda: "<Tabs>" + '<Tab title="x">y</Tab>' * 20_000 + "</Tabs>",
    "tooltips": lambda: '<Tooltip tip="x">y</Tooltip> ' * 30_000,
    "tree": lambda: "<Tree>" + '<Tree.Folder name="a">' * 500 + "</Tree.Folder>" * 500 + "</Tree>",
    "mermaid": lambda: (
        "```mermaid\ngraph TD\n" + "".join(f"a{n} --> a{n + 1}\n" for n in range(100_000)) + "```"
    ),
    "mermaid-nested": lambda: (
        "```mermaid\nmindmap\n" + "".join(" " * n + "x\n" for n in range(2_000)) + "```"
    ),
}

CASES = of_bodies("components", _MAKERS)
