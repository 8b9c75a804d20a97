"""A sidebar of hundreds of entries: each page has the part around itself.

Groups on the way to the page are there, the others are closed and hold the link to their
first page, so that without scripts every page is still a few links away. A script that all
pages of the context share has the whole, and is loaded when a reader opens such a group.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from html import escape
from itertools import groupby

from docstead.site.shell.markup import templates
from docstead.site.shell.sidebar import NO_ICON, MenuEntry, Sidebar

_WINDOW = 24  # entries before and after the current one, of a list that is long by itself
_ALWAYS_OPEN = 8  # entries of a group that says it is expanded


class LongSidebar:
    """The parts of one context's sidebar, as pages need them; links are still marked."""

    def __init__(self, sidebar: Sidebar) -> None:
        self._sidebar = sidebar
        self._template = templates().get_template("sidebar.html").module
        self._closed: dict[int, str] = {}
        self._lines: dict[str, str] = {}

    def html(self, opened: Collection[int], current: str) -> str:
        """The part around a page: `opened` are the groups that it stands in."""
        runs = groupby(self._sidebar.entries, lambda entry: bool(entry.entries))
        return "".join(self._run(tuple(run), opened, current) for _, run in runs)

    def _run(self, entries: Sequence[MenuEntry], opened: Collection[int], current: str) -> str:
        if not entries[0].entries:
            inner = self._list(entries, opened, current)
            return f'<section class="ds-nav-group">{inner}</section>'
        return "".join(self._top(entry, opened, current) for entry in entries)

    def _top(self, entry: MenuEntry, opened: Collection[int], current: str) -> str:
        if entry.number not in opened:
            return self._shut(entry, top=True)
        inner = self._list(_with_own(entry), opened, current)
        return str(self._template.top(entry, inner, True))  # type: ignore[attr-defined]

    def _list(self, entries: Sequence[MenuEntry], opened: Collection[int], current: str) -> str:
        at = next((n for n, e in enumerate(entries) if e.number in opened or e.href == current), 0)
        first, end = max(0, at - _WINDOW), at + _WINDOW + 1
        if len(entries) <= 3 * _WINDOW:
            first, end = 0, len(entries)
        lines = [self._item(entry, opened, current) for entry in entries[first:end]]
        if first:
            lines.insert(0, self._more(entries[first - 1]))
        if end < len(entries):
            lines.append(self._more(entries[end]))
        items = "".join(f"<li>{line}</li>\n" for line in lines)
        return f'<ul class="ds-nav-list">\n{items}</ul>'

    def _item(self, entry: MenuEntry, opened: Collection[int], current: str) -> str:
        if not entry.entries:
            return self._line(entry)
        is_open = entry.number in opened
        if not is_open and not (entry.expanded and len(entry.entries) <= _ALWAYS_OPEN):
            return self._shut(entry)
        inner = self._list(entry.entries, opened, current)
        return str(self._template.nested(entry, inner, True, False))  # type: ignore[attr-defined]

    def _line(self, entry: MenuEntry) -> str:
        key = f"{entry.href} {entry.label}"
        if key not in self._lines:
            self._lines[key] = str(self._template.line(entry))  # type: ignore[attr-defined]
        return self._lines[key]

    def _shut(self, entry: MenuEntry, *, top: bool = False) -> str:
        if entry.number not in self._closed:
            first = _first(entry)
            inner = f'<ul class="ds-nav-list"><li>{self._line(first)}</li></ul>' if first else ""
            draw = self._template.top if top else self._template.nested  # type: ignore[attr-defined]
            shut = draw(entry, inner, False) if top else draw(entry, inner, False, True)
            self._closed[entry.number] = str(shut)
        return self._closed[entry.number]

    def _more(self, entry: MenuEntry) -> str:
        first = entry if entry.href else _first(entry)
        href = escape(first.href or "#") if first else "#"
        return f'<a class="ds-nav-link ds-nav-more" href="{href}" data-more>…</a>'


def whole_script(html: str) -> bytes:
    """The script with a whole sidebar; its links begin with "~/", the root of the site."""
    return f"__docsteadNav({json.dumps(html, ensure_ascii=False)});\n".encode()


def _with_own(entry: MenuEntry) -> tuple[MenuEntry, ...]:
    """Return the entries of a top-level group: its own page, if it has one, and its children."""
    own = (replace(entry, entries=(), number=0, icon=NO_ICON),) if entry.href else ()
    return (*own, *entry.entries)


def _first(entry: MenuEntry) -> MenuEntry | None:
    """The first page of a group."""
    return next((found for found in _pages(_with_own(entry))), None)


def _pages(entries: Iterable[MenuEntry]) -> Iterable[MenuEntry]:
    for entry in entries:
        if not entry.entries:
            yield entry
        yield from _pages(entry.entries)
