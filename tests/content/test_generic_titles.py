"""Titles that say nothing without the group of their page."""

from __future__ import annotations

from docstead.content.generic_titles import groups_of_generic_titles
from docstead.content.navigation import NodeKind
from site_builders import group, make_site, meta, node, page


def test_pages_with_generic_titles_have_their_innermost_group() -> None:
    titles = {"a": "Overview", "b": "Keys", "c": "Introduction", "d": "概要", "e": "Overview"}
    billing = group("Billing", page("a"), page("b"), group("Plans", page("c")), root="d")
    site = make_site(
        node(NodeKind.VERSION, "v2", node(NodeKind.TAB, "Guides", billing), page("e")),
        group("Again", page("a")),
        metas={slug: meta(slug, title=title) for slug, title in titles.items()},
    )
    assert groups_of_generic_titles(site) == {"a": "Billing", "c": "Plans", "d": "Billing", "e": ""}
