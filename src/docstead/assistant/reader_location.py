"""The reader's current page, and the version that it implies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from docstead.content.navigation import NavNode, NodeKind
from docstead.content.pages import Site
from docstead.content.slugs import find_page
from docstead.search.ranking import Preference

_BUNDLE_SUFFIX = ".html"
_HOST = re.compile(r"^(?:[a-zA-Z][a-zA-Z0-9+.-]*:)?//[^/?#]*")


def page_at(site: Site, path: str) -> str | None:
    """Return the slug of a page for any form of its path: with host, anchor or `.html`."""
    return find_page(site, _bare(path))


def page_around(site: Site, path: str) -> str | None:
    """Like `page_at`, but ignore leading folders, because sites may have a base path."""
    bare = _bare(path).strip("/")
    while bare:
        if slug := find_page(site, bare):
            return slug
        bare = bare.partition("/")[2]
    return None


def _bare(path: str) -> str:
    without_query = re.split(r"[?#]", _HOST.sub("", path), maxsplit=1)[0]
    return without_query.removesuffix(_BUNDLE_SUFFIX)


def preference(site: Site, near: str | None) -> Preference:
    """Return language and version of the reader's page, or the site's defaults."""
    page = site.pages.get(near) if near else None
    return Preference(
        language=page.language if page and page.language else _default(site, NodeKind.LANGUAGE),
        version=page.version if page and page.version else _default(site, NodeKind.VERSION),
    )


def preference_of_answers(site: Site, near: str | None) -> Preference:
    """Like `preference`, but without a site's preference for its defaults."""
    return replace(preference(site, near), most_boost=1.0)


def _default(site: Site, kind: NodeKind) -> str | None:
    found = [node for root in site.navigation.roots for node in _nodes(root, kind)]
    chosen = next((node for node in found if node.default), found[0] if found else None)
    return chosen.label if chosen else None


def _nodes(node: NavNode, kind: NodeKind) -> Iterator[NavNode]:
    if node.kind is kind:
        yield node
    elif node.kind not in (NodeKind.PAGE, NodeKind.GROUP):
        for child in node.children:
            yield from _nodes(child, kind)
