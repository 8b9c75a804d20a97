"""Entries of API and library references, which pages document.

Internal `$ref`s of specifications are kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from docstead.content.symbols import Symbol

# Values of a specification, as in its file.
_Object = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class HttpOperation:
    """Operation of an OpenAPI file; `spec` is the path of the file, or ""."""

    spec: str
    method: str  # upper case
    path: str
    definition: _Object  # the Operation Object
    parameters: tuple[_Object, ...] = ()  # of the path, before those of the operation
    servers: tuple[str, ...] = ()
    components: _Object = field(default_factory=dict)  # shared by reference
    security: tuple[_Object, ...] = ()
    about: str = ""  # Markdown: the description without the lead


@dataclass(frozen=True, slots=True)
class WebhookOperation:
    """Webhook of an OpenAPI file; `path` is its name."""

    spec: str
    path: str
    definition: _Object
    parameters: tuple[_Object, ...] = ()
    servers: tuple[str, ...] = ()
    components: _Object = field(default_factory=dict)
    security: tuple[_Object, ...] = ()
    about: str = ""
    method: ClassVar[str] = "WEBHOOK"


@dataclass(frozen=True, slots=True)
class ManualOperation:
    """Operation that a page describes manually."""

    method: str  # upper case
    path: str
    servers: tuple[str, ...] = ()
    scheme: _Object | None = None  # Security Scheme Object


@dataclass(frozen=True, slots=True)
class MessageChannel:
    """Channel of an AsyncAPI file, from a client's perspective."""

    spec: str
    name: str
    method: str  # protocol of its first server, upper case
    path: str  # address of the channel
    summary: str = ""
    description: str | None = None
    tags: tuple[str, ...] = ()
    parameters: _Object = field(default_factory=dict)  # schemas by name
    query: _Object = field(default_factory=dict)  # of the WebSocket binding; schemas by name
    sent: tuple[_Object, ...] = ()  # Message Objects that a client sends
    received: tuple[_Object, ...] = ()
    servers: tuple[str, ...] = ()
    components: _Object = field(default_factory=dict)
    security: tuple[_Object, ...] = ()
    about: str = ""


@dataclass(frozen=True, slots=True)
class ComponentSchema:
    """Shared schema of an OpenAPI or AsyncAPI file."""

    spec: str
    name: str
    components: _Object = field(default_factory=dict)
    about: str = ""

    @property
    def definition(self) -> _Object:
        """Return a reference to the schema among its components."""
        name = self.name.replace("~", "~0").replace("/", "~1")
        return {"$ref": f"#/components/schemas/{name}"}


@dataclass(frozen=True, slots=True)
class GraphqlEnumValue:
    """Value of an enum. `deprecated` is the reason ("" without one), or None."""

    name: str
    description: str | None = None
    deprecated: str | None = None


@dataclass(frozen=True, slots=True)
class GraphqlField:
    """Field or argument. `deprecated` is the reason ("" without one), or None."""

    name: str
    type: str  # as written: "[User!]"
    named: str  # the inner type: "User"
    description: str | None = None
    deprecated: str | None = None
    default: str | None = None
    arguments: tuple[GraphqlField, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphqlExample:
    """Code of an example; `kind` is request or response."""

    kind: str
    title: str
    language: str
    text: str


@dataclass(frozen=True, slots=True)
class GraphqlOperation:
    """Root field of a GraphQL schema."""

    spec: str
    method: str  # QUERY, MUTATION or SUBSCRIPTION
    root: GraphqlField
    fields: tuple[GraphqlField, ...] = ()  # first fields of the returned type
    more: int = 0  # fields of the returned type for its own page only
    examples: tuple[GraphqlExample, ...] = ()
    links: Mapping[str, str] = field(default_factory=dict)  # URLs of the pages of types, by name
    about: str = ""

    @property
    def path(self) -> str:
        """Return the name of the root field."""
        return self.root.name


@dataclass(frozen=True, slots=True)
class GraphqlType:
    """Type of a GraphQL schema: object, input, enum, interface, union or scalar (`kind`)."""

    spec: str
    name: str
    kind: str
    description: str | None = None
    fields: tuple[GraphqlField, ...] = ()
    values: tuple[GraphqlEnumValue, ...] = ()
    implements: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()
    examples: tuple[GraphqlExample, ...] = ()
    links: Mapping[str, str] = field(default_factory=dict)
    about: str = ""


@dataclass(frozen=True, slots=True)
class LibrarySymbol:
    """Symbol of a library; `spec` is the path of the artifact."""

    spec: str
    language: str  # of its signatures
    symbol: Symbol
    about: str = ""


OpenApiOperation = HttpOperation | WebhookOperation
GraphqlEntry = GraphqlOperation | GraphqlType
#: Entries with components, shared by all entries of a specification.
SpecifiedEntry = OpenApiOperation | MessageChannel | ComponentSchema
#: Entries of a specification or schema that get a page each.
ListedEntry = OpenApiOperation | MessageChannel | GraphqlEntry
ReferenceEntry = ListedEntry | ComponentSchema | ManualOperation | LibrarySymbol


def entry_key(entry: ReferenceEntry) -> tuple[str, str, str]:
    """Return file, method and path or name, which identify an entry."""
    match entry:
        case ManualOperation():
            return "", entry.method, entry.path
        case GraphqlType() | ComponentSchema():
            return entry.spec, "", entry.name
        case LibrarySymbol():
            return entry.spec, "", entry.symbol.qualified or entry.symbol.name
        case _:
            return entry.spec, entry.method, entry.path
