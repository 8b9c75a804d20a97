"""Symbols of a library, independent of the documentation tool. Texts are Markdown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

#: Text, and the id of a referenced symbol ("" for none); after placement its URL.
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
    VALUE = "value"  #: Member of an enum.
    MODULE = "module"  #: Also a namespace or package.


@dataclass(frozen=True, slots=True)
class Parameter:
    """Parameter, type parameter, or exception, which has no name."""

    name: str
    type: SymbolText = ()
    description: str = ""
    default: str | None = None
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature of a symbol; `description` is for symbols with several."""

    code: str
    description: str = ""
    type_parameters: tuple[Parameter, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    returns: SymbolText = ()
    returned: str = ""  # what is said of it
    raises: tuple[Parameter, ...] = ()


@dataclass(frozen=True, slots=True)
class Symbol:
    """A named symbol. `members` of a module are those with pages of their own."""

    id: str
    kind: SymbolKind
    name: str
    qualified: str = ""  # qualified name
    description: str = ""
    signatures: tuple[Signature, ...] = ()
    type: SymbolText = ()  # type of a variable or property
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
    source: tuple[str, str] = ("", "")  # position in the source code: text and URL
    also: tuple[str, ...] = ()  # further ids of this symbol, such as overloads
    url: str = ""  # after placement; "#…" for members on the page itself
