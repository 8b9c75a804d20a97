"""Pages of symbols: URLs, groups, and links between them."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass, replace

from docstead.content.pages import PageMeta
from docstead.content.reference_entries import LibrarySymbol
from docstead.content.slugs import clean_path, path_of
from docstead.content.symbols import Symbol, SymbolKind
from docstead.reference.common.descriptions import split_description
from docstead.reference.pages import FreeNames
from docstead.reference.sdk.grouping import TITLES
from docstead.reference.sdk.model import SdkLibrary, SymbolGroup, placed

#: Anchors of a page's own parts, which members must not use.
_PARTS = frozenset(
    {"parameters", "type-parameters", "returns", "errors", "example", "examples"}
    | {"inherited", "see-also"}
)
OVERVIEW = "Overview"
_UNNAMED = re.compile(r"[^\w]+")
_LONGEST = 100  # characters of a URL segment
_LEAD = 300  # characters about each symbol on a module's page


@dataclass(frozen=True, slots=True)
class PageGroup:
    """The pages of a group in the navigation, and the groups in it."""

    label: str
    pages: tuple[PageMeta, ...]
    groups: tuple[PageGroup, ...]


@dataclass(frozen=True, slots=True)
class _PagesBuilt:
    meta: PageMeta
    symbol: Symbol
    library: SdkLibrary


class LibraryPages:
    """Assigns URLs to symbols, and then creates their pages.

    `taken` are the pages of authors, which are not changed.
    """

    def __init__(self, taken: Container[str]) -> None:
        self._taken = taken
        self._made: dict[str, _PagesBuilt] = {}
        self._free = FreeNames()
        self._urls: dict[str, dict[str, str]] = {}  # URLs of symbols by id, for each artifact

    def groups(self, library: SdkLibrary, directory: str) -> tuple[PageGroup, ...]:
        """Return groups with pages for all symbols, below a directory."""
        base = clean_path(directory)
        return tuple(self._group(each, library, base) for each in library.groups)

    def show(self, meta: PageMeta, library: SdkLibrary, symbol: Symbol) -> None:
        """Associate an author's page with a symbol."""
        self._made[meta.slug] = _PagesBuilt(meta, symbol, library)
        self._register_urls(library, symbol, path_of(meta.slug))

    def made(self) -> Iterator[tuple[PageMeta, LibrarySymbol]]:
        """Yield metadata and symbol of each generated page."""
        for made in self._made.values():
            urls = self._urls[made.library.file]
            symbol = placed(made.symbol, urls)
            lead, rest = split_description(symbol.description)
            meta = made.meta
            if meta.description:
                rest = symbol.description
            symbol = replace(symbol, description="")
            entry = LibrarySymbol(made.library.file, made.library.language, symbol, about=rest)
            yield replace(meta, description=meta.description or lead), entry

    def _group(self, group: SymbolGroup, library: SdkLibrary, base: str) -> PageGroup:
        inner = "/".join(filter(None, (base, _segment(group.label))))
        found = [self._page(each, library, inner) for each in group.symbols]
        within = []
        for each in group.groups:
            # Groups by kind are not part of the URL; nested modules are siblings.
            is_module = each.about is not None
            made = (
                self._group(each, library, base) if is_module else self._kinds(each, library, inner)
            )
            within.append(made)
        if group.about is not None:
            contents = replace(group.about, members=tuple(_contents(group)))
            found.insert(0, self._page(contents, library, base, OVERVIEW))
        return PageGroup(group.label, tuple(found), tuple(within))

    def _kinds(self, group: SymbolGroup, library: SdkLibrary, base: str) -> PageGroup:
        found = tuple(self._page(each, library, base) for each in group.symbols)
        return PageGroup(group.label, found, ())

    def _page(
        self, symbol: Symbol, library: SdkLibrary, base: str, sidebar: str | None = None
    ) -> PageMeta:
        name = symbol.qualified if symbol.kind is SymbolKind.MODULE else symbol.name
        requested = "/".join(filter(None, (base, _segment(name))))
        slug = self._free.first(requested, self._made)
        meta = PageMeta(
            slug=slug,
            file=library.file,
            title=name,
            sidebar_title=sidebar,
            deprecated=symbol.deprecated is not None,
            keywords=(symbol.qualified,) if symbol.qualified != name else (),
            symbol=symbol.kind.value,
        )
        if slug not in self._taken:
            self._made[slug] = _PagesBuilt(meta, symbol, library)
        self._register_urls(library, symbol, path_of(slug))
        return meta

    def _register_urls(self, library: SdkLibrary, symbol: Symbol, path: str) -> None:
        """Register the URL of a symbol, unless it already has one."""
        urls = self._urls.setdefault(library.file, {})
        urls.setdefault(symbol.id, path)
        if symbol.kind is SymbolKind.MODULE:
            return
        free = FreeNames()
        used = {*_PARTS, *(title.lower() for title in TITLES.values())}
        for member in symbol.members:
            anchor = free.first(_segment(member.name), used)
            used.add(anchor)
            for id_ in (member.id, *member.also):
                urls.setdefault(id_, f"{path}#{anchor}")


def _contents(group: SymbolGroup) -> Iterator[Symbol]:
    """Yield the symbols that the page of a module lists."""
    inner = [symbol for each in group.groups if each.about is None for symbol in each.symbols]
    modules = [each.about for each in group.groups if each.about is not None]
    for symbol in (*group.symbols, *inner, *modules):
        name = symbol.qualified if symbol.kind is SymbolKind.MODULE else symbol.name
        lead, _ = split_description(symbol.description)
        shown = lead if lead and len(lead) <= _LEAD else ""
        yield Symbol(symbol.id, symbol.kind, name, description=shown, deprecated=symbol.deprecated)


def _segment(text: str) -> str:
    return _UNNAMED.sub("-", text.lower())[:_LONGEST].strip("-_") or "symbol"
