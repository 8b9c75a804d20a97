"""Every key of docs.json and of frontmatter that readers can see, and what it does.

A row is a key, a value for it, where it shows, and what shows there. Keys whose effect is
in the content of pages (code blocks, API pages, variables) are tested where that is made.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from docstead.content.pages import Site
from docstead.loading.loader import load_repository
from docstead.markup.rendered import Heading
from docstead.outputs.generated_texts import GeneratedTexts
from docstead.theme.document import PageShell
from docstead.theme.mode import ShellMode
from site_builders import BASE_URL, rendered

Make = Callable[..., PageShell]

FILES = ("logo.svg", "dark.svg", "icon.svg", "fonts/a.woff2", "preview.png", "openapi.json")
BASE: dict[str, Any] = {
    "theme": "mint",
    "name": "Acme",
    "colors": {"primary": "#0D9373"},
    "navigation": {
        "tabs": [
            {
                "tab": "Guides",
                "groups": [
                    {
                        "group": "Start",
                        "pages": ["index", "guide", {"group": "In", "pages": ["deep"]}],
                    }
                ],
            },
            {"tab": "More", "icon": "book", "groups": [{"group": "Rest", "pages": ["more"]}]},
        ]
    },
}
_TABS = "navigation.tabs"


def _groups(**keys: Any) -> list[dict[str, Any]]:
    return [{"tab": "Guides", "groups": [{"group": "Start", "pages": ["index", "guide"], **keys}]}]


Row = tuple[str, Any, str, str]

SETTINGS: list[Row] = [
    ("theme", "linden", "page", 'data-look="linden"'),
    ("theme", "almond", "page", 'class="ds-layout almond-layout'),
    ("name", "Brand", "page", 'name="application-name" content="Brand"'),
    ("description", "All of it.", "page", 'content="All of it."'),
    ("description", "All of it.", "llms.txt", "> All of it."),
    ("colors.primary", "#123456", "css", "--ds-primary:#123456"),
    ("colors.light", "#aabbff", "css", "--ds-primary:#aabbff"),
    ("colors.dark", "#005500", "css", "--ds-button:#005500"),
    ("logo", "/logo.svg", "page", 'src="logo.svg" alt="Acme"'),
    ("logo", {"light": "/logo.svg", "dark": "/dark.svg"}, "page", 'ds-dark-only" src="dark.svg"'),
    ("logo", {"light": "/logo.svg", "dark": "/dark.svg", "href": "https://acme.example"}, "page",
     'class="ds-logo" href="https://acme.example"'),
    ("logo", {"light": "./logo.svg", "dark": "./dark.svg"}, "page", 'src="logo.svg" alt="Acme"'),
    ("favicon", "./icon.svg", "page", '<link rel="icon" href="icon.svg">'),
    ("favicon", "/icon.svg", "page", '<link rel="icon" href="icon.svg">'),
    ("favicon", {"light": "/icon.svg", "dark": "/dark.svg"}, "page",
     'href="dark.svg" media="(prefers-color-scheme: dark)"'),
    ("appearance.default", "dark", "page", 'data-theme="dark"'),
    ("appearance.strict", True, "page", "data-theme-fixed"),
    ("fonts.family", "Brand", "css", '--ds-font-sans:"Brand"'),
    ("fonts.weight", 450, "css", "--ds-weight-sans:450"),
    ("fonts", {"family": "A", "source": "/fonts/a.woff2", "format": "woff2"}, "css",
     'url("../fonts/a.woff2") format("woff2")'),
    ("fonts", {"family": "A", "source": "./fonts/a.woff2"}, "css", 'url("../fonts/a.woff2")'),
    ("fonts", {"heading": {"family": "Head"}, "body": {"family": "Body"}}, "css",
     '--ds-font-heading:"Head"'),
    ("icons.library", "lucide", "page", "<svg"),
    ("background.decoration", "grid", "page", "ds-decoration-grid"),
    ("background.color", {"light": "#fafafa", "dark": "#101010"}, "css", "--ds-bg:#fafafa"),
    ("background.image", {"light": "/preview.png", "dark": "/logo.svg"}, "css",
     'body{background-image:url("../preview.png")'),
    ("background.image", "./preview.png", "css", 'body{background-image:url("../preview.png")'),
    ("interaction.drilldown", True, "page", '<a class="ds-nav-link" href="deep.html">'),
    ("styling.codeblocks", "dark", "css", "color-scheme:dark;color:var(--ds-fg)"),
    ("styling.eyebrows", "breadcrumbs", "deep", "breadcrumb-list"),
    ("thumbnails.background", "/preview.png", "page", f'content="{BASE_URL}/preview.png"'),
    ("thumbnails.background", "./preview.png", "page", f'content="{BASE_URL}/preview.png"'),
    (_TABS, [{"tab": "Only", "icon": "book", "pages": ["index"]}], "page", "<span>Only</span>"),
    (_TABS, [{"tab": "T", "pages": ["index"]}, {"tab": "Out", "href": "https://x.example"}], "page",
     'href="https://x.example"'),
    (_TABS, [{"tab": "T", "menu": [{"item": "Item", "description": "Says", "pages": ["index"]}]},
             {"tab": "U", "pages": ["guide"]}], "page", 'ds-option-note">Says'),
    (_TABS, _groups(icon="book"), "page", '<span class="ds-nav-icon sidebar-group-icon"><svg'),
    (_TABS, _groups(tag="NEW"), "page", 'nav-tag-pill-text">NEW</span>'),
    (_TABS, _groups(root="more"), "page", '<a href="more.html">'),
    (_TABS, _groups(root="more", directory="card"), "more", 'class="ds-listing" data-kind="card"'),
    ("navigation", {"anchors": [{"anchor": "A", "icon": "book", "pages": ["index"]},
                                {"anchor": "B", "href": "https://b.example"}]}, "page",
     'class="ds-anchor nav-anchor" href="https://b.example"'),
    ("navigation", {"dropdowns": [{"dropdown": "One", "pages": ["index"]},
                                  {"dropdown": "Two", "pages": ["guide"]}]}, "page",
     'data-menu="dropdown"'),
    ("navigation", {"products": [{"product": "One", "description": "First", "pages": ["index"]},
                                 {"product": "Two", "pages": ["guide"]}]}, "page",
     'ds-option-note">First'),
    ("navigation", {"versions": [{"version": "v2", "tag": "new", "pages": ["index"]},
                                 {"version": "v1", "pages": ["guide"]}]}, "page",
     'data-menu="version"'),
    ("navigation", {"languages": [{"language": "fr", "pages": ["index"]},
                                  {"language": "de", "pages": ["guide"]}]}, "page", 'lang="fr"'),
    ("navigation", {"languages": [
        {"language": "en", "pages": ["index"], "banner": {"content": "Hello **you**"}},
        {"language": "de", "pages": ["guide"]}]}, "page", "Hello <strong>you</strong>"),
    ("navigation", {"languages": [
        {"language": "en", "pages": ["index"],
         "footer": {"socials": {"github": "https://github.com/own"}}},
        {"language": "de", "pages": ["guide"]}]}, "page", "https://github.com/own"),
    ("navigation", {"languages": [
        {"language": "en", "pages": ["index"],
         "navbar": {"links": [{"label": "Own", "href": "https://own.example"}]}},
        {"language": "de", "pages": ["guide"]}]}, "page", "<span>Own</span>"),
    ("navigation", {"anchors": [{"anchor": "A", "color": {"light": "#112233"}, "pages": ["index"]},
                                {"anchor": "B", "href": "https://b.example"}]}, "page",
     "--ds-anchor-light:#112233"),
    ("navigation.global", {"anchors": [{"anchor": "Blog", "href": "https://blog.example"}]}, "page",
     "https://blog.example"),
    ("navbar.links", [{"label": "Support", "href": "mailto:a@b.example"}], "page",
     "<span>Support</span>"),
    ("navbar.links", [{"type": "github", "href": "https://github.com/a/b"}], "page",
     "<span>GitHub</span>"),
    ("navbar.primary", {"type": "button", "label": "Go", "href": "https://go.example"}, "page",
     'href="https://go.example"'),
    ("footer.socials", {"x": "https://x.com/acme"}, "page", 'aria-label="X"'),
    ("footer.links", [{"header": "Company", "items": [{"label": "Jobs", "href": "/guide"}]}],
     "page", '<p class="ds-footer-title">Company</p>'),
    ("banner", {"content": "Now *new*"}, "page", "Now <em>new</em>"),
    ("banner", {"content": "Now&nbsp;&lt;new&gt;"}, "page", "Now\u00a0&lt;new&gt;"),
    ("banner", {"content": "x", "dismissible": True}, "page", "data-banner-close"),
    ("banner", {"content": "x", "type": "critical"}, "page", "--ds-banner-light:#b91c1c"),
    ("banner", {"content": "x", "color": "#112233"}, "page", "--ds-banner-light:#112233"),
    ("contextual.options", ["copy", "chatgpt"], "page", "https://chatgpt.com/?q="),
    ("contextual.options", ["view"], "page", 'class="ds-action" href="index.md"'),
    ("contextual.options", ["download-pdf"], "page", 'data-page-action="print"'),
    ("contextual", {"options": [{"title": "Ask us", "description": "By mail",
                                 "href": {"base": "https://ask.example",
                                          "query": [{"key": "p", "value": "$path"}]}}]}, "page",
     'href="https://ask.example?p=%2F"'),
    ("contextual", {"options": ["copy"], "display": "toc"}, "contents", 'class="ds-page-link"'),
    ("redirects", [{"source": "/old", "destination": "/guide"}], "redirects", "url=guide.html"),
    ("metadata.timestamp", True, "dated", '<time datetime="2026-03-04">'),
    ("errors.404", {"redirect": False, "title": "Lost?", "description": "Try **here**."}, "404",
     "Try <strong>here</strong>."),
    ("api.openapi", "openapi.json", "llms.txt", "openapi.json"),
    ("markdown.instructions", "Be brief.", "llms.txt", "Be brief."),
    ("seo.indexing", "all", "sitemap.xml", f"{BASE_URL}/dated"),
    ("seo.metatags", {"og:image": "/preview.png"}, "page", f'content="{BASE_URL}/preview.png"'),
    ("seo.metatags", {"canonical": "https://other.example/docs"}, "page",
     'rel="canonical" href="https://other.example/docs"'),
    ("seo.metatags", {"robots": "noindex"}, "robots.txt", "Disallow: /"),
    ("seo.trailingSlash", True, "guide", f'rel="canonical" href="{BASE_URL}/guide/"'),
    ("seo.trailingSlash", True, "sitemap.xml", f"<loc>{BASE_URL}/guide/</loc>"),
    ("seo.organization", {"name": "Acme Inc", "logo": "/logo.svg"}, "page",
     f'"logo": "{BASE_URL}/logo.svg"'),
    ("search.prompt", "Find it", "page", 'aria-label="Find it"'),
]  # fmt: skip

FRONTMATTER: list[Row] = [
    ("title", "Own title", "guide", "<title>Own title - Acme</title>"),
    ("description", "It says `so`.", "guide", "<code>so</code>"),
    ("sidebarTitle", "Short", "page", ">Short</span>"),
    ("icon", "book", "page", '<span class="ds-nav-icon"><svg'),
    ("tag", "BETA", "page", 'nav-tag-pill-text">BETA</span>'),
    ("deprecated", True, "guide", "ds-tag-deprecated"),
    ("hidden", True, "guide", 'content="noindex, nofollow"'),
    ("noindex", True, "guide", 'content="noindex, nofollow"'),
    ("keywords", ["alpha", "beta"], "guide", 'content="alpha, beta"'),
    ("mode", "wide", "guide", "ds-mode-wide"),
    ("mode", "center", "guide", "ds-mode-center"),
    ("mode", "custom", "guide", "ds-mode-custom"),
    ("mode", "frame", "guide", "ds-mode-frame"),
    ("related", ["/more", {"Elsewhere": "https://else.example"}], "guide", "https://else.example"),
    ("contextual", {"options": ["view"]}, "guide", 'class="ds-action" href="guide.md"'),
    ("lastUpdatedDate", "2026-05-06", "sitemap.xml", "<lastmod>2026-05-06</lastmod>"),
    ("url", "https://out.example", "page", 'href="https://out.example"'),
    ("canonical", "https://one.example/x", "guide", 'rel="canonical" href="https://one.example/x"'),
    ("robots", "nosnippet", "guide", 'content="nosnippet"'),
    ("og:title", "Shared", "guide", 'property="og:title" content="Shared"'),
    ("twitter:card", "player", "guide", 'name="twitter:card" content="player"'),
    ("api", "GET /users", "page", 'data-method="GET"'),
]

#: Settings and frontmatter that take something away: what is gone from the page.
GONE: list[tuple[str, Any, bool, str]] = [
    ("appearance.strict", True, False, "data-set-theme"),
    ("contextual.options", [], False, "page-context-menu"),
    ("hideFooterPagination", True, True, 'rel="next"'),
    ("hidden", True, True, 'href="guide.html"'),
    ("mode", "custom", True, "ds-pagination"),
    ("mode", "frame", True, "ds-page-head"),
    ("mode", "frame", True, "ds-pagination"),
]


def _with(settings: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    copy = json.loads(json.dumps(settings))
    *path, last = key.split(".")
    position = copy
    for name in path:
        position = position.setdefault(name, {})
    position[last] = value
    return copy


def _site(root: Path, settings: Mapping[str, Any], guide: Mapping[str, Any]) -> Site:
    (root / "docs.json").write_text(json.dumps(settings))
    heads = {"guide": guide, "dated": {"lastUpdatedDate": "2026-03-04"}}
    for slug in ("index", "guide", "deep", "more", "dated"):
        (root / f"{slug}.mdx").write_text(f"---\n{json.dumps(heads.get(slug, {}))}\n---\nBody.\n")
    for file in FILES:
        (root / file).parent.mkdir(exist_ok=True)
        (root / file).write_text("{}")
    return load_repository(root).site


def _shown(shell: PageShell, where: str) -> str:
    if where == "css":
        return next(d for p, d in shell.assets().items() if p.endswith(".css")).decode()
    if where == "404":
        return shell.not_found()
    if where == "redirects":
        return shell.redirect_pages()["old.html"]
    if where == "contents":
        headings = (Heading(2, "One", "one"), Heading(2, "Two", "two"))
        return shell.page(rendered("index", headings=headings))
    if "." in where:
        return GeneratedTexts(shell).texts()[where].decode()
    return shell.page(rendered("index" if where == "page" else where))


@pytest.mark.parametrize("row", SETTINGS, ids=lambda row: f"{row[0]} {row[2]}")
def test_a_key_of_docs_json_shows(tmp_path: Path, shell_of: Make, row: Row) -> None:
    key, value, where, shown = row
    root = tmp_path / "repository"
    root.mkdir()
    shell = shell_of(_site(root, _with(BASE, key, value), {}), assets=FILES)
    assert shown in _shown(shell, where)
    (root / "plain").mkdir()
    if key not in ("navigation", _TABS):
        plain = shell_of(_site(root / "plain", BASE, {}), assets=FILES)
        assert where == "redirects" or key == "icons.library" or shown not in _shown(plain, where)


@pytest.mark.parametrize("row", FRONTMATTER, ids=lambda row: f"{row[0]} {row[2]}")
def test_a_key_of_frontmatter_shows(tmp_path: Path, shell_of: Make, row: Row) -> None:
    key, value, where, shown = row
    root = tmp_path / "repository"
    root.mkdir()
    shell = shell_of(_site(root, BASE, {key: value}), assets=FILES)
    assert shown in _shown(shell, where)
    (root / "plain").mkdir()
    plain = shell_of(_site(root / "plain", BASE, {}), assets=FILES)
    assert shown not in _shown(plain, where)


@pytest.mark.parametrize("row", GONE, ids=lambda row: row[0])
def test_a_key_takes_something_away(tmp_path: Path, shell_of: Make, row: Row) -> None:
    key, value, is_frontmatter, gone = row
    settings = BASE if is_frontmatter else _with(BASE, key, value)
    for name, given in (("plain", (BASE, {})), ("changed", (settings, {key: value}))):
        (tmp_path / name).mkdir()
        shell = shell_of(_site(tmp_path / name, *given), assets=FILES)
        assert (gone in _shown(shell, "guide")) is (name == "plain")


@pytest.mark.parametrize(
    "row",
    [
        ("display", "interactive", "playground.", "data-credentials"),
        ("display", "simple", "<h1", "playground."),
        ("display", "none", "<h1", "playground."),
        ("display", "auth", "<h1", "playground."),
        ("proxy", True, 'data-proxy="/_docs/api/request"', "data-credentials"),
        ("proxy", False, "playground.", "data-proxy"),
        ("credentials", True, "data-credentials", "never"),
    ],
)
def test_a_key_of_the_playground_shows(
    tmp_path: Path, shell_of: Make, row: tuple[str, Any, str, str]
) -> None:
    key, value, shown, gone = row
    root = tmp_path / "repository"
    root.mkdir()
    site = _site(root, _with(BASE, f"api.playground.{key}", value), {})
    shell = shell_of(site, ShellMode.hosted("", BASE_URL), page_features=("playground",))
    html = shell.page(rendered("guide", features=("playground",)))
    assert shown in html
    assert gone not in html


#: Keys of docs.json whose effect is not in the shell, by the tests that show it.
ELSEWHERE = {
    "reference/test_asyncapi.py": "api.asyncapi navigation.asyncapi",
    "repository/test_config_reader.py": "$schema",
    "loading/test_navigation_reader.py": "navigation.openapi navigation.expanded",
    "repository/test_visibility.py": "navigation.hidden navigation.searchable",
    "rendering/test_pages.py": "variables",
    "rendering/test_small_builds.py": "styling.latex",
    "theme/test_keys.py": "api.playground.credentials api.playground.display api.playground.proxy",
    "theme/test_actions.py": "contextual.options",
    "theme/test_external_services.py": "integrations.telemetry",
    "theme/test_related.py": "related.automatic related.limit",
    "theme/test_thumbnails.py": "thumbnails.appearance thumbnails.fonts.family",
    "reference/test_api_languages.py": "api.examples.autogenerate api.examples.defaults "
    "api.examples.languages api.examples.prefill api.params.expanded api.params.post api.url",
    "reference/test_api_manual.py": "api.mdx.auth.method api.mdx.auth.name api.mdx.server",
}
DOCUMENTED = """
$schema api.asyncapi api.examples.autogenerate api.examples.defaults api.examples.languages
api.examples.prefill api.mdx.auth.method api.mdx.auth.name api.mdx.server api.openapi
api.params.expanded api.params.post api.playground.credentials api.playground.display
api.playground.proxy api.url appearance.default appearance.strict background.color
background.decoration background.image banner colors.dark colors.light colors.primary contextual
contextual.options description errors.404 favicon fonts fonts.family fonts.weight footer.links
footer.socials icons.library
integrations.telemetry interaction.drilldown logo markdown.instructions metadata.timestamp
name navbar.links navbar.primary navigation navigation.asyncapi navigation.expanded
navigation.global navigation.hidden navigation.openapi navigation.searchable navigation.tabs
redirects related.automatic related.limit search.prompt seo.indexing seo.metatags
seo.organization seo.trailingSlash
styling.codeblocks styling.eyebrows styling.latex theme thumbnails.appearance
thumbnails.background thumbnails.fonts.family variables
"""
TESTS = Path(__file__).parents[1]


def test_every_key_of_the_settings_has_its_test() -> None:
    here = {row[0] for row in SETTINGS}
    elsewhere = {key for keys in ELSEWHERE.values() for key in keys.split()}
    assert here | elsewhere == set(DOCUMENTED.split())
    assert [file for file in ELSEWHERE if not (TESTS / file).exists()] == []
