"""The pages of a PDF: order of the navigation, sections, folders and paths."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import version

import pytest

from docstead.base.errors import InvalidRequest
from docstead.content.config import SiteConfig
from docstead.content.navigation import Navigation, NavNode, NodeKind
from docstead.content.pages import PageMeta, Site
from docstead.export.pdf.contents import ContentsEntry, selection_of
from docstead.export.pdf.structure import TESTED_VERSION


def page(slug: str) -> NavNode:
    return NavNode(NodeKind.PAGE, slug, slug=slug)


def group(label: str, *children: NavNode, root: str | None = None, hidden: bool = False) -> NavNode:
    return NavNode(NodeKind.GROUP, label, children, root=root, hidden=hidden)


METAS = (
    PageMeta("index", "index.mdx", "Welcome"),
    PageMeta("guides/index", "guides/index.mdx", "Guides overview"),
    PageMeta("guides/keys", "guides/keys.mdx", "Keys"),
    PageMeta("guides/deep/more", "guides/deep/more.mdx", "More"),
    PageMeta("guidesque", "guidesque.mdx", "Not a guide"),
    PageMeta("hidden", "hidden.mdx", "Hidden", hidden=True),
    PageMeta("staff", "staff.mdx", "Staff", groups=("staff",)),
    PageMeta("away", "away.mdx", "Away", url="https://example.com"),
    PageMeta("orphan", "orphan.mdx", "Orphan"),
)
SITE = Site(
    SiteConfig(name="Handbook"),
    Navigation(
        (
            group("Start", page("index"), page("hidden"), page("away")),
            group(
                "Guides",
                page("guides/keys"),
                group("Deep", page("guides/deep/more"), page("index")),
                group("Staff only", page("staff")),
                root="guides/index",
            ),
            group("Private", page("guidesque"), hidden=True),
            page("guidesque"),
        )
    ),
    {meta.slug: meta for meta in METAS},
)


def slugs(entries: tuple[ContentsEntry, ...]) -> list[str]:
    return [slug for entry in entries for slug in entry.slugs()]


def test_a_site_is_in_the_order_of_its_navigation_each_page_once() -> None:
    chosen = selection_of(SITE)
    assert chosen.title == ""
    assert slugs(chosen.entries) == [
        "index", "guides/index", "guides/keys", "guides/deep/more", "guidesque",
    ]  # fmt: skip
    assert [entry.title for entry in chosen.entries] == ["Start", "Guides", "Not a guide"]
    assert [entry.title for entry in chosen.entries[1].children] == ["Keys", "Deep"]


def test_languages_are_listed_by_their_own_names() -> None:
    languages = (NavNode(NodeKind.LANGUAGE, code, (page("index"),)) for code in ("de", "tlh"))
    site = replace(SITE, navigation=Navigation((*languages, page("orphan"))))
    assert [entry.title for entry in selection_of(site).entries] == ["Deutsch", "Orphan"]


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("Deep", ["guides/deep/more", "index"]),
        ("deep", ["guides/deep/more", "index"]),
        ("Guides", ["guides/index", "guides/keys", "guides/deep/more", "index"]),
        ("guides/deep", ["guides/deep/more"]),
        ("/guides/deep/", ["guides/deep/more"]),
    ],
)
def test_a_section_is_a_label_or_a_folder(section: str, expected: list[str]) -> None:
    assert slugs(selection_of(SITE, section=section).entries) == expected


@pytest.mark.parametrize("section", ["Nothing", "", "/", "Private", "Staff only", "guide"])
def test_a_section_without_public_pages_is_refused(section: str) -> None:
    with pytest.raises(InvalidRequest, match=r"--section: there is no group or folder .*Start"):
        selection_of(SITE, section=section)


def test_named_pages_may_be_hidden_or_outside_the_navigation() -> None:
    chosen = selection_of(SITE, paths=["orphan", "hidden", "orphan"])
    assert slugs(chosen.entries) == ["orphan", "hidden"]
    assert selection_of(SITE, paths=["orphan"]).title == "Orphan"


@pytest.mark.parametrize("path", ["staff", "nowhere", "/index", "index.mdx"])
def test_a_page_that_is_not_public_is_refused(path: str) -> None:
    with pytest.raises(InvalidRequest, match=r"^--page: "):
        selection_of(SITE, paths=[path])


def test_a_site_whose_navigation_is_empty_names_the_option() -> None:
    empty = Site(SITE.config, Navigation(), SITE.pages)
    with pytest.raises(InvalidRequest, match="--page"):
        selection_of(empty)


def test_library_has_the_version_whose_private_api_is_used() -> None:
    """Before raising the version, compare `_add_object`, which `structure` calls."""
    assert version("pypdf") == TESTED_VERSION
