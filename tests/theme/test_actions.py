"""Options of the menu of a page that need a service."""

from __future__ import annotations

import json
from collections.abc import Callable
from urllib.parse import parse_qs, unquote, urlsplit

from lxml import html

from docstead.content.config import SiteConfig
from docstead.content.written_settings import WrittenSettings
from docstead.markup.rendered import Heading
from docstead.theme.document import PageShell
from docstead.theme.external_services import AssistantLink, ExternalServices
from docstead.theme.mode import ShellMode
from site_builders import BASE_URL, make_site, page, rendered

Make = Callable[..., PageShell]
OPTIONS = ["mcp", "add-mcp", "cursor", "vscode", "assistant"]
CUSTOM = {"title": "Own", "href": {"base": "https://a.example", "query": [
    {"key": "server", "value": "$mcp"}]}}  # fmt: skip
SITE = make_site(
    page("index"),
    config=SiteConfig("Acme", extra=WrittenSettings({"options": [*OPTIONS, CUSTOM]})),
)
TOOLS = f"{BASE_URL}/mcp"


def options(shell: PageShell) -> dict[str, html.HtmlElement]:
    found: html.HtmlElement = html.document_fromstring(shell.page(rendered("index")))
    return {
        each.text_content().strip(): each
        for each in found.cssselect("#page-context-menu .ds-option")
    }


def named(shell: PageShell, name: str) -> html.HtmlElement:
    return next(each for text, each in options(shell).items() if text.startswith(name))


def test_programs_are_led_to_the_tools_of_a_hosted_site(shell_of: Make) -> None:
    shell = shell_of(SITE, ShellMode.hosted("", BASE_URL))
    assert named(shell, "MCP").get("data-text") == TOOLS
    assert named(shell, "npx add-mcp").get("data-text") == f"npx add-mcp {TOOLS}"
    cursor = urlsplit(named(shell, "Open in Cursor").get("href"))
    assert (cursor.scheme, parse_qs(cursor.query)["name"]) == ("cursor", ["Acme"])
    editor = unquote(named(shell, "Open in VS Code").get("href", "")).partition("?")[2]
    assert json.loads(editor) == {"name": "Acme", "url": TOOLS}
    own = parse_qs(urlsplit(named(shell, "Own").get("href")).query)
    assert own == {"server": [TOOLS]}


def test_a_bundle_has_no_tools(shell_of: Make) -> None:
    assert [text for text in options(shell_of(SITE)) if "MCP" in text or "npx" in text] == []


def test_the_assistant_is_opened_where_there_is_one() -> None:
    link = AssistantLink("https://service.example/discovery", "acme", "svc_dsc_1")
    shell = PageShell(
        SITE, ShellMode.hosted("", BASE_URL), external_services=ExternalServices(link)
    )
    assert [e.get("data-page-action") for e in options(shell).values()].count("ask") == 1
    assert "ask" not in [
        e.get("data-page-action")
        for e in options(PageShell(SITE, ShellMode.hosted("", BASE_URL))).values()
    ]


def test_a_menu_beside_the_page_is_at_its_head_on_narrow_screens(shell_of: Make) -> None:
    extra = WrittenSettings({"options": ["copy"], "display": "toc"})
    shell = shell_of(make_site(page("index"), config=SiteConfig("Acme", extra=extra)))
    with_contents = shell.page(rendered("index", headings=(Heading(2, "a", "A"),)))
    assert 'class="ds-page-links"' in with_contents
    assert 'class="ds-actions ds-actions-narrow"' in with_contents
    assert 'data-markdown="index.md"' in with_contents  # what "copy" reads, wherever it stands
    without = shell.page(rendered("index"))
    assert 'class="ds-actions"' in without
    assert 'class="ds-page-links"' not in without
