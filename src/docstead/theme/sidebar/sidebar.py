"""Sidebar of a context: rendered once, then adapted to each page by text replacement.

Collapsible groups have a number, and every URL is the only text between its quotes, so marking the
current page takes a few replacements. Pages contain only a part of a long sidebar: see
`theme/sidebar/long_sidebar.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from itertools import groupby
from urllib.parse import quote

from markupsafe import Markup

from docstead.content.config import ThemedValue
from docstead.content.contexts import NavigationContext, NavigationContexts, PagePosition
from docstead.content.navigation import NavNode
from docstead.content.pages import Site
from docstead.content.slugs import path_of
from docstead.content.written_settings import members
from docstead.markup.icons import IconSet
from docstead.markup.rendered import LINK_MARK
from docstead.theme.links import marked
from docstead.theme.markup import templates

NO_ICON = Markup("")
_BLANK_ICON = Markup(" ")  # reserves the space of an unknown icon
LONG = 90  # number of entries from which pages contain only a part


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """An entry of a menu or sidebar, ready for its template."""

    label: str
    href: str | None
    icon: Markup = NO_ICON
    tag: str | None = None
    method: str | None = None
    deprecated: bool = False
    description: str | None = None
    current: bool = False
    is_elsewhere: bool = False  # leads to another page than the menu's counterpart
    number: int = 0  # of groups
    expanded: bool = False
    entries: tuple[MenuEntry, ...] = ()
    color: ThemedValue | None = None


@dataclass(frozen=True, slots=True)
class RenderedSidebar:
    """HTML of a context's entries, and the numbers of its groups by identity."""

    html: str
    numbers: dict[int, int]
    entries: tuple[MenuEntry, ...] = ()
    is_long: bool = False

    def group_numbers(self, position: PagePosition) -> Iterable[int]:
        """Return the groups that must be open to show a page."""
        return (self.numbers[id(node)] for node in position.groups if id(node) in self.numbers)


class SidebarRenderer:
    """Renders sidebars; links are marked."""

    def __init__(self, site: Site, contexts: NavigationContexts, icons: IconSet) -> None:
        self._site = site
        self._contexts = contexts
        self._icons = icons
        # docs.json, `interaction.drilldown`: a group's name opens its first page
        self._drills_down = members(site.config.extra.interaction).get("drilldown") is True

    def render(self, context: NavigationContext) -> RenderedSidebar:
        numbers: dict[int, int] = {}
        entries = tuple(self._entries(context.entries, numbers))
        is_long = _count(entries) > LONG
        blocks = [
            (is_block, tuple(run)) for is_block, run in groupby(entries, lambda e: bool(e.entries))
        ]
        html = templates().get_template("sidebar.html").render(blocks=blocks, is_long=is_long)
        return RenderedSidebar(html, numbers, entries, is_long)

    def icon(self, name: str | None, icon_type: str | None = None) -> Markup:
        """Return a node's icon as HTML, or ""."""
        library = self._site.config.icon_library
        return Markup(self._icons.svg(name, icon_type, library) if name else "")  # noqa: S704

    def _entry_icon(self, name: str | None, icon_type: str | None) -> Markup:
        return self.icon(name, icon_type) or (_BLANK_ICON if name else NO_ICON)

    def _entries(self, nodes: Iterable[NavNode], numbers: dict[int, int]) -> Iterator[MenuEntry]:
        for node in nodes:
            if not self._contexts.shown(node):
                continue
            yield self._page(node) if node.slug is not None else self._group(node, numbers)

    def _page(self, node: NavNode) -> MenuEntry:
        meta = self._site.pages[node.slug or ""]
        return MenuEntry(
            label=meta.sidebar_title or meta.title,
            href=marked(meta.url) if meta.url else page_link(meta.slug),
            icon=self._entry_icon(meta.icon, meta.icon_type),
            tag=meta.tag,
            method=None if meta.hide_api_marker else meta.method,
            deprecated=meta.deprecated,
        )

    def _group(self, node: NavNode, numbers: dict[int, int]) -> MenuEntry:
        number = numbers[id(node)] = len(numbers) + 1
        first = self._contexts.first_page(node) if self._drills_down else None
        opened = node.root if node.root in self._site.pages else first
        href = page_link(opened) if opened else None
        return MenuEntry(
            label=node.label,
            href=href or (marked(node.href) if node.href else None),
            icon=self._entry_icon(node.icon, node.icon_type),
            tag=node.tag,
            number=number,
            expanded=node.expanded,
            entries=tuple(self._entries(node.children, numbers)),
        )


def _count(entries: Iterable[MenuEntry]) -> int:
    return sum(1 + _count(entry.entries) for entry in entries)


def page_link(slug: str) -> str:
    """Return a marked link to a page."""
    return LINK_MARK + quote(path_of(slug))


def mark_current(html: str, href: str, numbers: Iterable[int]) -> str:
    """Mark the current page in a resolved sidebar, and open its groups."""
    link = f'href="{escape(href)}"'
    html = html.replace(link, f'{link} aria-current="page"')
    for number in numbers:
        html = html.replace(f'data-group="{number}">', f'data-group="{number}" open>')
    return html
