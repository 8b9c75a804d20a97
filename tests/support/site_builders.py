"""Builders of small sites and pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docstead.content.config import SiteConfig
from docstead.content.navigation import Navigation, NavNode, NodeKind
from docstead.content.pages import PageMeta, Section, Site
from docstead.markup.rendered import RenderedPage

BASE_URL = "https://docs.example.com"


def page(slug: str, **known: Any) -> NavNode:
    return NavNode(NodeKind.PAGE, known.pop("label", slug), slug=slug, **known)


def group(label: str, *children: NavNode, **known: Any) -> NavNode:
    return NavNode(NodeKind.GROUP, label, children, **known)


def node(kind: NodeKind, label: str, *children: NavNode, **known: Any) -> NavNode:
    return NavNode(kind, label, children, **known)


def meta(slug: str, **known: Any) -> PageMeta:
    title = known.pop("title", slug.rpartition("/")[2].replace("-", " ").capitalize())
    return PageMeta(slug, f"{slug}.mdx", title, **known)


def make_site(
    *roots: NavNode, config: SiteConfig | None = None, metas: Mapping[str, PageMeta] | None = None
) -> Site:
    """Create a site with a page for every slug in its navigation."""
    navigation = Navigation(roots)
    pages = {slug: meta(slug, in_navigation=True) for slug in navigation.pages()}
    return Site(config or SiteConfig("Acme"), navigation, {**pages, **(metas or {})})


def rendered(slug: str, html: str = "<p>Body.</p>", **known: Any) -> RenderedPage:
    known.setdefault("sections", (Section("", (), "Body."),))
    return RenderedPage(slug, html, known.pop("headings", ()), **known)
