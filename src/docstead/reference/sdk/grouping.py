"""Grouping of a library's symbols in the navigation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docstead.content.symbols import Symbol, SymbolKind
from docstead.reference.sdk.model import SymbolGroup

# : Titles by kind, in display order.
TITLES = {
    SymbolKind.MODULE: "Modules",
    SymbolKind.CLASS: "Classes",
    SymbolKind.INTERFACE: "Interfaces",
    SymbolKind.ENUM: "Enums",
    SymbolKind.FUNCTION: "Functions",
    SymbolKind.TYPE: "Types",
    SymbolKind.VARIABLE: "Variables",
    SymbolKind.CONSTRUCTOR: "Constructors",
    SymbolKind.VALUE: "Values",
    SymbolKind.PROPERTY: "Properties",
    SymbolKind.METHOD: "Methods",
}
_ORDER = {kind: position for position, kind in enumerate(TITLES)}
_FLAT = 15  # pages of a module up to which it needs no groups by kind


def in_order(symbols: Iterable[Symbol]) -> tuple[Symbol, ...]:
    """Sort by kind; symbols of one kind keep the order of the artifact."""
    return tuple(sorted(symbols, key=lambda symbol: _ORDER[symbol.kind]))


def by_kind(symbols: Iterable[Symbol]) -> Iterator[SymbolGroup]:
    """Yield a group for each kind that occurs."""
    found: dict[SymbolKind, list[Symbol]] = {}
    for symbol in in_order(symbols):
        found.setdefault(symbol.kind, []).append(symbol)
    for kind, alike in found.items():
        yield SymbolGroup(TITLES[kind], tuple(alike))


def module_group(
    label: str, about: Symbol, symbols: Iterable[Symbol], within: tuple[SymbolGroup, ...] = ()
) -> SymbolGroup:
    """Return the group of a module: its page, its symbols, and nested modules."""
    listed = in_order(symbols)
    groups = tuple(by_kind(listed))
    if len(listed) <= _FLAT or len(groups) == 1:
        return SymbolGroup(label, listed, about, within)
    return SymbolGroup(label, (), about, (*groups, *within))
