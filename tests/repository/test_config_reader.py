from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from docstead.content.config import (
    ApiSettings,
    Appearance,
    Banner,
    Colors,
    Footer,
    LanguageSettings,
    LinkColumn,
    LinkItem,
    Logo,
    Navbar,
    NotFoundPage,
    Redirect,
    Seo,
    ThemedValue,
)
from docstead.content.pages import Repository
from docstead.content.style_settings import BackgroundSettings, SiteFontSettings, StylingSettings

Load = Callable[..., Repository]


def test_every_key_has_its_value(load: Load) -> None:
    repository = load(
        {
            "new.mdx": "",
            "a.json": '{"openapi": "3.0.0"}',
            **dict.fromkeys(("l.svg", "d.svg", "f.png"), ""),
        },
        theme="maple",
        description="All about it",
        colors={"primary": "#111", "light": "#222222", "dark": "#333"},
        logo={"light": "/l.svg", "dark": "/d.svg", "href": "https://example.com"},
        favicon="/f.png",
        appearance={"default": "dark", "strict": True},
        icons={"library": "lucide"},
        fonts={"family": "Inter"},
        background={"decoration": "grid"},
        styling={"eyebrows": "breadcrumbs"},
        navbar={
            "links": [{"label": "Blog", "href": "/new", "icon": "rss"}],
            "primary": {"type": "github", "href": "https://github.com/a/b"},
        },
        footer={
            "socials": {"x": "https://x.com/a"},
            "links": [{"header": "More", "items": [{"label": "New", "href": "/new"}]}],
        },
        banner={"content": "Hi", "dismissible": True, "type": "warning", "color": "#fff"},
        redirects=[{"source": "/old", "destination": "/new", "permanent": False}],
        variables={"version": "1.2", "port": 8080},
        contextual={"options": ["copy", {"title": "Mine"}]},
        seo={"indexing": "all", "metatags": {"og:locale": "en"}},
        errors={"404": {"redirect": False, "title": "Lost", "description": "Try again"}},
        api={"openapi": "a.json", "mdx": {"server": "https://s", "auth": {"method": "key"}}},
        search={"prompt": "Ask"},
        metadata={"timestamp": True},
        integrations={"ga4": {"measurementId": "G-1"}},
    )
    config = repository.site.config

    assert [diagnostic.code for diagnostic in repository.diagnostics] == []
    assert (config.name, config.theme, config.description) == ("Acme", "maple", "All about it")
    assert config.colors == Colors("#111", "#222222", "#333")
    assert config.logo == Logo(ThemedValue("/l.svg", "/d.svg"), "https://example.com")
    assert config.favicon == ThemedValue("/f.png", "/f.png")
    assert config.appearance == Appearance("dark", strict=True)
    assert config.icon_library == "lucide"
    assert config.fonts == SiteFontSettings("Inter")
    assert config.background == BackgroundSettings("grid")
    assert config.styling == StylingSettings("breadcrumbs")
    github = LinkItem("GitHub", "https://github.com/a/b", kind="github")
    assert config.navbar == Navbar((LinkItem("Blog", "/new", "rss"),), github)
    column = LinkColumn("More", (LinkItem("New", "/new"),))
    assert config.footer == Footer((LinkItem("x", "https://x.com/a"),), (column,))
    assert config.banner == Banner("Hi", True, "warning", ThemedValue("#fff", "#fff"))
    assert config.redirects == (Redirect("/old", "/new", permanent=False),)
    assert config.variables == {"version": "1.2", "port": "8080"}
    assert config.seo == Seo("all", {"og:locale": "en"})
    assert config.not_found == NotFoundPage(False, "Lost", "Try again")
    assert config.api == ApiSettings(("a.json",), ("https://s",), "key")
    assert (config.search_prompt, config.timestamps) == ("Ask", True)
    assert config.integrations.vendors == {"ga4": {"measurementId": "G-1"}}
    assert config.extra.contextual["options"][1] == {"title": "Mine"}


@pytest.mark.parametrize(
    ("settings", "code", "message"),
    [
        ({"theme": "neon"}, "unknown-value", "theme is 'neon'"),
        ({"theme": 5.5}, "unknown-value", "theme is '5.5'"),
        ({"colors": {"primary": "red"}}, "invalid-color", "colors.primary is 'red'"),
        ({"colors": {}}, "missing-key", "colors.primary is missing"),
        ({"colors": "#111"}, "wrong-type", "colors must be an object"),
        ({"logo": 5}, "wrong-type", "logo must be an object"),
        ({"navbar": {"links": {}}}, "wrong-type", "navbar.links must be an array"),
        ({"navbar": {"links": ["x"]}}, "wrong-type", "navbar.links[0] must be an object"),
        ({"navbar": {"links": [{"label": "x"}]}}, "missing-key", "navbar.links[0] has no URL"),
        (
            {"navbar": {"primary": {"label": "x", "href": "javascript:alert(1)"}}},
            "unsafe-link",
            "navbar.primary.href",
        ),
        ({"redirects": [{"source": "/a"}]}, "invalid-redirect", "redirects[0] needs"),
        (
            {"redirects": [{"source": "/a#b", "destination": "/"}]},
            "invalid-redirect",
            "'#' or '?' in its source",
        ),
        (
            {"redirects": [{"source": "/:a*/:b*", "destination": "/"}]},
            "invalid-redirect",
            "more wildcards",
        ),
        ({"redirects": [{"source": "/a", "destination": "/none"}]}, "broken-link", "'/none'"),
        ({"variables": {"bad name": "x"}}, "invalid-variable", "'bad name'"),
        ({"appearance": {"strict": "yes"}}, "wrong-type", "appearance.strict must be true"),
        ({"hed": {}}, "unknown-key", "'hed'"),
        (
            {"navbar": {"primary": {"type": "buton", "label": "A", "href": "/"}}},
            "unknown-value",
            "navbar.primary.type is 'buton'",
        ),
        ({"api": {"examples": {"languages": ["curl", "pyton"]}}}, "unknown-value", "'pyton'"),
        ({"seo": {"organization": {"founder": "A"}}}, "unknown-key", "'seo.organization.founder'"),
        ({"appearance": {"defualt": "dark"}}, "unknown-key", "'appearance.defualt'"),
        ({"footer": {"links": [{"items": [{"lable": "x"}]}]}}, "unknown-key", "items.lable'"),
        ({"integrations": {"ga4": {}}}, "invalid-integration", ".ga4.measurementId is missing"),
        ({"integrations": {"countly": {}}}, "unknown-key", "integrations.countly is not known"),
        ({"contextual": {"options": ["devin-mcp"]}}, "without-effect", "'devin-mcp' has no"),
        (
            {"styling": {"codeblocks": {"languages": {"custom": ["/a.json"]}}}},
            "unusable-grammar",
            "there is no grammar '/a.json'",
        ),
        ({"styling": {"codeblocks": "githb"}}, "unknown-value", "styling.codeblocks is 'githb'"),
        (
            {"styling": {"codeblocks": {"theme": {"light": "github-light", "dark": "drakula"}}}},
            "unknown-value",
            "styling.codeblocks.theme.dark is 'drakula', which is not a known code theme",
        ),
        ({"icons": {"library": "tabler"}}, "without-effect", "Tabler's icons are not included"),
        ({"api": {"mdx": {"auth": {"method": "cobo"}}}}, "unknown-value", "auth.method is 'cobo'"),
        ({"errors": {"404": {"description": "<Card/>"}}}, "without-effect", "shown as text"),
        ({"thumbnails": {"appearance": "blue"}}, "unknown-value", "thumbnails.appearance"),
        ({"thumbnails": {"fonts": {"family": "Nope"}}}, "font-not-shipped", "set in Inter"),
        ({"navbar": {"links": [{"label": []}]}}, "wrong-type", "links[0].label must be a string"),
        ({"banner": []}, "wrong-type", "banner must be an object"),
        ({"errors": {"404": []}}, "wrong-type", "errors.404 must be an object"),
        ({"logo": {"light": "/no.svg"}}, "broken-image", "there is no image at '/no.svg'"),
        ({"favicon": "no.png"}, "broken-image", "there is no image at 'no.png'"),
        ({"thumbnails": {"background": "/no.png"}}, "broken-image", "at '/no.png'"),
        ({"background": {"image": {"dark": "/no.png"}}}, "broken-image", "at '/no.png'"),
        ({"background": {"color": {"dark": "ink"}}}, "invalid-color", "color.dark is 'ink'"),
        ({"background": {"color": "#fff"}}, "wrong-type", "background.color must be an object"),
        ({"background": {"decoration": "plaid"}}, "unknown-value", "decoration is 'plaid'"),
        ({"fonts": {"weight": "bold"}}, "wrong-type", "fonts.weight must be a whole number"),
        ({"fonts": {"body": {"weight": 0}}}, "wrong-type", "fonts.body.weight must be"),
        ({"styling": {"eyebrows": "loud"}}, "unknown-value", "styling.eyebrows is 'loud'"),
        ({"styling": {"latex": "yes"}}, "wrong-type", "styling.latex must be true or false"),
        ({"interaction": {"drilldown": "yes"}}, "wrong-type", "interaction.drilldown must be"),
        ({"markdown": {"schema": 1}}, "wrong-type", "markdown.schema must be true or false"),
        ({"contextual": {"display": "side"}}, "unknown-value", "contextual.display is 'side'"),
        ({"contextual": {"options": [5]}}, "wrong-type", "contextual.options[0] must be a string"),
        ({"api": {"url": "half"}}, "unknown-value", "api.url is 'half'"),
        ({"api": {"params": {"post": ["a", 5]}}}, "wrong-type", "api.params.post[1] must be"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(
    load: Load, settings: dict[str, Any], code: str, message: str
) -> None:
    repository = load({}, **settings)

    found = [diagnostic for diagnostic in repository.diagnostics if diagnostic.code == code]
    assert any(message in diagnostic.message for diagnostic in found), repository.diagnostics
    assert all(diagnostic.line > 1 and diagnostic.column > 0 for diagnostic in found)
    assert repository.site.config.name == "Acme"


def test_images_that_are_there_or_elsewhere_are_not_reported(load: Load) -> None:
    repository = load(
        {"logo.svg": "<svg/>", "icon.png": b""},
        logo={"light": "/logo.svg", "dark": "https://cdn.example/dark.svg"},
        favicon="icon.png",
        contextual={"options": ["copy", {"title": "Mine", "href": "https://a.example"}]},
    )
    codes = {diagnostic.code for diagnostic in repository.diagnostics}
    assert not codes & {"broken-image", "wrong-type"}


@pytest.mark.parametrize(
    ("written", "read"), [({}, None), ({"expanded": "closed"}, False), ({"expanded": "all"}, True)]
)
def test_a_flag_with_names_may_be_unset(load: Load, written: Any, read: bool | None) -> None:
    assert load({}, api={"params": written}).site.config.api.expanded is read


def test_a_key_that_is_misspelled_has_a_hint(load: Load) -> None:
    repository = load({}, appearance={"defualt": "dark"})
    (found,) = (
        diagnostic for diagnostic in repository.diagnostics if diagnostic.code == "unknown-key"
    )
    assert found.hint == "Did you mean 'default'?"


def test_an_unknown_key_of_many_groups_is_reported_once(load: Load) -> None:
    groups = [{"group": str(n), "collapsed": True, "pages": ["index"]} for n in range(5)]
    repository = load({}, {"groups": groups})
    found = [
        diagnostic.message
        for diagnostic in repository.diagnostics
        if diagnostic.code == "unknown-key"
    ]
    assert found == ["the key 'navigation.groups.collapsed' is not known and has no effect"]


def test_every_documented_key_is_known(load: Load) -> None:
    repository = load(
        {},
        {"groups": [{"group": "A", "tag": "x", "expanded": True, "public": True, "pages": []}]},
        logo={"light": "/a.svg", "dark": "/b.svg", "href": "/"},
        fonts={"heading": {"family": "Inter", "weight": 500}, "body": {"family": "Geist"}},
        seo={"organization": {"sameAs": []}, "metatags": {"anything": "x"}},
        footer={"socials": {"mastodon": "https://a.example"}},
        variables={"any": "x"},
        integrations={"telemetry": {"enabled": False}},
        contextual={"options": ["mcp", "cursor", "vscode", "add-mcp", "assistant"]},
    )
    reported = [f for f in repository.diagnostics if f.code in ("unknown-key", "without-effect")]
    assert reported == []
    assert repository.site.config.telemetry is False


def test_slashes_of_a_path_may_be_repeated_and_those_of_a_url_stay(load: Load) -> None:
    config = load({}, logo={"light": "/images//l.svg", "dark": "https://a.example//d.svg"}).site
    assert config.config.logo == Logo(ThemedValue("/images/l.svg", "https://a.example//d.svg"))
    icon = load({}, favicon="images///icon.svg").site.config.favicon
    assert icon == ThemedValue("images/icon.svg", "images/icon.svg")


def test_a_language_may_have_its_own_bars(load: Load) -> None:
    french = {
        "language": "fr",
        "pages": ["index"],
        "banner": {"content": "Salut"},
        "navbar": {"links": [{"label": "Accueil", "href": "/"}]},
    }
    english = {"language": "en", "pages": ["index"]}
    config = load({}, {"languages": [english, french]}).site.config

    assert config.languages == {
        "fr": LanguageSettings(Navbar((LinkItem("Accueil", "/"),)), None, Banner("Salut"))
    }


@pytest.mark.parametrize("key", ["logo", "favicon"])
def test_pictures_of_other_hosts_are_reported(load: Load, key: str) -> None:
    repository = load({"a.mdx": ""}, **{key: {"light": "https://cdn.example/a.svg"}})
    codes = [each.code for each in repository.diagnostics if each.file == "docs.json"]
    assert codes == [f"{key}-elsewhere"]


def test_a_font_that_is_neither_shipped_nor_a_file_is_reported(load: Load) -> None:
    fonts = {
        "family": "Inter",
        "heading": {"family": "Own", "source": "/own.woff2"},
        "body": {"family": "Elsewhere"},
    }
    diagnostics = load({"own.woff2": ""}, fonts=fonts).diagnostics
    assert [each.code for each in diagnostics] == ["font-not-shipped"]
    assert "'Elsewhere'" in diagnostics[0].message


def test_a_banner_without_content_is_none(load: Load) -> None:
    assert load({}, banner={"type": "warning"}).site.config.banner is None


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("#fff", ThemedValue("#fff", "#fff")),
        ({"light": "#fff"}, ThemedValue("#fff", "#fff")),
        ({"dark": "#000"}, ThemedValue("#000", "#000")),
        ({}, None),
        ("", None),
    ],
)
def test_a_color_of_one_mode_is_that_of_both(load: Load, written: Any, read: Any) -> None:
    banner = load({}, banner={"content": "Hi", "color": written}).site.config.banner
    assert banner is not None
    assert banner.color == read
