"""Menus around the sidebar: tabs, anchors, languages and versions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from docstead.content.contexts import ContextLevel, NavigationContext, NavigationContexts
from docstead.content.navigation import NavNode, NodeKind
from docstead.content.pages import Site
from docstead.markup.words import language_name, language_tag
from docstead.theme.links import marked
from docstead.theme.sidebar.sidebar import MenuEntry, SidebarRenderer, page_link

_IN_SIDEBAR = (NodeKind.PRODUCT, NodeKind.DROPDOWN)
_LISTED = (NodeKind.ANCHOR, NodeKind.ITEM)


@dataclass(frozen=True, slots=True)
class ChoiceMenu:
    """A menu with several choices; `current` is the selected one."""

    kind: NodeKind
    current: MenuEntry
    entries: tuple[MenuEntry, ...]


@dataclass(frozen=True, slots=True)
class ChoiceMenus:
    """Menus of a sidebar that are equal on all its pages."""

    tabs: tuple[MenuEntry, ...]
    selectors: tuple[ChoiceMenu, ...]  # products and dropdowns, at the top of the sidebar
    anchors: tuple[MenuEntry, ...]


class MenuBuilder:
    """Creates the menus of contexts; links are marked."""

    def __init__(self, site: Site, contexts: NavigationContexts, sidebars: SidebarRenderer) -> None:
        self._pages = site.pages
        self._everywhere = site.navigation.everywhere
        self._contexts = contexts
        self._sidebars = sidebars

    def build(self, context: NavigationContext) -> ChoiceMenus:
        tabs = next((level for level in context.levels if level.kind is NodeKind.TAB), None)
        levels = [level for level in context.levels if self._is_selector(level, tabs)]
        listed = [level for level in context.levels if self._is_listed(level, context)]
        anchors = [entry for level in listed for entry in self._entries(level)]
        bar = self._entries(tabs) if tabs else ()
        return ChoiceMenus(
            tabs=(*bar, *self._global(NodeKind.TAB)),
            selectors=tuple(menu for level in levels if (menu := self._menu(level))),
            anchors=(
                *anchors,
                *self._global(NodeKind.ANCHOR),
                *self._global(NodeKind.DROPDOWN),
                *self._global(NodeKind.PRODUCT),
            ),
        )

    def choice(self, kind: NodeKind, context: NavigationContext, slug: str) -> ChoiceMenu | None:
        """Return the menu of languages or versions on a page.

        Each entry leads to the page's counterpart, or else to a first page, with a note.
        """
        level = next((lv for lv in context.levels if lv.kind is kind), None)
        if level is None:
            return None
        entries = [
            self._choice_entry(node, level.chosen, context, slug)
            for node in level.siblings
            if self._contexts.shown(node) or node is level.chosen
        ]
        entries += self._global(kind)
        current = next((entry for entry in entries if entry.current), None)
        if current is None or (len(entries) == 1 and kind is NodeKind.LANGUAGE):
            return None
        return ChoiceMenu(kind, current, tuple(entries))

    def _choice_entry(
        self, node: NavNode, chosen: NavNode | None, context: NavigationContext, slug: str
    ) -> MenuEntry:
        same = slug if node is chosen else self._contexts.counterpart(slug, chosen, node)
        target = same or self._contexts.first_page_like(node, context)
        is_language = node.kind is NodeKind.LANGUAGE
        return MenuEntry(
            label=language_name(node.label) if is_language else node.label,
            href=page_link(target) if target else marked(node.href or "/"),
            tag=node.tag,
            description=language_tag(node.label) if is_language else None,
            current=node is chosen,
            is_elsewhere=same is None and target is not None and slug in self._pages,
        )

    def _is_selector(self, level: ContextLevel, tabs: ContextLevel | None) -> bool:
        return level.kind in _IN_SIDEBAR or (level.kind is NodeKind.TAB and level is not tabs)

    def _is_listed(self, level: ContextLevel, context: NavigationContext) -> bool:
        if level.kind is not NodeKind.ITEM:
            return level.kind is NodeKind.ANCHOR
        before = context.levels[context.levels.index(level) - 1]
        return before.kind is not NodeKind.TAB  # those are in the menu of their tab

    def _menu(self, level: ContextLevel) -> ChoiceMenu | None:
        entries = self._entries(level)
        current = next((entry for entry in entries if entry.current), None)
        return ChoiceMenu(level.kind, current, entries) if current and len(entries) > 1 else None

    def _entries(self, level: ContextLevel) -> tuple[MenuEntry, ...]:
        return tuple(
            self._entry(node, current=node is level.chosen)
            for node in level.siblings
            if self._contexts.shown(node)
        )

    def _entry(self, node: NavNode, *, current: bool = False) -> MenuEntry:
        return MenuEntry(
            label=node.label,
            href=self._href(node),
            icon=self._sidebars.icon(node.icon, node.icon_type),
            tag=node.tag,
            description=node.description,
            color=node.color,
            current=current,
            entries=tuple(self._items(node.children)) if node.kind is NodeKind.TAB else (),
        )

    def _items(self, nodes: Iterable[NavNode]) -> Iterator[MenuEntry]:
        for node in nodes:
            if node.kind is NodeKind.ITEM and self._contexts.shown(node):
                yield self._entry(node)

    def _href(self, node: NavNode) -> str:
        first = self._contexts.first_page(node)
        if node.href and not (first and node.children):
            return marked(node.href)
        return page_link(first) if first else "#"

    def _global(self, kind: NodeKind) -> list[MenuEntry]:
        return [
            self._entry(node)
            for node in self._everywhere
            if node.kind is kind and self._contexts.shown(node)
        ]
