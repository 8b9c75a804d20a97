"""Publicly listed pages of a site (docs/reference/frontmatter.mdx)."""

from __future__ import annotations

from collections.abc import Iterator

from docstead.content.navigation import NavNode
from docstead.content.pages import PageMeta, Site


def public_pages(site: Site) -> tuple[str, ...]:
    """Return slugs for sitemap and llms.txt: in navigation order, then alphabetically."""
    everything = site.config.seo.indexing == "all"
    listed = dict.fromkeys(
        slug for root in site.navigation.roots for slug in _listed(root, everything)
    )
    others = sorted(slug for slug in site.pages if slug not in listed) if everything else ()
    return tuple(slug for slug in (*listed, *others) if _allowed(site, slug, everything))


def _listed(node: NavNode, everything: bool) -> Iterator[str]:
    """Yield listed slugs; hidden nodes hide their descendants unless they are searchable."""
    if node.hidden and not node.searchable and not everything:
        return
    if node.root is not None:
        yield node.root
    if node.slug is not None:
        yield node.slug
    for child in node.children:
        yield from _listed(child, everything)


def _allowed(site: Site, slug: str, everything: bool) -> bool:
    meta = site.pages.get(slug)
    if meta is None or meta.noindex or meta.url:
        return False
    return (everything or not meta.hidden) and "noindex" not in meta.metatags.get("robots", "")


def is_searchable(site: Site, meta: PageMeta) -> bool:
    """Report whether search and answers may use the page (docs/reference/frontmatter.mdx)."""
    if meta.noindex or not meta.searchable:
        return False
    return site.config.seo.indexing == "all" or (meta.in_navigation and not meta.hidden)
