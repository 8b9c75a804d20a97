"""Symbols of a library as values, from any documentation tool. Texts are Markdown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

#: Text, and the id of the symbol that it names ("" for none); once placed, its address.
SymbolText = tuple[tuple[str, str], ...]


class SymbolKind(StrEnum):
    """Kind of a symbol. The first eight have the same names in `docs.json`."""

    CLASS = "class"
    INTERFACE = "interface"
    ENUM = "enum"
    FUNCTION = "function"
    TYPE = "type"
    VARIABLE = "variable"
    METHOD = "method"
    PROPERTY = "property"
    CONSTRUCTOR = "constructor"
    VALUE = "value"  #: One of an enum.
    MODULE = "module"  #: Or a namespace, or a package.


@dataclass(frozen=True, slots=True)
class Parameter:
    """Parameter, type parameter, or exception; an exception has no name."""

    name: str
    type: SymbolText = ()
    description: str = ""
    default: str | None = None
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Signature:
    """One way to write or to call a symbol; `description` where there are several ways."""

    code: str
    description: str = ""
    type_parameters: tuple[Parameter, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    returns: SymbolText = ()
    returned: str = ""  # what is said of it
    raises: tuple[Parameter, ...] = ()


@dataclass(frozen=True, slots=True)
class Symbol:
    """Something with a name. `members` of a module are those that have pages of their own."""

    id: str
    kind: SymbolKind
    name: str
    qualified: str = ""  # with the names around it
    description: str = ""
    signatures: tuple[Signature, ...] = ()
    type: SymbolText = ()  # of a variable or a property
    default: str | None = None
    optional: bool = False
    labels: tuple[str, ...] = ()  # "static", "readonly"
    deprecated: str | None = None  # the reason, "" without one
    examples: tuple[str, ...] = ()
    see: tuple[str, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()  # title and text
    # "Extends", "Extended by", "Implements" or "Implemented by", and what.
    relations: tuple[tuple[str, tuple[SymbolText, ...]], ...] = ()
    members: tuple[Symbol, ...] = ()
    inherited: tuple[SymbolText, ...] = ()
    source: tuple[str, str] = ("", "")  # where it stands in the code: text and address
    also: tuple[str, ...] = ()  # ids that lead here, too: other ways to call it
    address: str = ""  # once it is placed; of members on the page itself "#…"
