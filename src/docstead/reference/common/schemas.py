"""Resolution of OpenAPI schemas: references, `allOf`, and circularity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from docstead.content.reference_entries import SpecifiedEntry
from docstead.reference.openapi.spec import resolve

_NAMES_SHOWN = 3  # alternatives listed in a type's label
_ALTERNATIVES = ("oneOf", "anyOf")


@dataclass(frozen=True, slots=True)
class ResolvedSchema:
    """A schema without `$ref` and `allOf` at its top; `trail` are the resolved references."""

    schema: Mapping[str, Any]
    trail: tuple[str, ...] = ()
    name: str | None = None
    circular: bool = False
    nullable: bool = False

    @property
    def types(self) -> tuple[str, ...]:
        """JSON types that are declared or implied, without null."""
        given = self.schema.get("type")
        if isinstance(given, str):
            return (given,)
        if isinstance(given, Sequence):
            return tuple(str(each) for each in given if each != "null")
        if "properties" in self.schema or "additionalProperties" in self.schema:
            return ("object",)
        return ("array",) if "items" in self.schema else ()

    @property
    def required(self) -> tuple[str, ...]:
        names = self.schema.get("required")
        return tuple(str(name) for name in names) if isinstance(names, list) else ()

    @property
    def properties(self) -> Mapping[str, Any]:
        return _mapping(self.schema.get("properties"))

    @property
    def enum(self) -> tuple[Any, ...]:
        if "const" in self.schema:
            return (self.schema["const"],)
        values = self.schema.get("enum")
        return tuple(value for value in values if value is not None) if _is_list(values) else ()


class SchemaResolver:
    """Resolves the schemas of one entry."""

    def __init__(self, entry: SpecifiedEntry) -> None:
        self._entry = entry

    @property
    def specification(self) -> str:
        """Path of the file with the schemas."""
        return self._entry.spec

    def follow(self, value: Any) -> Mapping[str, Any]:
        """Resolve a parameter, body, response or example, which may be a reference."""
        found = _mapping(value)
        ref = found.get("$ref")
        return resolve(self._entry.components, ref) if isinstance(ref, str) else found

    def open(self, schema: Any, trail: tuple[str, ...] = ()) -> ResolvedSchema:
        """Resolve a schema; references that are already on the trail stay unresolved."""
        found = _mapping(schema)
        name = None
        circular = False
        ref = found.get("$ref")
        if isinstance(ref, str):
            name, circular = ref.replace("~1", "/").rpartition("/")[2], ref in trail
            beside = {key: value for key, value in found.items() if key != "$ref"}
            found = {**resolve(self._entry.components, ref), **beside}
            trail = (*trail, ref)
        if circular:
            kept = ("type", "title", "description", "properties")
            found = {key: value for key, value in found.items() if key in kept}
        elif _is_list(found.get("allOf")):
            found, trail = self._merged(found, trail)
        return self._without_null(ResolvedSchema(found, trail, name, circular))

    def alternatives(self, shape: ResolvedSchema) -> tuple[ResolvedSchema, ...]:
        """Return the alternatives of `oneOf` and `anyOf`, without null."""
        if shape.circular or not (choices := _choices(shape.schema)):
            return ()
        listed = (self.open(each, shape.trail) for each in choices)
        return tuple(each for each in listed if each.schema.get("type") != "null")

    def items(self, shape: ResolvedSchema) -> ResolvedSchema:
        return self.open(shape.schema.get("items"), shape.trail)

    def label(self, shape: ResolvedSchema) -> str:
        """Return the type's label: `string<date-time>`, `User[]`, `enum<string>`, `A | B`."""
        choices = self.alternatives(shape)
        label = self._choice_label(choices) if choices else self._plain_label(shape)
        return f"{label} | null" if shape.nullable else label

    def title(self, shape: ResolvedSchema) -> str:
        """Return the title of an alternative."""
        title = shape.schema.get("title")
        return str(title) if title else shape.name or self.label(shape)

    def _choice_label(self, choices: tuple[ResolvedSchema, ...]) -> str:
        labels = list(dict.fromkeys(self._plain_label(choice) for choice in choices))
        more = " | …" if len(labels) > _NAMES_SHOWN else ""
        return " | ".join(labels[:_NAMES_SHOWN]) + more

    def _plain_label(self, shape: ResolvedSchema) -> str:
        if "array" in shape.types and not shape.circular:
            inner = self.label(self.items(shape))
            return f"({inner})[]" if " " in inner else f"{inner}[]"
        base = " | ".join(shape.types) or "any"
        if shape.enum:
            return f"enum<{base}>" if shape.types else "enum"
        kind = shape.schema.get("format")
        return f"{base}<{kind}>" if kind and shape.types else base

    def _merged(
        self, schema: Mapping[str, Any], trail: tuple[str, ...]
    ) -> tuple[Mapping[str, Any], tuple[str, ...]]:
        merged: dict[str, Any] = {}
        own = {key: value for key, value in schema.items() if key != "allOf"}
        for part in schema["allOf"]:
            shape = self.open(part, trail)
            trail = tuple(dict.fromkeys((*trail, *shape.trail)))
            _merge(merged, shape.schema)
        _merge(merged, own)
        return merged, trail

    def _without_null(self, shape: ResolvedSchema) -> ResolvedSchema:
        """Simplify `anyOf: [X, null]` to a nullable X."""
        given = shape.schema.get("type")
        nullable = shape.schema.get("nullable") is True or (_is_list(given) and "null" in given)
        choices = _choices(shape.schema)
        if not nullable and not choices:
            return shape
        others = [each for each in choices if _mapping(each).get("type") != "null"]
        if len(others) == 1 and len(others) < len(choices) and not shape.circular:
            inner = self.open(others[0], shape.trail)
            own = {key: v for key, v in shape.schema.items() if key not in _ALTERNATIVES}
            return ResolvedSchema(
                {**inner.schema, **own}, inner.trail, inner.name, inner.circular, True
            )
        nullable = nullable or len(others) < len(choices)
        return ResolvedSchema(shape.schema, shape.trail, shape.name, shape.circular, nullable)


def _choices(schema: Mapping[str, Any]) -> list[Any]:
    for key in _ALTERNATIVES:
        if key in schema and _is_list(found := schema[key]):
            return list(found)
    return []


def _merge(merged: dict[str, Any], other: Mapping[str, Any]) -> None:
    for key, value in other.items():
        if key == "properties":
            merged[key] = {**merged.get(key, {}), **_mapping(value)}
        elif key == "required" and _is_list(value):
            merged[key] = list(dict.fromkeys([*merged.get(key, []), *value]))
        else:
            merged[key] = value


def visible(
    shape: ResolvedSchema, *, request: bool, schemas: SchemaResolver
) -> Iterator[tuple[str, ResolvedSchema]]:
    """Yield the properties that a request may contain, or a response."""
    unseen = "readOnly" if request else "writeOnly"
    for name, schema in shape.properties.items():
        inner = schemas.open(schema, shape.trail)
        if inner.schema.get(unseen) is not True and inner.schema.get("x-hidden") is not True:
            yield str(name), inner


def _mapping(value: Any) -> Mapping[str, Any]:
    # Nearly all are dicts, and checking for any mapping takes ten times as long.
    return value if type(value) is dict or isinstance(value, Mapping) else {}


def _is_list(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list)
