"""Page menu: copy the page, view it as Markdown, open it in an assistant.

See docs/guides/reading.mdx: options are in the order of the settings, and the first one needs no
menu. Options that need a missing service are omitted: the assistant, or the MCP server, which
editors add through links.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from markupsafe import Markup

from docstead.content.config import SiteConfig
from docstead.content.pages import PageMeta
from docstead.content.written_settings import members
from docstead.markup.icons import IconSet
from docstead.markup.words import ShellTexts
from docstead.repository.sources import SCHEMA_SUFFIXES, SPECIFICATION_SUFFIXES
from docstead.theme.links import SiteLinks, marked
from docstead.theme.sidebar.sidebar import NO_ICON

_WITHOUT_SETTINGS = ("copy", "view")
_ASSISTANTS = {
    "chatgpt": ("ChatGPT", "https://chatgpt.com/?q=", "openai"),
    "claude": ("Claude", "https://claude.ai/new?q=", "claude"),
    "perplexity": ("Perplexity", "https://www.perplexity.ai/search?q=", "asterisk"),
    "grok": ("Grok", "https://grok.com/?q=", "x-twitter"),
    "aistudio": ("AI Studio", "https://aistudio.google.com/prompts/new_chat?prompt=", "google"),
    "devin": ("Devin", "https://app.devin.ai/?prompt=", "robot"),
}
_SPECIFICATIONS = (*SPECIFICATION_SUFFIXES, *SCHEMA_SUFFIXES)


@dataclass(frozen=True, slots=True)
class Action:
    """An option: a link, or an action of a script named in `does`. Links are marked."""

    label: str
    note: str
    glyph: str = ""  # icon of the shell
    icon: Markup = NO_ICON
    href: str = ""
    does: str = ""  # "copy", "print", "ask", or "copy-text" with the text
    text: str = ""


@dataclass(frozen=True, slots=True)
class PageActions:
    options: tuple[Action, ...]
    in_contents: bool  # next to the page, below its contents
    markdown: str  # URL of the Markdown version


class ActionMenus:
    """Creates the menus of a site's pages."""

    def __init__(
        self, config: SiteConfig, links: SiteLinks, icons: IconSet, *, has_assistant: bool = False
    ) -> None:
        self._name = config.name
        self._has_assistant = has_assistant
        self._library = config.icon_library
        self._site = config.extra.contextual
        self._links = links
        self._icons = icons

    def of(self, meta: PageMeta, words: ShellTexts, markdown: str) -> PageActions | None:
        """Return the menu of a page with its Markdown at `markdown`, or None without options."""
        given = meta.contextual if _is_valid(meta.contextual) else self._site
        settings = members(given)
        names = settings.get("options", _WITHOUT_SETTINGS)
        known = self._known(meta, words, markdown)
        options = tuple(self._options(names, meta, words, known))
        return PageActions(options, settings.get("display") == "toc", markdown) if options else None

    def _options(
        self, names: Any, meta: PageMeta, words: ShellTexts, known: Mapping[str, Action]
    ) -> Iterator[Action]:
        for name in names if isinstance(names, list | tuple) else ():
            if isinstance(name, Mapping):
                found = self._custom(name, meta)
            else:
                found = known.get(name) or self._assistant(str(name), meta, words)
            if found is not None:
                yield found

    def _known(self, meta: PageMeta, words: ShellTexts, markdown: str) -> dict[str, Action]:
        """Return the options that need no service."""
        known = {
            "copy": Action(words.copy_page, words.copy_note, "copy", does="copy"),
            "view": Action(words.markdown, words.view_note, "file", href=markdown),
            "download-pdf": Action(words.print, words.print_note, "print", does="print"),
        }
        if meta.method is not None and meta.file.endswith(_SPECIFICATIONS):
            href = marked("/" + meta.file)
            known["download-spec"] = Action(words.download_spec, meta.file, "download", href=href)
        if self._has_assistant:
            known["assistant"] = Action(words.ask_about, "", "search", does="ask")
        return {**known, **self._tools(words)}

    def _tools(self, words: ShellTexts) -> dict[str, Action]:
        """Return the options that connect programs to the site's MCP server."""
        url = self._links.tools
        if not url:
            return {}
        command = f"npx add-mcp {url}"
        server = json.dumps({"name": self._name, "url": url}, separators=(",", ":"))
        config = base64.b64encode(json.dumps({"url": url}).encode()).decode()
        cursor = urlencode({"name": self._name, "config": config})
        return {
            "mcp": Action("MCP", url, "copy", does="copy-text", text=url),
            "add-mcp": Action("npx add-mcp", url, "copy", does="copy-text", text=command),
            "cursor": Action(
                words.open_in.format(name="Cursor"), "MCP", "right",
                href=f"cursor://anysphere.cursor-deeplink/mcp/install?{cursor}",
            ),
            "vscode": Action(
                words.open_in.format(name="VS Code"), "MCP", "right",
                href=f"vscode:mcp/install?{quote(server, safe='')}",
            ),
        }  # fmt: skip

    def _assistant(self, name: str, meta: PageMeta, words: ShellTexts) -> Action | None:
        """Return an option for an assistant, which needs the page's public URL."""
        url = self._links.absolute("/" + quote(self._links.markdown_of(meta.slug)))
        if not url or name not in _ASSISTANTS:
            return None
        label, base, icon = _ASSISTANTS[name]
        href = base + quote(words.ask_prompt.format(url=url), safe="")
        icon = self._icon(icon, "fontawesome")
        return Action(words.open_in.format(name=label), words.ask_about, icon=icon, href=href)

    def _custom(self, option: Mapping[str, Any], meta: PageMeta) -> Action | None:
        title, href = option.get("title"), self._href(option.get("href"), meta)
        if not isinstance(title, str) or not href:
            return None
        icon, note = option.get("icon"), option.get("description")
        icon = self._icon(icon, self._library) if isinstance(icon, str) else NO_ICON
        return Action(title, note if isinstance(note, str) else "", "right", icon, marked(href))

    def _href(self, href: Any, meta: PageMeta) -> str:
        if isinstance(href, str):
            return self._filled(href, meta)
        if not isinstance(href, Mapping) or not isinstance(href.get("base"), str):
            return ""
        pairs = [
            (str(pair.get("key")), self._filled(str(pair.get("value", "")), meta))
            for pair in href.get("query") or ()
            if isinstance(pair, Mapping)
        ]
        return str(href["base"]) + (f"?{urlencode(pairs)}" if pairs else "")

    def _filled(self, text: str, meta: PageMeta) -> str:
        """Fill a template with the URL of the page's Markdown."""
        markdown_url = self._links.absolute("/" + quote(self._links.markdown_of(meta.slug)))
        path = self._links.public_path(meta.slug)
        text = text.replace("$mcp", self._links.tools)
        return text.replace("$page", markdown_url or path).replace("$path", path)

    def _icon(self, name: str, library: str) -> Markup:
        return Markup(self._icons.svg(name, None, library))  # noqa: S704


def _is_valid(override: Mapping[str, Any] | None) -> bool:
    return override is not None and isinstance(override.get("options"), list)
