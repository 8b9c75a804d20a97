"""Parts of OpenAPI objects: schema, example and media types of a parameter or a body."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def example_of(parameter: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """Return the example of a parameter or of its schema if it is a string or a number, or ""."""
    example = parameter.get("example", schema.get("example"))
    return str(example) if isinstance(example, str | int | float) else ""


def schema_of(parameter: Mapping[str, Any]) -> Any:
    """Return the schema of a parameter, possibly below `content`."""
    if "schema" in parameter:
        return parameter["schema"]
    return next((media.get("schema") for _, media in media_types(parameter)), {})


def media_types(value: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the media types below `content` with their definitions."""
    content = value.get("content")
    for kind, media in content.items() if isinstance(content, Mapping) else ():
        if isinstance(media, Mapping):
            yield str(kind), media
