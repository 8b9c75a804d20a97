from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from docstead.content.config import LinkColumn, LinkItem, ThemedValue
from docstead.content.navigation import NavNode
from docstead.content.pages import Repository
from docstead.content.style_settings import BackgroundSettings, FontSettings, SiteFontSettings
from docstead.loading.loader import load_repository

Write = Callable[[dict[str, str | bytes]], Path]
PAGES = ["intro", "examples/one", "examples/two", "reference/api", "v1/old"]


@pytest.fixture
def load_mint(write: Write) -> Callable[..., Repository]:
    def load_mint(**settings: Any) -> Repository:
        document = {"name": "Acme", "colors": {"primary": "#123456"}, **settings}
        pages = {f"{slug}.mdx": f"---\ntitle: {slug}\n---\n" for slug in PAGES}
        return load_repository(write({"mint.json": json.dumps(document, indent=1), **pages}))

    return load_mint


def outline(nodes: tuple[NavNode, ...]) -> list[Any]:
    return [node.slug or (node.label, node.href or outline(node.children)) for node in nodes]


def group(name: str, *pages: Any, **keys: Any) -> dict[str, Any]:
    return {"group": name, "pages": list(pages), **keys}


def test_groups_only(load_mint: Callable[..., Repository]) -> None:
    repository = load_mint(navigation=[group("Start", "intro", group("More", "examples/one"))])

    expected = [("Start", ["intro", ("More", ["examples/one"])])]
    assert outline(repository.site.navigation.roots) == expected
    assert repository.diagnostics == ()


def test_groups_go_to_the_tab_of_their_first_page(load_mint: Callable[..., Repository]) -> None:
    repository = load_mint(
        primaryTab={"name": "Guide"},
        tabs=[
            {"name": "Examples", "url": "examples"},
            {"name": "Blog", "url": "https://example.com/blog"},
            {"name": "Reference", "url": "/reference/"},
        ],
        navigation=[
            group("Start", "intro"),
            group("One", "examples/one"),
            group("Two", group("Deep", "examples/two")),
            group("API", "reference/api"),
        ],
    )

    assert outline(repository.site.navigation.roots) == [
        ("Guide", [("Start", ["intro"])]),
        ("Examples", [("One", ["examples/one"]), ("Two", [("Deep", ["examples/two"])])]),
        ("Blog", "https://example.com/blog"),
        ("Reference", [("API", ["reference/api"])]),
    ]


def test_versions_keep_their_own_groups(load_mint: Callable[..., Repository]) -> None:
    repository = load_mint(
        versions=["2", {"name": "1", "default": True}],
        navigation=[group("All", "intro"), group("Old", "v1/old", version="1")],
    )

    assert outline(repository.site.navigation.roots) == [
        ("2", [("All", ["intro"])]),
        ("1", [("All", ["intro"]), ("Old", ["v1/old"])]),
    ]
    assert repository.site.navigation.roots[1].default


def test_anchors_that_are_links_stand_everywhere(load_mint: Callable[..., Repository]) -> None:
    anchors = [
        {"name": "Forum", "url": "https://example.com", "icon": "comments"},
        {"name": "Reference", "url": "reference"},
    ]
    repository = load_mint(
        anchors=anchors, navigation=[group("Start", "intro"), group("API", "reference/api")]
    )

    (anchor,) = repository.site.navigation.everywhere
    assert (anchor.label, anchor.href, anchor.icon) == ("Forum", "https://example.com", "comments")
    assert outline(repository.site.navigation.roots) == [
        ("Documentation", [("Start", ["intro"])]),
        ("Reference", [("API", ["reference/api"])]),
    ]


def test_other_keys_get_their_new_names(load_mint: Callable[..., Repository]) -> None:
    repository = load_mint(
        navigation=[group("Start", "intro")],
        logo={"light": "/l.svg", "dark": "/d.svg"},
        topbarLinks=[{"name": "Blog", "url": "https://example.com"}],
        topbarCtaButton={"name": "Go", "url": "https://example.com/go"},
        footerSocials=[{"type": "github", "url": "https://github.com/a"}],
        footer={"links": [{"title": "More", "links": [{"label": "Home", "url": "/intro"}]}]},
        modeToggle={"default": "dark", "isHidden": True},
        backgroundImage="/b.png",
        font={"headings": {"family": "Inter"}},
        metadata={"og:image": "/card.png"},
        seo={"indexHiddenPages": True},
        openapi="api.yaml",
        api={"baseUrl": "https://s", "auth": {"method": "bearer"}, "playground": {"mode": "hide"}},
        search={"prompt": "Ask"},
        redirects=[{"source": "/old", "destination": "/intro"}],
        analytics={"posthog": {"apiKey": "phc_1"}},
        feedback={"thumbsRating": True},
    )
    config = repository.site.config

    assert config.theme == "mint"
    assert config.logo is not None
    assert config.logo.image == ThemedValue("/l.svg", "/d.svg")
    assert config.navbar.links == (LinkItem("Blog", "https://example.com"),)
    assert config.navbar.primary == LinkItem("Go", "https://example.com/go", kind="button")
    assert config.footer.socials == (LinkItem("github", "https://github.com/a"),)
    assert config.footer.columns == (LinkColumn("More", (LinkItem("Home", "/intro"),)),)
    assert (config.appearance.default, config.appearance.strict) == ("dark", True)
    assert config.background == BackgroundSettings(image="/b.png")
    assert config.fonts == SiteFontSettings(heading=FontSettings("Inter"))
    assert (config.seo.indexing, config.seo.metatags) == ("all", {"og:image": "/card.png"})
    assert (config.api.openapi, config.api.server) == (("api.yaml",), ("https://s",))
    assert config.api.auth_method == "bearer"
    assert config.search_prompt == "Ask"
    assert config.redirects[0].destination == "/intro"
    assert config.feedback.thumbs
    assert config.integrations.vendors == {"posthog": {"apiKey": "phc_1"}}
    codes = [
        diagnostic.code
        for diagnostic in repository.diagnostics
        if diagnostic.code != "broken-image"
    ]
    assert codes == ["openapi-missing"]


def test_diagnostics_name_lines_of_the_older_file(load_mint: Callable[..., Repository]) -> None:
    repository = load_mint(navigation=[group("Start", "intro", "nowhere")])

    (diagnostic,) = repository.diagnostics
    assert (diagnostic.file, diagnostic.code, diagnostic.line) == ("mint.json", "missing-page", 11)
