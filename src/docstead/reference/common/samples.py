"""Example values for schemas, and requests as shell commands."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from docstead.reference.common.schemas import ResolvedSchema, SchemaResolver, visible

_MAX_DEPTH = 6
_MAX_PROPERTIES = 60
_MAX_VALUES = 1_000  # values per example
_STRINGS = {
    "date-time": "2024-01-15T09:30:00Z",
    "date": "2024-01-15",
    "time": "09:30:00Z",
    "uuid": "3c90c3cc-0d44-4b50-8888-8dd25736052a",
    "email": "reader@example.com",
    "uri": "https://example.com",
    "url": "https://example.com",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "byte": "aGVsbG8=",
    "binary": "@file",
    "password": "********",
}


class SampleFactory:
    """Creates examples from the schemas of one operation."""

    def __init__(self, schemas: SchemaResolver, *, only_required: bool = False) -> None:
        self._schemas = schemas
        self._only_required = only_required
        self._made = 0

    def of_media(self, media: Mapping[str, Any], *, request: bool) -> Iterator[tuple[str, Any]]:
        """Yield title and value of the author's examples, or one made from the schema."""
        named = media.get("examples")
        if isinstance(named, Mapping) and named:
            for name, example in named.items():
                found = self._schemas.follow(example)
                if "value" in found:
                    yield str(found.get("summary") or name), found["value"]
            return
        if "example" in media:
            yield "", media["example"]
        elif "schema" in media:
            self._made = 0
            yield "", self.value(self._schemas.open(media["schema"]), request=request)

    def value(self, shape: ResolvedSchema, *, request: bool, depth: int = 0) -> Any:
        """Return a valid value, preferably the author's example or default."""
        schema = shape.schema
        self._made += 1
        if "example" in schema:
            return schema["example"]
        if isinstance(schema.get("examples"), list) and schema["examples"]:
            return schema["examples"][0]
        if "default" in schema and schema["default"] is not None:
            return schema["default"]
        if shape.enum:
            return shape.enum[0]
        if choices := self._schemas.alternatives(shape):
            own = self._object(shape, request=request, depth=depth) if shape.properties else {}
            first = self.value(choices[0], request=request, depth=depth + 1)
            return {**own, **first} if own and isinstance(first, dict) else first
        return self._by_type(shape, request=request, depth=depth)

    def _by_type(self, shape: ResolvedSchema, *, request: bool, depth: int) -> Any:
        kind = shape.types[0] if shape.types else ""
        if kind == "object":
            return self._object(shape, request=request, depth=depth)
        if kind == "array":
            return self._array(shape, request=request, depth=depth)
        if kind == "string":
            return _STRINGS.get(str(shape.schema.get("format")), "string")
        if kind in ("integer", "number"):
            return shape.schema.get("minimum", 1)
        return {"boolean": True}.get(kind)

    def _ends(self, shape: ResolvedSchema, depth: int) -> bool:
        return depth >= _MAX_DEPTH or shape.circular or self._made >= _MAX_VALUES

    def _object(self, shape: ResolvedSchema, *, request: bool, depth: int) -> Any:
        if self._ends(shape, depth):
            return {}
        listed = list(visible(shape, request=request, schemas=self._schemas))[:_MAX_PROPERTIES]
        return {
            name: self.value(inner, request=request, depth=depth + 1)
            for name, inner in listed
            if inner.schema.get("deprecated") is not True
            and (not self._only_required or not request or name in shape.required)
        }

    def _array(self, shape: ResolvedSchema, *, request: bool, depth: int) -> Any:
        if self._ends(shape, depth):
            return []
        items = self._schemas.items(shape)
        if items.circular:
            return []
        value = self.value(items, request=request, depth=depth + 1)
        return [] if value is None else [value]


def as_text(value: Any) -> str:
    """Return a value as it would be sent: strings unchanged, others as JSON."""
    if isinstance(value, str):
        return value
    return json.dumps(value, indent=2, ensure_ascii=False, default=str)


def curl(
    method: str,
    url: str,
    *,
    query: Sequence[tuple[str, str]],
    headers: Sequence[tuple[str, str]],
    body: tuple[str, Any] | None,
) -> str:
    """Return the request as a shell command; `body` is a content type and a value."""
    if query:
        url += "?" + "&".join(f"{quote(name)}={quote(value, safe='<>')}" for name, value in query)
    at = f"--url {shlex.quote(url)}"
    lines = [f"curl {at}"] if method == "GET" else [f"curl --request {method}", f"  {at}"]
    lines += [f"  --header {_quoted(f'{name}: {value}')}" for name, value in headers]
    if body is not None:
        lines += _body_lines(*body)
    return " \\\n".join(lines)


def _body_lines(content_type: str, value: Any) -> list[str]:
    if content_type == "multipart/form-data" and isinstance(value, Mapping):
        return [f"  --form {_quoted(f'{name}={_flat(each)}')}" for name, each in value.items()]
    header = f"  --header {_quoted(f'Content-Type: {content_type}')}"
    if content_type == "application/x-www-form-urlencoded" and isinstance(value, Mapping):
        fields = [f"  --data {_quoted(f'{name}={_flat(each)}')}" for name, each in value.items()]
        return [header, *fields]
    return [header, f"  --data {_quoted(as_text(value))}"]


def _flat(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
