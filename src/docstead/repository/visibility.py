"""Visibility of a page by its position in the navigation (docs/reference/frontmatter.mdx).

A page is `in_navigation` if readers can find it: it is listed below no hidden node, or below one
with `searchable: true`. Other pages are only served at their URLs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from docstead.content.navigation import Navigation, NavNode, NodeKind
from docstead.content.pages import Page, PageMeta

_UNLISTED = 0.5  # boost factor of pages outside the navigation


@dataclass(frozen=True, slots=True)
class _VisiblePages:
    """Combined settings of the ancestors of a page."""

    language: str | None = None
    version: str | None = None
    boost: float | None = None
    listed: bool = True

    def below(self, node: NavNode) -> _VisiblePages:
        listed = (node.searchable is True) if node.hidden else self.listed
        return _VisiblePages(
            language=node.label if node.kind is NodeKind.LANGUAGE else self.language,
            version=node.label if node.kind is NodeKind.VERSION else self.version,
            boost=node.boost or self.boost,
            listed=listed or (self.listed and not node.hidden),
        )


def pages_in_navigation(pages: Mapping[str, Page], navigation: Navigation) -> dict[str, Page]:
    """Return the pages with language, version and boost of their first position.

    Search ranks pages outside the navigation below those in it.
    """
    visible: dict[str, _VisiblePages] = {}
    for root in navigation.roots:
        _collect(root, _VisiblePages(), visible)
    if not visible:
        return dict(pages)
    return {
        slug: page.changed(
            _placed(page.meta, visible[slug]) if slug in visible else _lower(page.meta)
        )
        for slug, page in pages.items()
    }


def _collect(node: NavNode, seen: _VisiblePages, visible: dict[str, _VisiblePages]) -> None:
    if node.kind is not NodeKind.PAGE:
        seen = seen.below(node)
    for slug in (node.slug, node.root):
        if slug is not None:
            first = visible.setdefault(slug, seen)
            if seen.listed and not first.listed:
                visible[slug] = replace(first, listed=True)
    for child in node.children:
        _collect(child, seen, visible)


def _placed(meta: PageMeta, seen: _VisiblePages) -> PageMeta:
    placed = replace(
        meta,
        language=seen.language,
        version=seen.version or meta.version,
        boost=seen.boost if seen.boost and meta.boost == 1.0 else meta.boost,
        in_navigation=seen.listed and not meta.hidden,
    )
    return placed if placed.in_navigation else _lower(placed)


def _lower(meta: PageMeta) -> PageMeta:
    return replace(meta, boost=meta.boost * _UNLISTED)
