"""Graph of links between pages: broken anchors and orphan pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from urllib.parse import unquote

from docstead.content.diagnostics import Diagnostic, Severity
from docstead.content.pages import Site
from docstead.content.slugs import find_page
from docstead.publishing.page_notes import PageNotes

ORPHAN = "orphan-page"
_SIGNS = re.compile(r"[\W_]")
_MOST_COMPARISONS = 200_000  # comparisons of anchors with ids, for one site
_LONGEST_COMPARED = 200  # characters


@dataclass(frozen=True, slots=True)
class _LinkedAnchor:
    href: str
    anchor: str
    file: str
    line: int
    column: int


class LinkGraph:
    """Collects links page by page, then reports missing anchors and orphan pages.

    Only pages whose anchors are linked to are examined again.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._requested: dict[str, list[_LinkedAnchor]] = {}
        self._slugs: dict[str, str | None] = {}
        self._comparisons_left = _MOST_COMPARISONS

    def add(self, page: PageNotes) -> None:
        file = self._site.pages[page.slug].file
        for href, line, column in page.link_lines:
            path, _, anchor = href.partition("#")
            slug = self._slug(path) if path else page.slug
            if slug is not None and anchor and not anchor.startswith(":~:"):
                requested = _LinkedAnchor(href, unquote(anchor), file, line, column)
                self._requested.setdefault(slug, []).append(requested)

    def diagnostics(self, page_of: Callable[[str], PageNotes]) -> Iterator[Diagnostic]:
        yield from self._orphans()
        for slug, requested in self._requested.items():
            page = page_of(slug)
            if page.failed:
                continue
            ids = set(page.anchors)
            unlike = [each for each in requested if each.anchor not in ids]
            spelled = set(map(_spelled, ids if unlike else ()))
            missed = (each for each in unlike if _spelled(each.anchor) not in spelled)
            yield from (_diagnostic_of(each, self._near(each.anchor, ids)) for each in missed)

    def targets(self) -> frozenset[str]:
        """Return the pages among those added whose anchors are linked to."""
        return frozenset(self._requested)

    def _near(self, anchor: str, ids: set[str]) -> str | None:
        """Return the most similar id; None if the site's limit of comparisons is reached."""
        self._comparisons_left -= len(ids)
        if self._comparisons_left < 0 or len(anchor) > _LONGEST_COMPARED:
            return None
        comparable = (each for each in ids if len(each) <= _LONGEST_COMPARED)
        return next(iter(get_close_matches(anchor, comparable, n=1)), None)

    def _slug(self, path: str) -> str | None:
        if path not in self._slugs:
            self._slugs[path] = find_page(self._site, unquote(path.partition("?")[0]))
        return self._slugs[path]

    def _orphans(self) -> Iterator[Diagnostic]:
        linked = set(self._slugs.values())
        for slug, meta in self._site.pages.items():
            if not (meta.in_navigation or meta.hidden or slug in linked):
                yield _orphan(meta.file)


def _spelled(anchor: str) -> str:
    """Return the letters and digits of an anchor, by which browsers also find it
    (`engine/browser`, reveal).

    Other site generators keep characters that our ids omit: `#step-2:-run`.
    """
    return _SIGNS.sub("", anchor.lower()) or anchor


def _orphan(file: str) -> Diagnostic:
    message = "the page is not in the navigation, and no page links to it"
    hint = "List it in docs.json, or set `hidden: true` if this is intended."
    return Diagnostic(file, 1, 1, Severity.INFO, ORPHAN, message, hint)


def _diagnostic_of(requested: _LinkedAnchor, near: str | None) -> Diagnostic:
    return Diagnostic(
        requested.file,
        requested.line,
        requested.column,
        Severity.WARNING,
        "broken-anchor",
        f"no heading {requested.anchor!r} on the page: {requested.href!r}",
        f"Did you mean #{near}?" if near else "Link to one of its headings.",
    )
