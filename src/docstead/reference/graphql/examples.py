"""Examples for pages of a GraphQL schema: operation, variables and response.

The response matches the selection of the operation.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from docstead.content.reference_entries import GraphqlEnumValue, GraphqlExample, GraphqlField

#: Number of selected fields by depth: scalars, and objects, which go deeper.
_SELECTED = ((8, 3), (4, 2), (3, 1), (3, 0))
_ASKABLE = 40  # fields of a type that are examined
_FRAGMENTS = 3  # members of a union
_ARGUMENTS = 10  # optional arguments
_INPUT_DEPTH = 5  # depth of nested objects
_INPUT_VALUES = 100  # characters of an example
_NAMED = {"first": 10, "last": 10, "limit": 10, "offset": 0, "page": 1}
_SCALARS: dict[str, Any] = {
    "Int": 1,
    "Float": 1.5,
    "Boolean": True,
    "ID": "1",
    "String": "string",
    "BigInt": "1",
    "Long": 1,
    "Decimal": "1.50",
    "Date": "2024-01-15",
    "DateTime": "2024-01-15T09:30:00Z",
    "Timestamp": "2024-01-15T09:30:00Z",
    "Time": "09:30:00Z",
    "Email": "reader@example.com",
    "EmailAddress": "reader@example.com",
    "UUID": "3c90c3cc-0d44-4b50-8888-8dd25736052a",
    "URI": "https://example.com",
    "URL": "https://example.com",
    "JSON": {},
    "JSONObject": {},
}


class DescribedType(Protocol):
    """Type of a schema."""

    @property
    def kind(self) -> str: ...

    @property
    def fields(self) -> Mapping[str, GraphqlField]: ...

    @property
    def values(self) -> Mapping[str, GraphqlEnumValue]: ...

    @property
    def possible(self) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class _Selection:
    """A field (or with `field` None a fragment on `named`) and its selection."""

    field: GraphqlField | None
    named: str
    inner: tuple[_Selection, ...] = ()


class ExampleFactory:
    """Creates examples from the types of one schema, by name."""

    def __init__(self, types: Mapping[str, DescribedType]) -> None:
        self._types = types
        self._made = 0
        self._askable_fields: dict[str, list[GraphqlField]] = {}
        self._given_fields: dict[tuple[str, bool], list[GraphqlField]] = {}

    def of_field(self, kind: str, field: GraphqlField) -> tuple[GraphqlExample, ...]:
        """Return examples of a root field with kind, title, language and text."""
        arguments = _shown(field.arguments)
        chosen = _Selection(field, field.named, self._selection(field.named, 0, ()))
        self._made = 0
        variables = {each.name: self._argument(each) for each in arguments}
        document = _document(kind, chosen, arguments)
        found = [GraphqlExample("request", kind.title(), "graphql", document)]
        if variables:
            found.append(GraphqlExample("request", "Variables", "json", _json(variables)))
        answer = {"data": {field.name: self._answer(field, chosen.inner)}}
        return (*found, GraphqlExample("response", "Response", "json", _json(answer)))

    def of_type(self, name: str) -> tuple[GraphqlExample, ...]:
        """Return an example of a type with fields."""
        kind = self._types[name].kind
        self._made = 0
        if kind == "input":
            value = self._input(name, 0)
        elif kind in ("object", "interface"):
            value = self._object(self._selection(name, 0, ()), name)
        else:
            return ()
        return (GraphqlExample("response", "Example", "json", _json(value)),)

    def _argument(self, field: GraphqlField, depth: int = 0) -> Any:
        """Return a value for an argument or input field: its default, if it is a scalar."""
        if field.default and (value := self._default(field.named, field.default)) is not None:
            return value
        if field.named == "Int" and field.name in _NAMED:
            return _NAMED[field.name]
        return _in_lists(field.type, self._input(field.named, depth))

    def _default(self, named: str, written: str) -> Any:
        type_ = self._types.get(named)
        if type_ is not None and written in type_.values:
            return written
        try:
            return json.loads(written, parse_constant=lambda _: None)
        except ValueError:  # an object, or another notation
            return None

    def _input(self, name: str, depth: int) -> Any:
        type_ = self._types.get(name)
        if type_ is None or type_.kind != "input":
            return self._plain(name)
        value: dict[str, Any] = {}
        for field in self._given(name, is_top=depth == 0):
            if depth < _INPUT_DEPTH and self._made < _INPUT_VALUES:
                self._made += 1
                value[field.name] = self._argument(field, depth + 1)
        return value

    def _given(self, name: str, *, is_top: bool) -> list[GraphqlField]:
        """Return all fields at the top level; below it the required ones, or else scalars."""
        if (name, is_top) not in self._given_fields:
            fields = self._types[name].fields.values()
            found = [each for each in fields if _is_required(each) or each.deprecated is None]
            if not is_top:
                plain = [each for each in found if not self._is_input(each.named)]
                found = [*filter(_is_required, found)] or plain
            self._given_fields[name, is_top] = found[:_INPUT_VALUES]
        return self._given_fields[name, is_top]

    def _is_input(self, name: str) -> bool:
        type_ = self._types.get(name)
        return type_ is not None and type_.kind == "input"

    def _plain(self, name: str) -> Any:
        type_ = self._types.get(name)
        if type_ is not None and type_.values:
            return next(iter(type_.values))
        return _SCALARS.get(name, "string")

    def _selection(self, name: str, depth: int, trail: tuple[str, ...]) -> tuple[_Selection, ...]:
        """Return the selected fields of a type; none for scalars and enums."""
        type_ = self._types.get(name)
        if type_ is None or type_.kind not in ("object", "interface", "union"):
            return ()
        if type_.kind == "union":
            parts = (
                _Selection(None, each, self._fields(each, depth, (*trail, name)))
                for each in type_.possible[:_FRAGMENTS]
            )
            return (_TYPENAME, *(part for part in parts if part.inner))
        return self._fields(name, depth, (*trail, name)) or (_TYPENAME,)

    def _fields(self, name: str, depth: int, trail: tuple[str, ...]) -> tuple[_Selection, ...]:
        if depth >= len(_SELECTED):
            return ()
        plain, objects = _SELECTED[depth]
        found: list[_Selection] = []
        for field in self._askable(name):
            if not self._is_composite(field.named):
                if plain:
                    found.append(_Selection(field, field.named))
                    plain -= 1
            elif objects and field.named not in trail:
                inner = self._selection(field.named, depth + 1, trail)
                found.append(_Selection(field, field.named, inner))
                objects -= 1
        return tuple(found)

    def _askable(self, name: str) -> list[GraphqlField]:
        """Return the first fields of a type that can be selected without arguments."""
        if name not in self._askable_fields:
            type_ = self._types.get(name)
            fields = (
                each
                for each in (type_.fields.values() if type_ else ())
                if each.deprecated is None and not any(map(_is_required, each.arguments))
            )
            # alphabetical order would omit it
            found = sorted(fields, key=lambda each: each.name != "id")
            self._askable_fields[name] = found[:_ASKABLE]
        return self._askable_fields[name]

    def _is_composite(self, name: str) -> bool:
        type_ = self._types.get(name)
        return type_ is not None and type_.kind in ("object", "interface", "union")

    def _answer(self, field: GraphqlField, inner: tuple[_Selection, ...]) -> Any:
        value = self._object(inner, field.named) if inner else self._plain(field.named)
        return _in_lists(field.type, value)

    def _object(self, selection: tuple[_Selection, ...], name: str) -> dict[str, Any]:
        fragment = next((each for each in selection if each.field is None), None)
        type_ = self._types[name]
        actual = fragment.named if fragment else next(iter(type_.possible), name)
        value: dict[str, Any] = {}
        for each in selection:
            if each is _TYPENAME:
                value["__typename"] = actual
            elif each.field is not None:
                value[each.field.name] = self._answer(each.field, each.inner)
        return {**value, **(self._object(fragment.inner, fragment.named) if fragment else {})}


_TYPENAME = _Selection(GraphqlField("__typename", "String", "String"), "String")


def _shown(arguments: Iterable[GraphqlField]) -> list[GraphqlField]:
    """Return the required arguments, and some others."""
    current = (a for a in arguments if a.deprecated is None and not _is_required(a))
    optional = [a.name for a in current][:_ARGUMENTS]
    return [a for a in arguments if _is_required(a) or a.name in optional]


def _is_required(field: GraphqlField) -> bool:
    return field.type.endswith("!") and field.default is None


def _in_lists(written: str, value: Any) -> Any:
    for _ in range(written.count("[")):
        value = [value]
    return value


def _document(kind: str, chosen: _Selection, arguments: list[GraphqlField]) -> str:
    name = chosen.field.name if chosen.field else ""
    variables = ", ".join(f"${each.name}: {each.type}" for each in arguments)
    given = ", ".join(f"{each.name}: ${each.name}" for each in arguments)
    head = f"{kind} {name[:1].upper()}{name[1:]}{f'({variables})' if variables else ''}"
    call = f"{name}{f'({given})' if given else ''}"
    return "\n".join((f"{head} {{", *_block(call, chosen.inner, "  "), "}"))


def _block(head: str, selection: tuple[_Selection, ...], indent: str) -> Iterator[str]:
    if not selection:
        yield f"{indent}{head}"
        return
    yield f"{indent}{head} {{"
    for each in selection:
        name = each.field.name if each.field else f"... on {each.named}"
        yield from _block(name, each.inner, f"{indent}  ")
    yield f"{indent}}}"


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
