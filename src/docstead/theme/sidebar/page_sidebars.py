"""Sidebar of a page: links resolved, current page marked, its groups open."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from markupsafe import Markup

from docstead.content.contexts import NavigationContext, NavigationContexts, PagePosition
from docstead.content.navigation import NodeKind
from docstead.content.pages import Site
from docstead.markup.assets import hashed_name
from docstead.markup.words import shell_texts
from docstead.theme.links import SiteLinks
from docstead.theme.sidebar.long_sidebar import LongSidebar, whole_script
from docstead.theme.sidebar.sidebar import RenderedSidebar, SidebarRenderer, mark_current, page_link


class PageSidebars:
    """Sidebars of a site, each rendered once."""

    def __init__(
        self, site: Site, contexts: NavigationContexts, sidebars: SidebarRenderer, links: SiteLinks
    ) -> None:
        self._site = site
        self._contexts = contexts
        self._sidebars = sidebars
        self._links = links
        self._rendered: dict[NavigationContext, RenderedSidebar] = {}
        self._long: dict[tuple[NavigationContext, str], LongSidebar] = {}
        self._resolved: dict[tuple[NavigationContext, str], str] = {}
        self._wholes: dict[NavigationContext, tuple[str, bytes] | None] = {}

    def html(self, slug: str, position: PagePosition, prefix: str) -> Markup:
        """Return the sidebar of a page that reaches the root of the site by `prefix`."""
        sidebar = self._of(position.context)
        opened = tuple(sidebar.group_numbers(position))
        if sidebar.is_long:
            parts = self._parts_of(position.context, sidebar, prefix)
            html = parts.html(opened, page_link(slug))
        else:
            html = self._whole_html(position.context, sidebar, prefix)
        if slug in self._site.pages:
            current = (prefix + self._links.target_of(slug)) or "./"
            html = mark_current(html, current, opened)
        return Markup(html)  # noqa: S704

    def script_of(self, context: NavigationContext) -> tuple[str, bytes] | None:
        """Return path and contents of the whole sidebar's script, if pages have parts."""
        if context not in self._wholes:
            sidebar = self._of(context)
            self._wholes[context] = None
            if sidebar.is_long:
                data = whole_script(self._links.resolve_below(sidebar.html, "~/"))
                self._wholes[context] = (hashed_name("sidebar.js", data), data)
        return self._wholes[context]

    def scripts(self) -> Iterator[tuple[str, bytes]]:
        """Yield the scripts of all contexts."""
        for context in self._contexts.all:
            if script := self.script_of(context):
                yield script

    def _of(self, context: NavigationContext) -> RenderedSidebar:
        if context not in self._rendered:
            self._rendered[context] = self._sidebars.render(context)
        return self._rendered[context]

    def _parts_of(
        self, context: NavigationContext, sidebar: RenderedSidebar, prefix: str
    ) -> LongSidebar:
        key = (context, prefix)
        if key not in self._long:
            language = context.chosen(NodeKind.LANGUAGE)
            words = shell_texts(language.label if language else None)
            resolve = partial(self._links.resolve_below, prefix=prefix)
            self._long[key] = LongSidebar(sidebar, words.more_pages, resolve)
        return self._long[key]

    def _whole_html(self, context: NavigationContext, sidebar: RenderedSidebar, prefix: str) -> str:
        key = (context, prefix)
        if key not in self._resolved:
            self._resolved[key] = self._links.resolve_below(sidebar.html, prefix)
        return self._resolved[key]
