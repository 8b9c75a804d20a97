"""Outline of a site for a model: titles and paths of pages in navigation order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from docstead.assistant.reader_location import preference
from docstead.content.filtering import is_visible_to
from docstead.content.navigation import NavNode, NodeKind
from docstead.content.pages import Site
from docstead.content.public_pages import is_searchable

_LONGEST = 6_000  # characters, about 1,500 tokens
_MOST_LEVELS = 8
_CHOSEN = frozenset({NodeKind.LANGUAGE, NodeKind.VERSION})


def outline(site: Site, groups: Sequence[str] = ()) -> str:
    """Return the outline with as many levels as fit.

    Of versions and languages it contains the default ones.
    """
    whole = _OutlineWriter(site, groups)
    shown = ""
    for levels in range(1, _MOST_LEVELS + 1):
        text = whole.text(levels)
        if text is None or text == shown:
            break
        shown = text
    return shown


class _OutlineWriter:
    def __init__(self, site: Site, groups: Sequence[str]) -> None:
        self._site = site
        self._groups = groups
        self._shown = preference(site, None)

    def text(self, levels: int) -> str | None:
        """Return the first levels, or None if they are too long."""
        lines, left = [], _LONGEST
        for depth, text in self._lines(self._site.navigation.roots, 0, levels):
            line = f"{'  ' * depth}- {text}"
            left -= len(line) + 1
            if left < 0:
                return None
            lines.append(line)
        return "\n".join(lines)

    def _lines(
        self, nodes: Iterable[NavNode], depth: int, levels: int
    ) -> Iterator[tuple[int, str]]:
        for node in nodes if depth < levels else ():
            if node.kind in _CHOSEN:
                if node.label in (self._shown.language, self._shown.version):
                    yield from self._lines(node.children, depth, levels)
                continue
            own = node.root if node.slug is None else node.slug
            if own is not None and self._is_shown(own):
                yield depth, f"{self._site.pages[own].title}: /{own}"
            elif any(map(self._is_shown, node.pages())):
                yield depth, node.label
            yield from self._lines(node.children, depth + 1, levels)

    def _is_shown(self, slug: str) -> bool:
        page = self._site.pages.get(slug)
        if page is None or not is_searchable(self._site, page):
            return False
        return is_visible_to(page, self._groups)
