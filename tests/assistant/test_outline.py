"""The outline of the navigation that a model gets."""

from __future__ import annotations

from docstead.assistant.outline import outline
from docstead.content.config import SiteConfig
from docstead.content.navigation import Navigation, NavNode, NodeKind
from docstead.content.pages import PageMeta, Site


def page(slug: str) -> NavNode:
    return NavNode(NodeKind.PAGE, slug, slug=slug)


def group(label: str, *children: NavNode, root: str | None = None) -> NavNode:
    return NavNode(NodeKind.GROUP, label, children=children, root=root)


def site(*roots: NavNode, **metas: PageMeta) -> Site:
    slugs = [slug for root in roots for slug in root.pages()]
    pages = {
        slug: metas.get(slug) or PageMeta(slug, f"{slug}.mdx", slug.title(), in_navigation=True)
        for slug in slugs
    }
    return Site(SiteConfig(name="Acme"), Navigation(roots), pages)


def test_it_has_titles_and_paths_below_their_groups() -> None:
    shown = outline(site(group("Guides", page("keys"), group("More", page("hooks"))), page("faq")))
    assert shown.splitlines() == [
        "- Guides",
        "  - Keys: /keys",
        "  - More",
        "    - Hooks: /hooks",
        "- Faq: /faq",
    ]


def test_a_group_with_a_page_of_its_own_is_that_page() -> None:
    shown = outline(site(group("Guides", page("keys"), root="start")))
    assert shown.splitlines() == ["- Start: /start", "  - Keys: /keys"]


def test_pages_that_a_reader_may_not_find_are_left_out() -> None:
    secret = PageMeta("secret", "secret.mdx", "Secret", in_navigation=True, groups=("staff",))
    hidden = PageMeta("old", "old.mdx", "Old", in_navigation=True, hidden=True)
    whole = site(
        page("keys"), group("Staff", page("secret")), page("old"), secret=secret, old=hidden
    )
    assert outline(whole) == "- Keys: /keys"
    assert outline(whole, ["staff"]) == "- Keys: /keys\n- Staff\n  - Secret: /secret"


def test_of_versions_it_has_the_one_that_is_shown_first() -> None:
    versions = [
        NavNode(NodeKind.VERSION, "v1", children=(page("one"),)),
        NavNode(NodeKind.VERSION, "v2", children=(page("two"),), default=True),
    ]
    assert outline(site(*versions)) == "- Two: /two"


def test_of_a_large_site_it_has_the_upper_levels() -> None:
    groups = [
        group(f"Group {number}", *(page(f"page-{number}-{each}") for each in range(100)))
        for number in range(50)
    ]
    assert outline(site(*groups)).splitlines() == [f"- Group {number}" for number in range(50)]
