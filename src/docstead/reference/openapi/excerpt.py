"""The part of a specification that a page is about, for programs that read pages as Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from docstead.content.pages import OPERATION, SCHEMA, Operation
from docstead.reference.common.operation_parts import parts_of, referenced

_LONGEST = 60_000  # characters; what is larger is told without the schemas that it shares
_MOST_PARTS = 400  # which are longer than that in any case
_WEBHOOK = "WEBHOOK"


def excerpt(operation: Operation | None) -> str:
    """An operation, a webhook or a schema with all that it refers to, as one line of JSON.

    "" for what stands in no OpenAPI file, and for what is too long to be read or without an end.
    """
    if operation is None or not operation.spec or operation.kind not in (OPERATION, SCHEMA):
        return ""
    own = _own(operation)
    shared = _shared(own, operation)
    whole = "" if shared is None else _text({**own, **shared})
    return whole or _text(own)


def _own(operation: Operation) -> dict[str, Any]:
    if operation.kind == SCHEMA:
        return {"components": {"schemas": {operation.path: operation.definition}}}
    own: dict[str, Any] = {"servers": [{"url": url} for url in operation.servers]}
    method = "post" if operation.method == _WEBHOOK else operation.method.lower()
    item: dict[str, Any] = {method: operation.definition}
    if operation.parameters:
        item["parameters"] = operation.parameters
    place = "webhooks" if operation.method == _WEBHOOK else "paths"
    return {key: value for key, value in own.items() if value} | {place: {operation.path: item}}


def _shared(own: Mapping[str, Any], operation: Operation) -> dict[str, Any] | None:
    """The components that it refers to, whole, and the schemes that it names; None of too many."""
    parts = referenced(own, operation.components, _MOST_PARTS)
    if len(parts) >= _MOST_PARTS:
        return None
    found: dict[str, dict[str, Any]] = {}
    for reference in parts:
        _, *names = parts_of(reference)
        _take(found, operation.components, names)
    for name in {name: None for each in operation.security for name in each}:
        _take(found, operation.components, ["securitySchemes", name])
    for kind, named in own.get("components", {}).items():
        found[kind] = {**found.get(kind, {}), **named}
    return {"components": found} if found else {}


def _take(
    found: dict[str, dict[str, Any]], components: Mapping[str, Any], names: list[str]
) -> None:
    kind, name = (*names, "", "")[:2]
    parts = components.get(kind)
    if isinstance(parts, Mapping) and name in parts:
        found.setdefault(kind, {})[name] = parts[name]


def _text(value: object) -> str:
    try:
        text = msgspec.json.encode(value, enc_hook=_plain).decode()
    except (RecursionError, TypeError, ValueError):
        return ""  # a value that holds itself, or one that JSON does not know
    return text if len(text) <= _LONGEST else ""


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else str(value)
