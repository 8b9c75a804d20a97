"""GraphQL schemas in their definition language: root fields and types, as entries.

A file is parsed, and nothing in it is executed. Errors are reported as diagnostics; the valid
part of the schema still has its pages.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from docstead.content.reference_entries import (
    GraphqlEntry,
    GraphqlEnumValue,
    GraphqlField,
    GraphqlOperation,
    GraphqlType,
)
from docstead.reference.common.descriptions import split_description
from docstead.reference.graphql.examples import ExampleFactory
from docstead.reference.openapi.spec import Specification
from docstead.repository.parse_cache import ParseCache
from docstead.repository.positions import Diagnostics, FilePosition

DEFAULT_DIRECTORY = "graphql-reference"

_Named = TypeVar("_Named", GraphqlField, GraphqlEnumValue)

_ROOTS = ("query", "mutation", "subscription")
_KINDS = {
    "object_type": "object",
    "input_object_type": "input",
    "enum_type": "enum",
    "interface_type": "interface",
    "union_type": "union",
    "scalar_type": "scalar",
}
_BUILT_IN = frozenset({"Int", "Float", "String", "Boolean", "ID"})
_TOKENS_LIMIT = 400_000  # about 2 MB, and a few seconds
_COMMENTS_LIMIT = 100_000
_TIMES_LARGER = 6  # size of the cached value relative to the text
_NAME_LIMIT = 150
_MESSAGE_LIMIT = 300
_DIAGNOSTICS_LIMIT = 50  # per file
# Pages of fields that return a type list at most so many of its fields, with short texts.
_RETURNED_LIMIT, _LEAD_LIMIT = 100, 500
_FIX = "Fix the file at this position; its pages are published once it can be read."


@dataclass(slots=True)
class SchemaType:
    """A type, including its extensions."""

    name: str
    kind: str
    description: str | None = None
    fields: dict[str, GraphqlField] = field(default_factory=dict)
    values: dict[str, GraphqlEnumValue] = field(default_factory=dict)
    implements: list[str] = field(default_factory=list)
    possible: list[str] = field(default_factory=list)


def cached_schema(
    parse_cache: ParseCache, text: str, file: str, diagnostics: Diagnostics, _: object = None
) -> Specification | None:
    """Return `read_schema` from the cache; a schema is one file, so no other file is read."""
    make = partial(read_schema, text, file)
    characters = _TIMES_LARGER * len(text)
    return parse_cache.cached(("schema", file, text), make, diagnostics, characters=characters)


def read_schema(text: str, file: str, diagnostics: Diagnostics) -> Specification | None:
    """Return the root fields and types of a file in order; None if it cannot be parsed."""
    from graphql import GraphQLError, parse

    try:
        document = parse(text, max_lexical_tokens=_TOKENS_LIMIT, max_comments=_COMMENTS_LIMIT)
    except GraphQLError as error:
        line, column = error.locations[0] if error.locations else (1, 1)
        reason = error.message.removeprefix("Syntax Error: ")[:_MESSAGE_LIMIT]
        message = f"not a GraphQL schema: {reason}"
        diagnostics.warning(FilePosition(file, line, column), "graphql-syntax", message, _FIX)
        return None
    schema = _SchemaReader(file, diagnostics)
    schema.read(document.definitions)
    return Specification(file, {}, tuple(schema.entries()))


def linked(entry: GraphqlEntry, paths: Mapping[str, str]) -> GraphqlEntry:
    """Return the entry with links to the types it refers to; `paths` are those of all types."""
    links = {name: paths[name] for name in _names(entry) if name in paths}
    return replace(entry, links=links)


def _names(entry: GraphqlEntry) -> Iterator[str]:
    match entry:
        case GraphqlType():
            yield from entry.implements
            yield from entry.possible
            fields = entry.fields
        case GraphqlOperation():
            fields = (entry.root, *entry.root.arguments, *entry.fields)
    for each in fields:
        yield each.named
        yield from (argument.named for argument in each.arguments)


class _SchemaReader:
    def __init__(self, file: str, diagnostics: Diagnostics) -> None:
        self._file = file
        self._diagnostics = diagnostics
        self._reported = 0
        self._types: dict[str, SchemaType] = {}
        self._roots = {kind: kind.title() for kind in _ROOTS}
        self._used: dict[str, Any] = {}  # first reference to each type
        self._outlines: dict[str, tuple[GraphqlField, ...]] = {}

    def read(self, definitions: Iterable[Any]) -> None:
        extensions = []
        for node in definitions:
            if node.kind in ("schema_definition", "schema_extension"):
                self._name_roots(node)
            elif node.kind.endswith("_extension"):
                extensions.append(node)
            elif node.kind.removesuffix("_definition") in _KINDS:
                self._define(node)
            elif node.kind != "directive_definition":
                message = "operations and fragments are not part of a schema"
                self._warn(node, message, "Remove it from the file.")
        for node in extensions:
            self._extend(node)
        self._check()

    def entries(self) -> Iterator[GraphqlEntry]:
        """Yield the root fields, then the types except roots and introspection."""
        examples = ExampleFactory(self._types)
        for kind in _ROOTS:
            root = self._types.get(self._roots.get(kind, ""))
            for each in root.fields.values() if root else ():
                yield self._root_field(kind, each, examples)
        for type_ in self._types.values():
            if type_.name not in self._roots.values():
                yield self._type(type_, examples)

    def _name_roots(self, node: Any) -> None:
        """Set the root types from a schema definition, which replaces the defaults."""
        if node.kind == "schema_definition":
            self._roots = {}
        for each in node.operation_types or ():
            self._roots[each.operation.value] = each.type.name.value

    def _define(self, node: Any) -> None:
        name = node.name.value
        if name not in _BUILT_IN and self._is_new(node, self._types):
            self._types[name] = SchemaType(
                name, _KINDS[node.kind.removesuffix("_definition")], _text(node.description)
            )
            self._add(node, self._types[name])

    def _extend(self, node: Any) -> None:
        name, kind = node.name.value, _KINDS.get(node.kind.removesuffix("_extension"))
        known = self._types.get(name)
        if kind is None or (known is None and not self._is_new(node, self._types)):
            return
        if known is None:
            # Parts of a larger graph extend roots that are defined elsewhere.
            if name not in self._roots.values():
                message = f"the type {name!r} is extended but not defined in the file"
                self._warn(node.name, message, "Define it, or correct the name.")
            known = self._types[name] = SchemaType(name, kind)
        if known.kind != kind:
            message = f"{name!r} is a type of kind {known.kind} but extended as {kind}"
            self._warn(node.name, message, f"Write `extend` as for {known.kind}.")
            return
        self._add(node, known)

    def _add(self, node: Any, type_: SchemaType) -> None:
        """Add the contents of a definition or an extension to a type."""
        for each in getattr(node, "fields", None) or ():
            self._put(type_.fields, each, self._field(each))
        for each in getattr(node, "values", None) or ():
            value = GraphqlEnumValue(
                each.name.value, _text(each.description), _deprecated(each.directives)
            )
            self._put(type_.values, each, value)
        type_.implements += self._named_types(getattr(node, "interfaces", None))
        type_.possible += self._named_types(getattr(node, "types", None))

    def _put(self, into: dict[str, _Named], node: Any, value: _Named) -> None:
        if self._is_new(node, into):
            into[value.name] = value

    def _is_new(self, node: Any, known: Container[str]) -> bool:
        """Report whether a name is new and public; a `__` prefix marks introspection."""
        name = node.name.value
        if len(name) > _NAME_LIMIT:
            self._warn(node.name, "a name is too long for a path", "Shorten it.")
            return False
        if name in known:
            self._warn(node.name, f"{name!r} is defined twice", "Keep one of the two.")
            return False
        return not name.startswith("__")

    def _field(self, node: Any) -> GraphqlField:
        arguments: dict[str, GraphqlField] = {}
        for each in getattr(node, "arguments", None) or ():
            self._put(arguments, each, self._field(each))
        written, named = _type_of(node.type)
        self._used.setdefault(named.value, named)
        return GraphqlField(
            name=node.name.value,
            type=written,
            named=named.value,
            description=_text(node.description),
            deprecated=_deprecated(node.directives),
            default=_literal(getattr(node, "default_value", None)),
            arguments=tuple(arguments.values()),
        )

    def _named_types(self, nodes: Iterable[Any] | None) -> list[str]:
        names = {each.name.value: each.name for each in nodes or ()}
        for name, node in names.items():
            self._used.setdefault(name, node)
        return list(names)

    def _check(self) -> None:
        for name, node in self._used.items():
            if name not in self._types and name not in _BUILT_IN and not name.startswith("__"):
                message = f"there is no type {name[:_NAME_LIMIT]!r}"
                self._warn(node, message, "Define it in the file, or correct the name.")
        for type_ in self._types.values():
            for name in type_.implements:
                interface = self._types.get(name)
                if interface is not None and interface.kind == "interface":
                    interface.possible.append(type_.name)
        if not self._types:
            message, hint = "the file defines no types", "Name the file that holds the schema."
            self._diagnostics.warning(
                FilePosition(self._file, 1, 1), "graphql-schema", message, hint
            )

    def _warn(self, node: Any, message: str, hint: str) -> None:
        self._reported += 1
        if self._reported <= _DIAGNOSTICS_LIMIT:
            token = node.loc.start_token
            position = FilePosition(self._file, token.line, token.column)
            self._diagnostics.warning(position, "graphql-schema", message, hint)

    def _root_field(
        self, kind: str, root: GraphqlField, examples: ExampleFactory
    ) -> GraphqlOperation:
        returned = self._types.get(root.named)
        count = len(returned.fields) if returned else 0
        return GraphqlOperation(
            self._file,
            kind.upper(),
            root,
            fields=self._outline(root.named),
            more=max(0, count - _RETURNED_LIMIT),
            examples=examples.of_field(kind, root),
        )

    def _outline(self, name: str) -> tuple[GraphqlField, ...]:
        """Return the fields of a type for the pages of fields that return it; cached."""
        if name not in self._outlines:
            type_ = self._types.get(name)
            fields = islice(type_.fields.values() if type_ else (), _RETURNED_LIMIT)
            self._outlines[name] = tuple(
                replace(each, arguments=(), description=_lead(each.description)) for each in fields
            )
        return self._outlines[name]

    def _type(self, type_: SchemaType, examples: ExampleFactory) -> GraphqlType:
        return GraphqlType(
            self._file,
            type_.name,
            type_.kind,
            type_.description,
            fields=tuple(type_.fields.values()),
            values=tuple(type_.values.values()),
            implements=tuple(dict.fromkeys(type_.implements)),
            possible=tuple(dict.fromkeys(type_.possible)),
            examples=examples.of_type(type_.name),
        )


def _lead(description: str | None) -> str | None:
    lead, _ = split_description(description)
    return lead if lead and len(lead) <= _LEAD_LIMIT else None


def _text(description: Any) -> str | None:
    return str(description.value) if description else None


def _deprecated(directives: Iterable[Any] | None) -> str | None:
    for directive in directives or ():
        if directive.name.value == "deprecated":
            reasons = (a.value for a in directive.arguments or () if a.name.value == "reason")
            return str(getattr(next(reasons, None), "value", ""))
    return None


def _type_of(node: Any) -> tuple[str, Any]:
    """Return a type in schema notation, and the node of its name."""
    before, after = "", ""
    while node.kind != "named_type":
        is_list = node.kind == "list_type"
        before, after = (before + "[", "]" + after) if is_list else (before, "!" + after)
        node = node.type
    return f"{before}{node.name.value}{after}", node.name


def _literal(node: Any) -> str | None:
    from graphql import print_ast

    return None if node is None else print_ast(node)
