"""Schema properties that are rendered once for all operations of a site.

In the HTML of an operation, shared lists are placeholders, `<ds-shared data-n data-anchor>`, until
`whole` replaces them; their Markdown is created once as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import msgspec

from docstead.markup.sections import PageBody

#: Prefix of anchors within a list; specifications cannot produce its `<`.
ANCHOR = "<@>"

_MARK = re.compile(r'<ds-shared data-n="(\d+)" data-anchor="([^"]*)"></ds-shared>')
_HEADING = re.compile("<h[1-6]")
_KEPT = 4_096


@dataclass(frozen=True)
class SharedPart:
    """A list of properties; its anchors begin with `ANCHOR`."""

    number: int
    html: str
    fields: int
    anchors: frozenset[str]

    @cached_property
    def is_shareable(self) -> bool:
        """Report whether the list has no headings, which would begin sections."""
        return _HEADING.search(self.html) is None

    def anchors_below(self, anchor: str) -> frozenset[str]:
        return frozenset(each.replace(ANCHOR, anchor, 1) for each in self.anchors)

    def mark(self, anchor: str) -> str:
        """Return the placeholder of the list, or "" for an empty list."""
        if not self.html:
            return ""
        return f'<ds-shared data-n="{self.number}" data-anchor="{anchor}"></ds-shared>'


RenderPart = Callable[[], tuple[str, int, frozenset[str]]]


class SharedProperties:
    """Properties of the schemas of one site, whose specifications do not change."""

    def __init__(self) -> None:
        self._parts: list[SharedPart] = []
        self._numbers: dict[bytes, int] = {}
        self._blocks: dict[int, Sequence[str]] = {}

    def part(self, described: Sequence[object], render: RenderPart) -> SharedPart | None:
        """Return the list that is `described`; `render` returns HTML, count of fields, and anchors.

        Returns None if the description is not JSON, for instance circular.
        """
        try:
            key = msgspec.json.encode(described)
        except (TypeError, ValueError, OverflowError, RecursionError):
            return None
        if key not in self._numbers:
            html, fields, anchors = render()
            self._numbers[key] = len(self._parts)
            self._parts.append(SharedPart(len(self._parts), html, fields, anchors))
        return self._parts[self._numbers[key]]

    def whole(self, html: str) -> str:
        """Replace the placeholders in the HTML of an operation."""
        while "<ds-shared " in html:
            html = _MARK.sub(self._list, html)
        return html

    def blocks(self, number: int) -> Sequence[str]:
        """Return the Markdown of a list."""
        if number not in self._blocks:
            self._blocks[number] = PageBody(self._parts[number].html).blocks(self)
        return self._blocks[number]

    def clear_if_full(self) -> None:
        """Between pages: clear the cache if it is too large."""
        if len(self._parts) > _KEPT:
            self._parts, self._numbers, self._blocks = [], {}, {}

    def _list(self, mark: re.Match[str]) -> str:
        return self._parts[int(mark[1])].html.replace(ANCHOR, mark[2])
