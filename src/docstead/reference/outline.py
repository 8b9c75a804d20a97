"""Title, description and tag of a reference entry of any format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from docstead.content.reference_entries import (
    ComponentSchema,
    GraphqlOperation,
    GraphqlType,
    HttpOperation,
    ListedEntry,
    MessageChannel,
    OpenApiOperation,
    WebhookOperation,
)

_EXTENSIONS = ("x-docs", "x-mint")
_ROOT_TAGS = {"QUERY": "Queries", "MUTATION": "Mutations", "SUBSCRIPTION": "Subscriptions"}
_TYPES_TAG = "Types"


@dataclass(frozen=True, slots=True)
class EntryOutline:
    """Values of an entry for the metadata of its page."""

    method: str  # "" for types and schemas
    path: str
    summary: str = ""
    description: object = None  # Markdown, if it is a string
    tag: str | None = None
    is_deprecated: bool = False
    is_hidden: bool = False
    is_excluded: bool = False
    extension: Mapping[str, Any] = field(default_factory=dict)  # `x-docs` or `x-mint`


def outline_of(entry: ListedEntry | ComponentSchema) -> EntryOutline:
    match entry:
        case HttpOperation() | WebhookOperation():
            return _of_operation(entry)
        case MessageChannel():
            tag = next(iter(entry.tags), None)
            summary = entry.summary.strip()
            return EntryOutline(entry.method, entry.path, summary, entry.description, tag)
        case GraphqlOperation():
            root, tag = entry.root, _ROOT_TAGS[entry.method]
            is_deprecated = root.deprecated is not None
            method, name = entry.method, root.name
            return EntryOutline(method, name, name, root.description, tag, is_deprecated)
        case GraphqlType():
            return EntryOutline("", entry.name, entry.name, entry.description, _TYPES_TAG)
        case ComponentSchema():
            return EntryOutline("", entry.name)


def _of_operation(operation: OpenApiOperation) -> EntryOutline:
    definition = operation.definition
    tags = definition.get("tags")
    extensions = (definition.get(name) for name in _EXTENSIONS)
    return EntryOutline(
        operation.method,
        operation.path,
        summary=str(definition.get("summary") or "").strip(),
        description=definition.get("description"),
        tag=str(tags[0]) if isinstance(tags, list) and tags and tags[0] else None,
        is_deprecated=definition.get("deprecated") is True,
        is_hidden=definition.get("x-hidden") is True,
        is_excluded=definition.get("x-excluded") is True,
        extension=next((each for each in extensions if isinstance(each, dict)), {}),
    )
