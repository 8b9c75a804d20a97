"""What authors say of an operation in `ParamField`s, for its samples and its playground."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from typing import Any

from docstead.content.pages import Operation

_FIELD = re.compile(
    r'data-place="(path|query|header|cookie|body)"><div class="ds-field-head">(.*?)</div>',
    re.DOTALL,
)
_NAME = re.compile(r"<code[^>]*>([^<]*)</code>")
_TYPE = re.compile(r'ds-field-type">([^<]*)<')
_DEFAULT = re.compile(r"default: <code>([^<]*)</code>")
_TYPES = {"number", "integer", "string", "boolean", "object", "array"}


def described(operation: Operation, html: str) -> Operation:
    """The operation with the parameters and the body that the fields of its page tell of."""
    fields = list(_fields(html))
    parameters = [field for field in fields if field["in"] != "body"]
    body = [field for field in fields if field["in"] == "body"]
    definition: dict[str, Any] = {**operation.definition, "parameters": parameters}
    if body:
        schema = {
            "type": "object",
            "properties": {field["name"]: field["schema"] for field in body},
            "required": [field["name"] for field in body if field["required"]],
        }
        definition["requestBody"] = {"content": {"application/json": {"schema": schema}}}
    return replace(operation, definition=definition)


def _fields(html: str) -> Iterator[dict[str, Any]]:
    for place, head in _FIELD.findall(html):
        if name := _NAME.search(head):
            known, preset = _TYPE.search(head), _DEFAULT.search(head)
            schema = _schema(unescape(known[1]) if known else "string")
            if preset:
                schema["default"] = unescape(preset[1])
            required = "ds-field-required" in head
            yield {"name": unescape(name[1]), "in": place, "required": required, "schema": schema}


def _schema(written: str) -> dict[str, Any]:
    name = written.strip().lower()
    if name.endswith("[]"):
        return {"type": "array", "items": _schema(name.removesuffix("[]"))}
    return {"type": name if name in _TYPES else "string"}
