"""The part of a specification that a page documents, for the page's Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from docstead.content.reference_entries import (
    ComponentSchema,
    HttpOperation,
    OpenApiOperation,
    ReferenceEntry,
    WebhookOperation,
)
from docstead.reference.common.operation_parts import parts_of, referenced

_LONGEST = 60_000  # characters; larger excerpts omit shared schemas
_MOST_PARTS = 400  # number of schemas that are always too long


def excerpt(entry: ReferenceEntry | None) -> str:
    """Return an operation, webhook or schema with all references, as one line of JSON.

    Returns "" for other entries, and for excerpts that are too long or circular.
    """
    match entry:
        case HttpOperation() | WebhookOperation() if entry.spec:
            own = _own(entry)
            shared = _shared(own, entry.components, entry.security)
        case ComponentSchema():
            own = {"components": {"schemas": {entry.name: entry.components["schemas"][entry.name]}}}
            shared = _shared(own, entry.components)
        case _:
            return ""
    whole = "" if shared is None else _text({**own, **shared})
    return whole or _text(own)


def _own(operation: OpenApiOperation) -> dict[str, Any]:
    own: dict[str, Any] = {"servers": [{"url": url} for url in operation.servers]}
    is_webhook = isinstance(operation, WebhookOperation)
    method = "post" if is_webhook else operation.method.lower()
    item: dict[str, Any] = {method: operation.definition}
    if operation.parameters:
        item["parameters"] = operation.parameters
    position = "webhooks" if is_webhook else "paths"
    return {key: value for key, value in own.items() if value} | {position: {operation.path: item}}


def _shared(
    own: Mapping[str, Any],
    components: Mapping[str, Any],
    security: Iterable[Mapping[str, Any]] = (),
) -> dict[str, Any] | None:
    """Return the referenced components and security schemes, or None if there are too many."""
    parts = referenced(own, components, _MOST_PARTS)
    if len(parts) >= _MOST_PARTS:
        return None
    found: dict[str, dict[str, Any]] = {}
    for reference in parts:
        _, *names = parts_of(reference)
        _take(found, components, names)
    for name in {name: None for each in security for name in each}:
        _take(found, components, ["securitySchemes", name])
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
        return ""  # circular, or not JSON
    return text if len(text) <= _LONGEST else ""


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else str(value)
