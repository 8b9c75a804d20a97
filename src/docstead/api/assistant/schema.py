"""Request bodies in the OpenAPI document: they are read by hand, so they are described by hand."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

_PREFIX = "#/$defs/"


def request_body(shape: type[BaseModel]) -> dict[str, Any]:
    """What a route's `openapi_extra` says of a JSON body of this shape."""
    schema = shape.model_json_schema()
    definitions = schema.pop("$defs", {})
    content = {"application/json": {"schema": _inlined(schema, definitions)}}
    return {"requestBody": {"required": True, "content": content}}


def _inlined(node: Any, definitions: dict[str, Any]) -> Any:
    """The schema with every reference replaced; our shapes do not contain themselves."""
    if isinstance(node, list):
        return [_inlined(each, definitions) for each in node]
    if not isinstance(node, dict):
        return node
    if str(reference := node.get("$ref", "")).startswith(_PREFIX):
        return _inlined(definitions[reference.removeprefix(_PREFIX)], definitions)
    # A discriminator's mapping would point at definitions that are gone; each variant says its
    # own tag by a constant.
    kept = {key: value for key, value in node.items() if key != "discriminator"}
    return {key: _inlined(value, definitions) for key, value in kept.items()}
