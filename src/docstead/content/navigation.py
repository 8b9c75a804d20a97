"""The navigation of a site: one tree for every kind that `docs.json` knows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from docstead.content.config import Themed


class NodeKind(StrEnum):
    """Kind of a navigation node; the values are the keys of `docs.json`."""

    LANGUAGE = "language"
    VERSION = "version"
    PRODUCT = "product"
    DROPDOWN = "dropdown"
    TAB = "tab"
    ANCHOR = "anchor"
    ITEM = "item"  #: An entry of a tab's or a product's menu.
    GROUP = "group"
    PAGE = "page"


@dataclass(frozen=True, slots=True)
class NavNode:
    """A node. A page has `slug` and no children; a link has `href` and no children."""

    kind: NodeKind
    label: str
    children: tuple[NavNode, ...] = ()
    slug: str | None = None  # on pages
    href: str | None = None  # on links, external or root-relative
    icon: str | None = None
    icon_type: str | None = None
    tag: str | None = None
    description: str | None = None
    root: str | None = None  # slug that the group's title opens
    hidden: bool = False
    default: bool = False  # the language or version that is shown first
    expanded: bool = False
    searchable: bool | None = None
    boost: float | None = None
    directory: str | None = None
    color: Themed | None = None  # of an anchor's icon

    def pages(self) -> Iterator[str]:
        """The slugs under this node, in reading order; `root` pages before their group's."""
        if self.slug is not None:
            yield self.slug
        if self.root is not None:
            yield self.root
        for child in self.children:
            yield from child.pages()


@dataclass(frozen=True, slots=True)
class Navigation:
    """`roots` share one kind (a mixed level is a diagnostic); `everywhere` is `global`."""

    roots: tuple[NavNode, ...] = ()
    everywhere: tuple[NavNode, ...] = ()

    def pages(self) -> Iterator[str]:
        """Every slug of the tree in reading order, once."""
        seen: set[str] = set()
        for root in self.roots:
            for slug in root.pages():
                if slug not in seen:
                    seen.add(slug)
                    yield slug

    def size(self) -> int:
        """The number of nodes."""
        waiting, found = [*self.roots, *self.everywhere], 0
        while waiting:
            node = waiting.pop()
            waiting += node.children
            found += 1
        return found

    def path_to(self, slug: str) -> tuple[NavNode, ...]:
        """The nodes from a root to the first place of this page, ends included; () if none."""
        return next((path for root in self.roots if (path := _path(root, slug))), ())


def _path(node: NavNode, slug: str) -> tuple[NavNode, ...]:
    if slug in (node.slug, node.root):
        return (node,)
    for child in node.children:
        if path := _path(child, slug):
            return (node, *path)
    return ()
