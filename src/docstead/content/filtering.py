"""Subsets of a site."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from docstead.content.navigation import Navigation, NavNode
from docstead.content.pages import PageMeta, Site


def visible_to(site: Site, groups: Collection[str] = ()) -> Site:
    """Return the site as readers of these groups may see it (docs/reference/frontmatter.mdx).

    Readers of hosted pages are not authenticated, so these are public pages only.
    """
    shown = [slug for slug, meta in site.pages.items() if is_visible_to(meta, groups)]
    return site if len(shown) == len(site.pages) else filtered(site, frozenset(shown))


def is_visible_to(page: PageMeta, groups: Collection[str]) -> bool:
    return not page.groups or any(group in groups for group in page.groups)


def filtered(site: Site, slugs: Collection[str]) -> Site:
    """Return the site with these pages only, and menus without empty entries."""
    pages = {slug: meta for slug, meta in site.pages.items() if slug in slugs}
    if len(pages) == len(site.pages):
        return site
    navigation = Navigation(
        roots=_filtered_nodes(site.navigation.roots, pages),
        everywhere=_filtered_nodes(site.navigation.everywhere, pages),
    )
    return replace(site, navigation=navigation, pages=pages)


def _filtered_nodes(nodes: Iterable[NavNode], pages: Collection[str]) -> tuple[NavNode, ...]:
    return tuple(kept for node in nodes if (kept := _filtered_node(node, pages)) is not None)


def _filtered_node(node: NavNode, pages: Collection[str]) -> NavNode | None:
    children = _filtered_nodes(node.children, pages)
    slug = node.slug if node.slug in pages else None
    root = node.root if node.root in pages else None
    if slug is None and root is None and not children and node.href is None:
        return None
    return replace(node, children=children, slug=slug, root=root)
