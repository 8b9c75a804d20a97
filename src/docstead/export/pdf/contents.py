"""Pages of a PDF in navigation order, with their groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from docstead.base.errors import InvalidRequest
from docstead.base.texts import shortened
from docstead.content.filtering import visible_to
from docstead.content.navigation import NavNode, NodeKind
from docstead.content.pages import PageMeta, Site
from docstead.export.selection import checked_paths
from docstead.markup.words import language_name

_LONGEST_LIST = 300


@dataclass(frozen=True, slots=True)
class ContentsEntry:
    """A row of the contents: a page, or a group with an optional page."""

    title: str
    slug: str | None = None
    children: tuple[ContentsEntry, ...] = field(default=())

    def slugs(self) -> Iterator[str]:
        """Yield the pages of this row and below, in reading order."""
        if self.slug is not None:
            yield self.slug
        for child in self.children:
            yield from child.slugs()


@dataclass(frozen=True, slots=True)
class PdfSelection:
    """Pages of a PDF. `title` names the section or page, "" for the whole site."""

    entries: tuple[ContentsEntry, ...]
    title: str = ""


def selection_of(
    site: Site, *, section: str | None = None, paths: Sequence[str] = ()
) -> PdfSelection:
    """Return all public pages of the navigation, those of a section, or the pages at `paths`.

    A section is the label of a group, tab or other part of the navigation, or a folder.

    Raises:
        InvalidRequest: the section or page does not exist, or has no public pages.
    """
    site = visible_to(site)
    if paths:
        return _of_paths(site, paths)
    selection = PdfSelection(_whole(site)) if section is None else _section(site, section)
    if not selection.entries:
        raise InvalidRequest("the navigation has no public pages; name some with --page")
    return selection


def _of_paths(site: Site, paths: Sequence[str]) -> PdfSelection:
    try:
        slugs = checked_paths(paths, frozenset(site.pages))
    except InvalidRequest as error:
        raise InvalidRequest(f"--page{error.message.removeprefix('paths')}") from None
    entries = tuple(ContentsEntry(_title(site.pages[slug]), slug) for slug in slugs)
    return PdfSelection(entries, entries[0].title if len(entries) == 1 else "")


def _whole(site: Site) -> tuple[ContentsEntry, ...]:
    return _NavigationWalk(site).entries(site.navigation.roots)


def _section(site: Site, section: str) -> PdfSelection:
    requested = section.strip().casefold()
    named = [node for node in _nodes(site.navigation.roots) if node.label.casefold() == requested]
    if entries := _NavigationWalk(site).entries(named):
        is_plain = len(entries) == 1 and entries[0].slug is None
        return PdfSelection(entries[0].children if is_plain else entries, named[0].label)
    folder = section.strip("/")
    below = tuple(kept for entry in _whole(site) if (kept := _below(entry, folder)))
    if not folder or not below:
        raise InvalidRequest(f"--section: there is no group or folder {section!r}{_known(site)}")
    return PdfSelection(below, folder)


def _known(site: Site) -> str:
    labels = ", ".join(dict.fromkeys(node.label for node in _nodes(site.navigation.roots)))
    return f"; groups are {shortened(labels, _LONGEST_LIST)}" if labels else ""


def _below(entry: ContentsEntry, folder: str) -> ContentsEntry | None:
    """Return the row without pages outside a folder, or None if it is empty."""
    children = tuple(kept for child in entry.children if (kept := _below(child, folder)))
    is_inside = entry.slug is not None and f"{entry.slug}/".startswith(f"{folder}/")
    if not children and not is_inside:
        return None
    return replace(entry, slug=entry.slug if is_inside else None, children=children)


def _nodes(nodes: Iterable[NavNode]) -> Iterator[NavNode]:
    """Yield all parts of the navigation except pages and links, outer ones first."""
    for node in nodes:
        if node.children or node.root:
            yield node
            yield from _nodes(node.children)


class _NavigationWalk:
    """Conversion of navigation nodes to rows; repeated pages occur once."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._seen: set[str] = set()

    def entries(self, nodes: Iterable[NavNode]) -> tuple[ContentsEntry, ...]:
        return tuple(entry for node in nodes if (entry := self._entry(node)))

    def _entry(self, node: NavNode) -> ContentsEntry | None:
        if node.hidden:
            return None
        slug = self._taken(node.slug) or self._taken(node.root)
        children = self.entries(node.children)
        if node.slug is not None:
            return ContentsEntry(_title(self._site.pages[node.slug]), slug) if slug else None
        is_language = node.kind is NodeKind.LANGUAGE
        title = language_name(node.label) if is_language else node.label
        return ContentsEntry(title, slug, children) if slug or children else None

    def _taken(self, slug: str | None) -> str | None:
        meta = self._site.pages.get(slug or "")
        if meta is None or slug in self._seen or meta.hidden or meta.url:
            return None
        self._seen.add(meta.slug)
        return meta.slug


def _title(meta: PageMeta) -> str:
    return meta.title or meta.sidebar_title or meta.slug
