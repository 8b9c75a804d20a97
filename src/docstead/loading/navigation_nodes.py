"""Navigation nodes of pages and libraries, and facts of nodes of `docs.json` as written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from docstead.content.navigation import DIVISIONS, LISTS, NavNode, NodeKeys, NodeKind
from docstead.content.pages import PageMeta
from docstead.content.setting_keys import declared, key_of
from docstead.repository.json_fields import ObjectReader
from docstead.repository.json_text import JsonArray, JsonObject
from docstead.repository.positions import FilePosition

if TYPE_CHECKING:
    from docstead.reference.sdk.pages import PageGroup

_PAGES = key_of(declared(NodeKeys).pages)


def page_node(meta: PageMeta) -> NavNode:
    """Return the navigation entry of a page."""
    return NavNode(
        kind=NodeKind.PAGE,
        label=meta.sidebar_title or meta.title,
        slug=meta.slug,
        href=meta.url,
        icon=meta.icon,
        icon_type=meta.icon_type,
        tag=meta.tag,
        hidden=meta.hidden,
    )


def symbol_group(group: PageGroup, layout: str | None) -> NavNode:
    """Return the navigation group of a library's pages, with the groups within it."""
    pages = map(page_node, group.pages)
    within = (symbol_group(each, layout) for each in group.groups)
    return NavNode(NodeKind.GROUP, group.label, (*pages, *within), directory=layout)


def language_codes(value: Any) -> Iterator[str]:
    """Yield the languages of a navigation as written, at any level."""
    if isinstance(value, JsonArray):
        for item in value:
            yield from language_codes(item)
    elif isinstance(value, JsonObject):
        if isinstance(code := value.get(NodeKind.LANGUAGE.value), str):
            yield code
        for item in value.values():
            yield from language_codes(item)


def page_entries(value: Any) -> Iterator[str]:
    """Yield page entries at or below a node as written, except below nodes with own files."""
    if isinstance(value, JsonArray):
        for item in value:
            if isinstance(item, str):
                yield item
            else:
                yield from page_entries(item)
    elif isinstance(value, JsonObject):
        for key, item in value.items():
            if key in (_PAGES, *DIVISIONS):
                yield from page_entries(item)


def divisions_of(keys: ObjectReader) -> tuple[str, ...]:
    """Return the lists of a node that divide the site, such as tabs; groups do not."""
    groups = LISTS[NodeKind.GROUP]
    return tuple(name for name in DIVISIONS if name != groups and keys.values.get(name))


def file_position(keys: ObjectReader, kind: str, file: str) -> FilePosition:
    """Return the position of a specification's name, possibly within a list."""
    listed = keys.values[kind]
    if isinstance(listed, JsonArray) and file in listed:
        return listed.position(list(listed).index(file))
    return keys.values.position(kind)


def kind_of(entry: JsonObject) -> NodeKind:
    """Return the kind of an object among pages: a group, or another kind in some repositories."""
    return next((kind for kind in NodeKind if kind.value in entry), NodeKind.GROUP)
