from __future__ import annotations

from docstead.content.config import SiteConfig
from docstead.content.filtering import visible_to
from docstead.content.navigation import Navigation, NavNode, NodeKind
from docstead.content.pages import PageMeta, Site


def page(slug: str, *groups: str) -> PageMeta:
    return PageMeta(slug, f"{slug}.mdx", slug, groups=groups)


def node(slug: str) -> NavNode:
    return NavNode(NodeKind.PAGE, slug, slug=slug)


def test_readers_see_what_is_for_everybody_and_for_their_groups() -> None:
    pages = {each.slug: each for each in (page("a"), page("b", "x", "y"), page("c", "z"))}
    group = NavNode(NodeKind.GROUP, "Theirs", (node("b"), node("c")))
    site = Site(SiteConfig("Acme"), Navigation((node("a"), group)), pages)

    public, theirs = visible_to(site), visible_to(site, ("y",))

    assert list(public.pages) == ["a"]
    assert public.navigation.roots == (node("a"),)
    assert list(theirs.pages) == ["a", "b"]
    assert [each.slug for each in theirs.navigation.roots[1].children] == ["b"]


def test_a_site_for_everybody_is_itself() -> None:
    site = Site(SiteConfig("Acme"), Navigation((node("a"),)), {"a": page("a")})
    assert visible_to(site) is site
