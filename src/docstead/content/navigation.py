"""Navigation of a site: one tree for all kinds of `docs.json`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from docstead.content.config import Href, Icon, ThemedValue
from docstead.content.setting_keys import COMPUTED, setting


class NodeKind(StrEnum):
    """Kind of a navigation node; the values are the keys of `docs.json`."""

    LANGUAGE = "language"
    VERSION = "version"
    PRODUCT = "product"
    DROPDOWN = "dropdown"
    TAB = "tab"
    ANCHOR = "anchor"
    ITEM = "item"  #: An entry of the menu of a tab or product.
    GROUP = "group"
    PAGE = "page"


#: Keys of lists of nodes, with the kind of their nodes.
DIVISIONS = {
    "languages": NodeKind.LANGUAGE,
    "versions": NodeKind.VERSION,
    "products": NodeKind.PRODUCT,
    "dropdowns": NodeKind.DROPDOWN,
    "tabs": NodeKind.TAB,
    "anchors": NodeKind.ANCHOR,
    "menu": NodeKind.ITEM,
    "groups": NodeKind.GROUP,
}
#: Keys of these lists by the kind of their nodes.
LISTS = {kind: key for key, kind in DIVISIONS.items()}
_GENERATED = {"type": "string or object", "shown_default": "none"}


@dataclass(frozen=True, slots=True)
class SdkKeys:
    """Keys of `sdk` in the navigation."""

    format: Any = None
    source: Any = None
    directory: Any = None


@dataclass(frozen=True, slots=True)
class NodeKeys:
    """Keys of a node that `NavigationReader` interprets in context."""

    pages: Any = None
    everywhere: Any = setting(None, "", "global")
    public: Any = None
    openapi: Any = setting(None, "[generated pages](/guides/api-pages)", **_GENERATED)
    asyncapi: Any = setting(None, "the same", **_GENERATED)
    graphql: Any = setting(None, "the same, on a tab", **_GENERATED)
    sdk: Any = setting(None, "[pages of a library](/guides/sdk-pages)", type="object")
    source_ref: Any = None
    root: Any = setting(None, "page that opens when the name of a group is clicked", type="string")
    directory: Any = setting(
        None, "`accordion` or `card`: lists the pages of a group below its `root`", type="string"
    )
    color: Any = setting(None, "color of an anchor", type="color or object")


@dataclass(frozen=True, slots=True)
class NavNode:
    """A node. A page has `slug` and no children; a link has `href` and no children."""

    kind: NodeKind = field(metadata=COMPUTED)
    label: str = field(metadata=COMPUTED)
    children: tuple[NavNode, ...] = field(default=(), metadata=COMPUTED)
    slug: str | None = field(default=None, metadata=COMPUTED)  # on pages
    href: Href | None = setting(None, "makes the entry a link")
    icon: Icon | None = setting(None, "icon of the entry")
    icon_type: str | None = setting(None, "style of that icon")
    tag: str | None = setting(None, "label next to the name")
    description: str | None = setting(None, "text of a menu entry or product")
    root: str | None = field(default=None, metadata=COMPUTED)  # page that the group's title opens
    hidden: bool = setting(
        False, "leaves the entry out; its pages are published and not searchable"
    )
    default: bool = setting(
        False, "version or language that is shown first; otherwise the first one"
    )
    expanded: bool = setting(False, "whether a nested group is open at first")
    searchable: bool | None = setting(None, "`true` keeps the pages of a hidden entry searchable")
    boost: float | None = setting(None, "multiplies the search scores of the pages below")
    directory: str | None = field(default=None, metadata=COMPUTED)
    color: ThemedValue | None = field(default=None, metadata=COMPUTED)  # of an anchor's icon

    def pages(self) -> Iterator[str]:
        """Yield the slugs below this node in reading order; `root` pages precede their group's."""
        if self.slug is not None:
            yield self.slug
        if self.root is not None:
            yield self.root
        for child in self.children:
            yield from child.pages()


@dataclass(frozen=True, slots=True)
class Navigation:
    """`roots` are of one kind (mixed levels are reported); `everywhere` is `global`."""

    roots: tuple[NavNode, ...] = ()
    everywhere: tuple[NavNode, ...] = ()

    def pages(self) -> Iterator[str]:
        """Yield every slug of the tree in reading order, once."""
        seen: set[str] = set()
        for root in self.roots:
            for slug in root.pages():
                if slug not in seen:
                    seen.add(slug)
                    yield slug

    def size(self) -> int:
        """Return the number of nodes."""
        waiting, found = [*self.roots, *self.everywhere], 0
        while waiting:
            node = waiting.pop()
            waiting += node.children
            found += 1
        return found
