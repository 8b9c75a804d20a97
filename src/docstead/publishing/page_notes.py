"""Metadata of a page for later builds, stored separately from the rendered page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

from docstead.content.diagnostics import Diagnostic
from docstead.markup.rendered import RenderedPage

_ID = re.compile(r' (?:id|name)="([^"]+)"')


@dataclass(frozen=True, slots=True)
class PageNotes:
    """Diagnostics, link positions and anchors of a page."""

    slug: str
    failed: bool = False
    diagnostics: tuple[Diagnostic, ...] = ()
    link_lines: tuple[tuple[str, int, int], ...] = ()
    anchors: tuple[str, ...] = ()

    @classmethod
    def of(cls, page: RenderedPage) -> PageNotes:
        # A pattern that begins with a space is searched several times faster than one with `\s`.
        anchors = tuple(map(unescape, _ID.findall(page.html.replace("\n", " "))))
        return cls(page.slug, page.failed, page.diagnostics, page.link_lines, anchors)
