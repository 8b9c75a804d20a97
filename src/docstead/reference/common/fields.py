"""Fields for parameters and properties, nested to a limited depth."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from docstead.content.config import ApiSettings
from docstead.markup.content_words import ContentTexts
from docstead.reference.common.schemas import ResolvedSchema, SchemaResolver, visible
from docstead.reference.common.shared import ANCHOR, SharedPart, SharedProperties
from docstead.reference.common.text import expandable, field_box, markdown, pill, tabs

_MAX_DEPTH = 6
_MAX_FIELDS = 500  # nesting depth on one page; deeper types are named only
_ENUM_SHOWN = 40
_ANCHOR = re.compile(r"[^a-z0-9_.-]+")
_PLAIN = (int, float, str)  # numeric limits exclude bool, which is an int in Python

#: Extensions of specifications with labels.
_LABELS = ("x-docs", "x-mint")


class FieldRenderer:
    """Renders the fields of one page, with unique anchors."""

    def __init__(
        self,
        schemas: SchemaResolver,
        settings: ApiSettings,
        shared: SharedProperties | None,
        words: ContentTexts,
    ) -> None:
        """Initialize; `shared` lists of properties, in one language, become placeholders."""
        self._schemas = schemas
        self._settings = settings
        self._shared = shared
        self._words = words
        self._limits = _limits(words)
        self._anchors: set[str] = set()
        self._rendered = 0

    def parameter(self, parameter: Any, shape: ResolvedSchema) -> str:
        """Return a parameter of the request."""
        name = str(parameter.get("name", ""))
        position = str(parameter.get("in", ""))
        described = {**shape.schema}
        extensions = (key for key in (*_LABELS, *self._settings.pills) if key.startswith("x-"))
        for key in ("description", "example", "deprecated", *extensions):
            if key in parameter:
                described[key] = parameter[key]
        whole = ResolvedSchema(described, shape.trail, shape.name, shape.circular, shape.nullable)
        required = parameter.get("required") is True
        parent = _ANCHOR.sub("-", f"param-{position}".lower())
        return self._field(name, whole, parent, required=required, position=position)

    def content(self, shape: ResolvedSchema, anchor: str, *, request: bool) -> str:
        """Return the top level of a body: an object's fields, or its type."""
        anchor = _ANCHOR.sub("-", anchor.lower())
        if self._schemas.alternatives(shape) or (shape.properties and "array" not in shape.types):
            return self._children(shape, anchor, 0, request=request)
        head = (
            f'<div class="ds-field-head">{pill("type", escape(self._schemas.label(shape)))}</div>'
        )
        body = self._described(shape) + self._nested(shape, anchor, 0, request=request)
        return f'<div class="ds-field field">{head}<div class="ds-field-body">{body}</div></div>'

    def _field(
        self,
        name: str,
        shape: ResolvedSchema,
        parent: str,
        *,
        required: bool,
        position: str = "",
        depth: int = 0,
        request: bool = True,
    ) -> str:
        self._rendered += 1
        anchor = self._anchor(parent, name)
        before = "".join(pill("note", escape(t)) for t in _of_extension(shape.schema, "pre"))
        pills = "".join(self._pills(shape, required=required))
        body = self._described(shape) + self._nested(shape, anchor, depth, request=request)
        return field_box(name, anchor, pills, body, position=position, before=before)

    def _pills(self, shape: ResolvedSchema, *, required: bool) -> Iterator[str]:
        schema, words = shape.schema, self._words
        yield pill("type", escape(self._schemas.label(shape)))
        if schema.get("default") is not None:
            yield pill("default", self._fact(words.default, schema["default"]))
        if required:
            yield pill("required", words.required)
        if schema.get("deprecated") is True:
            yield pill("deprecated", words.deprecated)
        for key, said in (("readOnly", words.read_only), ("writeOnly", words.write_only)):
            if schema.get(key) is True:
                yield pill("note", said)
        for text in (*_said(schema, self._settings.pills), *_of_extension(schema, "post")):
            yield pill("note", escape(text))

    def _described(self, shape: ResolvedSchema) -> str:
        return markdown(shape.schema.get("description")) + "".join(self._facts(shape))

    def _facts(self, shape: ResolvedSchema) -> Iterator[str]:
        words = self._words
        inner = self._schemas.items(shape) if "array" in shape.types else shape
        if values := (shape.enum or inner.enum):
            shown = ", ".join(f"<code>{_literal(value)}</code>" for value in values[:_ENUM_SHOWN])
            more = ", …" if len(values) > _ENUM_SHOWN else ""
            yield f"<p>{words.available_options}{words.colon}{shown}{more}</p>"
        limits = [
            self._fact(said, shape.schema[key])
            for key, said in self._limits
            if key in shape.schema and type(shape.schema[key]) in _PLAIN
        ]
        if limits:
            yield f"<p>{' · '.join(limits)}</p>"
        if isinstance(example := shape.schema.get("example"), str | int | float):
            yield f"<p>{self._fact(words.example, example)}</p>"

    def _fact(self, name: str, value: Any) -> str:
        return f"{name}{self._words.colon}<code>{_literal(value)}</code>"

    def _nested(self, shape: ResolvedSchema, anchor: str, depth: int, *, request: bool) -> str:
        if shape.circular or depth >= _MAX_DEPTH or self._rendered >= _MAX_FIELDS:
            return ""
        inner = shape
        while "array" in inner.types and not inner.circular:
            inner = self._schemas.items(inner)
        if inner.circular:
            return ""
        children = self._children(inner, anchor, depth + 1, request=request)
        if not children:
            return ""
        words, has_choice = self._words, bool(self._schemas.alternatives(inner))
        title = words.alternatives if has_choice else words.properties
        expanded = self._settings.expanded
        is_open = depth == 0 if expanded is None else expanded
        return expandable(title, children, is_open=is_open)

    def _children(self, shape: ResolvedSchema, anchor: str, depth: int, *, request: bool) -> str:
        part = self._part(shape, depth, request=request)
        anchors = part.anchors_below(anchor) if part else frozenset()
        if part is None or not self._fits(part, anchors):
            return self._own_children(shape, anchor, depth, request=request)
        self._rendered += part.fields
        self._anchors |= anchors
        return part.mark(anchor)

    def _fits(self, part: SharedPart, anchors: frozenset[str]) -> bool:
        has_capacity = self._rendered + part.fields < _MAX_FIELDS
        return part.is_shareable and has_capacity and self._anchors.isdisjoint(anchors)

    def _part(self, shape: ResolvedSchema, depth: int, *, request: bool) -> SharedPart | None:
        """Render the properties of a named schema once, for all operations that use it."""
        if self._shared is None or shape.name is None:
            return None

        def rendered() -> tuple[str, int, frozenset[str]]:
            separate = FieldRenderer(self._schemas, self._settings, self._shared, self._words)
            html = separate._own_children(shape, ANCHOR, depth, request=request)
            return html, separate._rendered, frozenset(separate._anchors)

        described = (self._schemas.specification, shape.trail, depth, request, shape.schema)
        return self._shared.part(described, rendered)

    def _own_children(
        self, shape: ResolvedSchema, anchor: str, depth: int, *, request: bool
    ) -> str:
        required = frozenset(shape.required)
        html = "".join(
            self._field(
                name,
                inner,
                anchor,
                required=name in required,
                depth=depth,
                request=request,
            )
            for name, inner in visible(shape, request=request, schemas=self._schemas)
        )
        html += self._others(shape, anchor, depth, request=request)
        choices = self._schemas.alternatives(shape)
        if not any(choice.properties or choice.name for choice in choices) or depth >= _MAX_DEPTH:
            return html
        panels = [
            (
                self._schemas.title(choice),
                self._choice(choice, anchor, f"one-of-{position}", depth, request=request),
            )
            for position, choice in enumerate(choices)
        ]
        return html + tabs(panels)

    def _choice(
        self, choice: ResolvedSchema, anchor: str, name: str, depth: int, *, request: bool
    ) -> str:
        own = self._anchor(anchor, name)
        return f'<div id="{own}">{self._chosen(choice, own, depth, request=request)}</div>'

    def _chosen(self, choice: ResolvedSchema, anchor: str, depth: int, *, request: bool) -> str:
        self._rendered += 1
        inner = self._described(choice)
        if choice.circular or self._rendered >= _MAX_FIELDS:
            return inner
        children = self._children(choice, anchor, depth + 1, request=request)
        return inner + (children or self._nested(choice, anchor, depth, request=request)) or (
            f"<p><code>{escape(self._schemas.label(choice))}</code></p>"
        )

    def _others(self, shape: ResolvedSchema, anchor: str, depth: int, *, request: bool) -> str:
        schema = shape.schema.get("additionalProperties")
        if not isinstance(schema, dict) or not schema:
            return ""
        inner = self._schemas.open(schema, shape.trail)
        return self._field("{key}", inner, anchor, required=False, depth=depth, request=request)

    def _anchor(self, parent: str, name: str) -> str:
        base = f"{parent}-{_ANCHOR.sub('-', name.lower())}".strip("-") or "field"
        anchor, count = base, 1
        while anchor in self._anchors:
            count += 1
            anchor = f"{base}-{count}"
        self._anchors.add(anchor)
        return anchor


def _limits(words: ContentTexts) -> tuple[tuple[str, str], ...]:
    """Return labels of schema keys that limit a value."""
    return (
        ("minimum", words.minimum),
        ("exclusiveMinimum", words.exclusive_minimum),
        ("maximum", words.maximum),
        ("exclusiveMaximum", words.exclusive_maximum),
        ("multipleOf", words.multiple_of),
        ("minLength", words.min_length),
        ("maxLength", words.max_length),
        ("pattern", words.pattern),
        ("minItems", words.min_items),
        ("maxItems", words.max_items),
    )


def _literal(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return escape(text)


def _said(schema: Mapping[str, Any], keys: Sequence[str]) -> Iterator[str]:
    """Yield labels of `api.params.post`: a string, the key's name for true, or list items."""
    for key in keys:
        value = schema.get(key)
        for each in value if isinstance(value, list) else (value,):
            if each is True:
                yield key
            elif isinstance(each, str | int | float) and each not in ("", False):
                yield str(each)


def _of_extension(schema: Mapping[str, Any], key: str) -> Iterator[str]:
    """Yield a schema's labels before or after its name (`x-docs`, "pre" and "post")."""
    for name in _LABELS:
        if given := schema.get(name):
            texts = given.get(key) if isinstance(given, Mapping) else None
            yield from map(str, texts if isinstance(texts, list) else ())
            return
