"""Grouping of a library's symbols in the navigation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docstead.content.sdk.model import Group, Kind, Symbol

#: The titles of what is of one kind, in the order in which it is shown.
TITLES = {
    Kind.MODULE: "Modules",
    Kind.CLASS: "Classes",
    Kind.INTERFACE: "Interfaces",
    Kind.ENUM: "Enums",
    Kind.FUNCTION: "Functions",
    Kind.TYPE: "Types",
    Kind.VARIABLE: "Variables",
    Kind.CONSTRUCTOR: "Constructors",
    Kind.VALUE: "Values",
    Kind.PROPERTY: "Properties",
    Kind.METHOD: "Methods",
}
_ORDER = {kind: place for place, kind in enumerate(TITLES)}
_FLAT = 15  # so many pages of a module need no groups of their own


def in_order(symbols: Iterable[Symbol]) -> tuple[Symbol, ...]:
    """By kind, then as the artifact has them."""
    return tuple(sorted(symbols, key=lambda symbol: _ORDER[symbol.kind]))


def by_kind(symbols: Iterable[Symbol]) -> Iterator[Group]:
    """A group for each kind that there is."""
    found: dict[Kind, list[Symbol]] = {}
    for symbol in in_order(symbols):
        found.setdefault(symbol.kind, []).append(symbol)
    for kind, alike in found.items():
        yield Group(TITLES[kind], tuple(alike))


def module_group(
    label: str, about: Symbol, symbols: Iterable[Symbol], within: tuple[Group, ...] = ()
) -> Group:
    """A module: a page about it, what it holds, and the modules in it."""
    listed = in_order(symbols)
    groups = tuple(by_kind(listed))
    if len(listed) <= _FLAT or len(groups) == 1:
        return Group(label, listed, about, within)
    return Group(label, (), about, (*groups, *within))
