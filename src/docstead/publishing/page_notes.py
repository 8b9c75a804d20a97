"""Notes of a page that a build needs without rendering it: small, and stored separately."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

from docstead.content.diagnostics import Diagnostic
from docstead.markup.rendered import RenderedPage

_ID = re.compile(r' (?:id|name)="([^"]+)"')


@dataclass(frozen=True, slots=True)
class PageNotes:
    """Diagnostics of a page, positions of its links, and its anchors."""

    slug: str
    failed: bool = False
    diagnostics: tuple[Diagnostic, ...] = ()
    link_lines: tuple[tuple[str, int, int], ...] = ()
    anchors: tuple[str, ...] = ()

    @classmethod
    def of(cls, page: RenderedPage) -> PageNotes:
        # A pattern that begins with a blank is searched for several times as fast as with `\s`.
        anchors = tuple(map(unescape, _ID.findall(page.html.replace("\n", " "))))
        return cls(page.slug, page.failed, page.diagnostics, page.link_lines, anchors)
