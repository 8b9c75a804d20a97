"""Sidebars with hundreds of entries, of which each page contains the relevant part.

Top-level groups are open and show a limited number of entries. Nested groups are closed, except on
the path to the page, and contain the link to their first page, so that every page is reachable
without scripts. A script shared by all pages of the context contains the whole sidebar and is
loaded on demand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from html import escape
from itertools import groupby

from docstead.theme.markup import templates
from docstead.theme.sidebar.sidebar import NO_ICON, MenuEntry, RenderedSidebar

_WINDOW = 24  # entries before and after the current one, in a long list
_WHOLE = 3 * _WINDOW  # entries of lists that are not long
_SHOWN = 150  # entries of all top-level groups
_ALWAYS_OPEN = 8  # entries of an expanded group


class LongSidebar:
    """Parts of a context's sidebar for its pages of one depth."""

    def __init__(self, sidebar: RenderedSidebar, more: str, resolve: Callable[[str], str]) -> None:
        """Initialize with the whole sidebar, and the text of links to omitted entries.

        `resolve` makes marked links work on these pages.
        """
        self._sidebar = sidebar
        self._resolve = resolve
        self._more_text = more
        groups = sum(bool(entry.entries) for entry in sidebar.entries)
        self._share = max(1, _SHOWN // max(1, groups))  # number of entries per group
        self._template = templates().get_template("sidebar.html").module
        self._closed: dict[int, str] = {}
        self._lines: dict[str, str] = {}
        self._has_windows = _longest(sidebar.entries) > _WHOLE
        self._last: tuple[Collection[int], str] | None = None  # pages come group by group

    def html(self, opened: Collection[int], current: str) -> str:
        """Return the part for a page: `opened` are the groups that contain it."""
        last = self._last
        if last is None or last[0] != opened or self._has_windows:
            last = self._last = (opened, self._part(opened, current))
        return last[1]

    def _part(self, opened: Collection[int], current: str) -> str:
        runs = groupby(self._sidebar.entries, lambda entry: bool(entry.entries))
        return "".join(
            self._run(number, tuple(run), opened, current)
            for number, (_, run) in enumerate(runs, 1)
        )

    def _run(
        self, number: int, entries: Sequence[MenuEntry], opened: Collection[int], current: str
    ) -> str:
        if entries[0].entries:
            return "".join(self._top(entry, opened, current) for entry in entries)
        inner = self._list(entries, opened, current)
        return f'<section data-group="run-{number}" class="ds-nav-group">{inner}</section>'

    def _top(self, entry: MenuEntry, opened: Collection[int], current: str) -> str:
        if entry.number in opened:
            return self._section(entry, self._list(entry.entries, opened, current))
        if entry.number not in self._closed:
            self._closed[entry.number] = self._section(entry, self._start(entry.entries))
        return self._closed[entry.number]

    def _section(self, entry: MenuEntry, inner: str) -> str:
        html = self._template.section(entry, inner, entry.number)  # type: ignore[attr-defined]
        return self._resolve(str(html))

    def _start(self, entries: Sequence[MenuEntry]) -> str:
        """Return the first entries of a group that does not contain the page."""
        shown = entries if len(entries) <= self._share + 1 else entries[: self._share]
        lines = [self._item(entry, (), "") for entry in shown]
        if len(shown) < len(entries):
            lines.append(self._more(entries[len(shown)]))
        return _listed(lines)

    def _list(self, entries: Sequence[MenuEntry], opened: Collection[int], current: str) -> str:
        at = next((n for n, e in enumerate(entries) if e.number in opened or e.href == current), 0)
        first, end = max(0, at - _WINDOW), at + _WINDOW + 1
        if len(entries) <= _WHOLE:
            first, end = 0, len(entries)
        lines = [self._item(entry, opened, current) for entry in entries[first:end]]
        if first:
            lines.insert(0, self._more(entries[first - 1]))
        if end < len(entries):
            lines.append(self._more(entries[end]))
        return _listed(lines)

    def _item(self, entry: MenuEntry, opened: Collection[int], current: str) -> str:
        if not entry.entries:
            return self._line(entry)
        is_open = entry.number in opened
        if not is_open and not (entry.expanded and len(entry.entries) <= _ALWAYS_OPEN):
            return self._shut(entry)
        inner = self._list(entry.entries, opened, current)
        html = self._template.nested(entry, inner, True, False)  # type: ignore[attr-defined]
        return self._resolve(str(html))

    def _line(self, entry: MenuEntry) -> str:
        key = f"{entry.href} {entry.label}"
        if key not in self._lines:
            line = self._template.line(entry)  # type: ignore[attr-defined]
            self._lines[key] = self._resolve(str(line))
        return self._lines[key]

    def _shut(self, entry: MenuEntry) -> str:
        if entry.number not in self._closed:
            first = _first(entry)
            inner = _listed([self._line(first)]) if first else ""
            shut = self._template.nested(entry, inner, False, True)  # type: ignore[attr-defined]
            self._closed[entry.number] = self._resolve(str(shut))
        return self._closed[entry.number]

    def _more(self, entry: MenuEntry) -> str:
        first = entry if entry.href else _first(entry)
        href = escape(first.href or "#") if first else "#"
        text = escape(self._more_text)
        link = f'<a class="ds-nav-link ds-nav-more" href="{href}" data-more>{text}</a>'
        return self._resolve(link)


def whole_script(html: str) -> bytes:
    """Return the script with the whole sidebar; its links begin with "~/", the root."""
    return f"__docsteadNav({json.dumps(html, ensure_ascii=False)});\n".encode()


def _listed(lines: Iterable[str]) -> str:
    items = "".join(f"<li>{line}</li>\n" for line in lines)
    return f'<ul class="ds-nav-list">\n{items}</ul>'


def _longest(entries: Sequence[MenuEntry]) -> int:
    """Return the number of entries of the longest list."""
    return max((len(entries), *(_longest(entry.entries) for entry in entries)))


def _first(entry: MenuEntry) -> MenuEntry | None:
    """Return the first page of a group, which may be its own."""
    own = replace(entry, entries=(), number=0, icon=NO_ICON) if entry.href else None
    return own or next(iter(_pages(entry.entries)), None)


def _pages(entries: Iterable[MenuEntry]) -> Iterable[MenuEntry]:
    for entry in entries:
        if not entry.entries:
            yield entry
        yield from _pages(entry.entries)
