"""The navigation as text: found by label or page, and edited in place."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from docstead.agent.tools.settings_text import SettingsPart, SettingsText
from docstead.agent.workspace.files import PathRefused
from docstead.content.navigation import NodeKind
from docstead.content.slugs import clean_path, slug_of

# The key of each kind of child node, in display order.
HOLDERS = {
    "languages": NodeKind.LANGUAGE, "versions": NodeKind.VERSION, "products": NodeKind.PRODUCT,
    "dropdowns": NodeKind.DROPDOWN, "tabs": NodeKind.TAB, "anchors": NodeKind.ANCHOR,
    "menu": NodeKind.ITEM, "pages": NodeKind.PAGE, "groups": NodeKind.GROUP,
}  # fmt: skip
_KINDS = tuple(kind.value for kind in NodeKind if kind is not NodeKind.PAGE)
_DEPTH = 20
_MOST_NODES = 200_000


@dataclass(frozen=True, slots=True)
class NavigationEntry:
    """A node such as a group or tab (`part` is its object), or a page (its string).

    `holder` is the array that contains it, at `index`; None for the navigation itself.
    """

    label: str
    kind: str
    part: SettingsPart
    path: tuple[str, ...] = ()  # labels from the top, including its own
    holder: SettingsPart | None = None
    index: int = 0

    @property
    def is_page(self) -> bool:
        return self.kind == NodeKind.PAGE

    @property
    def shown(self) -> str:
        return " > ".join(self.path) or "the top of the navigation"


class NavigationText:
    """Nodes are valid until the text is edited; find them again afterwards."""

    def __init__(self, settings: SettingsText) -> None:
        self.settings = settings

    def top(self) -> NavigationEntry:
        part = self.settings.get(self.settings.root, "navigation")
        if part is None:
            raise PathRefused(f"{self.settings.file} has no navigation")
        return NavigationEntry("", "navigation", part)

    def children(self, node: NavigationEntry) -> Iterator[NavigationEntry]:
        """Yield the direct children of a node, in file order."""
        for holder in self.holders(node).values():
            for index, part in enumerate(self.settings.items(holder)):
                label, kind = self._named(part)
                if label:
                    yield NavigationEntry(label, kind, part, (*node.path, label), holder, index)

    def holders(self, node: NavigationEntry) -> dict[str, SettingsPart]:
        """Return the arrays of a node by key."""
        if node.part.span.items is not None:
            return {"groups": node.part}  # older settings are an array of groups
        if node.part.span.members is None:
            return {}
        found = ((key, self.settings.get(node.part, key)) for key in HOLDERS)
        return {key: part for key, part in found if part and part.span.items is not None}

    def walk(self, node: NavigationEntry | None = None) -> Iterator[NavigationEntry]:
        """Yield all nodes below a node, each before its children.

        Raises:
            Refused: there are too many, for instance because settings files include each other.
        """
        for count, found in enumerate(self._below(node or self.top(), 0)):
            if count == _MOST_NODES:
                raise PathRefused(f"the navigation has over {_MOST_NODES:,} entries")
            yield found

    def _below(self, node: NavigationEntry, depth: int) -> Iterator[NavigationEntry]:
        if depth > _DEPTH:
            raise PathRefused("the navigation is nested too deeply")
        for child in self.children(node):
            yield child
            if not child.is_page:
                yield from self._below(child, depth + 1)

    def find(self, path: Sequence[str]) -> NavigationEntry:
        """Return the node with these labels; leading labels may be omitted if unambiguous."""
        requested = tuple(path)
        if not requested:
            return self.top()
        nodes = [node for node in self.walk() if not node.is_page]
        exact = [node for node in nodes if node.path == requested]
        found = exact or [node for node in nodes if _ends(node.path, requested)]
        if len(found) == 1:
            return found[0]
        if found:
            positions = "; ".join(str(list(node.path)) for node in found[:10])
            raise PathRefused(f"{list(requested)} may be any of {positions}: write the whole path")
        labels = "; ".join(str(list(node.path)) for node in nodes[:60])
        raise PathRefused(f"the navigation has no {list(requested)}; it has {labels}")

    def pages(self, page: str) -> list[NavigationEntry]:
        """Return every entry of a page."""
        requested = plain_slug(page)
        return [n for n in self.walk() if n.is_page and plain_slug(n.label) == requested]

    def _named(self, part: SettingsPart) -> tuple[str, str]:
        if part.text is not None:
            return part.text, NodeKind.PAGE
        for kind in _KINDS:
            label = self.settings.get(part, kind) if part.span.members is not None else None
            if label is not None and label.text:
                return label.text, kind
        return "", ""


def plain_slug(page: str) -> str:
    """Normalize a page's spelling: "/a/b", "a/b.mdx", "a/b/index"."""
    slug = slug_of(clean_path(page))
    return slug.removesuffix("/index") or "index"


def outline(navigation: NavigationText, node: NavigationEntry) -> Iterator[str]:
    """Yield the tree below a node, one line per node."""
    for child in navigation.walk(node):
        indent = "  " * (len(child.path) - len(node.path) - 1)
        yield f"{indent}{child.label if child.is_page else f'[{child.kind}] {child.label}'}"
        root = None if child.is_page else navigation.settings.get(child.part, "root")
        if root is not None and root.text:
            yield f"{indent}  (root) {root.text}"


def value_of(navigation: NavigationText, node: NavigationEntry) -> Any:
    """Return a node as plain JSON, for insertion elsewhere."""
    return json.loads(navigation.settings.source(node.part))


def _ends(path: tuple[str, ...], requested: tuple[str, ...]) -> bool:
    """Report whether a path ends with `requested`, ignoring labels before and between."""
    rest = iter(reversed(path))
    return bool(path) and path[-1] == requested[-1] and all(w in rest for w in reversed(requested))
