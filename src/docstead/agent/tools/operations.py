"""Reference of operations in OpenAPI files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from docstead.agent.tools.result import ToolResult
from docstead.agent.workspace.files import PathRefused, WorkspaceFiles
from docstead.content.reference_entries import OpenApiOperation
from docstead.reference.openapi.spec import SpecificationCatalog, parse_reference, resolve
from docstead.reference.outline import outline_of
from docstead.repository.positions import Diagnostics
from docstead.repository.settings_file import LEGACY_SETTINGS, SETTINGS
from docstead.repository.sources import SPECIFICATION_SUFFIXES, plain_lines

_DEPTH = 6  # depth to which references are resolved
_LISTED = 300


class OperationReader:
    def __init__(self, files: WorkspaceFiles) -> None:
        self._files = files

    def read(self, operation: str) -> ToolResult:
        """Return an operation with its schemas, or the list of all operations."""
        diagnostics = Diagnostics()
        specifications = self._specifications(diagnostics)
        if not operation:
            lines = [*_listed(specifications)]
            more = [f"[and {len(lines) - _LISTED} more]"] if len(lines) > _LISTED else []
            listed = [*lines[:_LISTED], *more, *map(str, diagnostics.sorted()[:20])]
            return ToolResult("\n".join(listed) or "[there is no OpenAPI file]")
        reference = parse_reference(operation)
        if reference is None:
            raise PathRefused(f"{operation!r} is not an operation; write 'GET /path'")
        found = specifications.find(reference)
        if found is None:
            raise PathRefused(f"no file has {reference.method} {reference.path}")
        return ToolResult(json.dumps(_described(found), indent=1, ensure_ascii=False, default=str))

    def _specifications(self, diagnostics: Diagnostics) -> SpecificationCatalog:
        names = (p for p in self._files.walk() if p.endswith(SPECIFICATION_SUFFIXES))
        files = [path for path in names if path not in (SETTINGS, LEGACY_SETTINGS)]
        return SpecificationCatalog(files, self._text, diagnostics)

    def _text(self, path: str) -> str | None:
        try:
            return plain_lines(self._files.text(path))
        except PathRefused:
            return None


def _listed(specifications: SpecificationCatalog) -> Iterator[str]:
    for specification in specifications.all():
        yield f"{specification.file}:"
        for outline in map(outline_of, specification.entries):
            yield f"  {outline.method} {outline.path}  {outline.summary}".rstrip()


def _described(operation: OpenApiOperation) -> dict[str, Any]:
    own = {"parameters": [*operation.parameters], **operation.definition}
    return {
        "file": operation.spec,
        "operation": f"{operation.method} {operation.path}",
        "servers": operation.servers,
        **_followed(own, operation.components, ()),
    }


def _followed(value: Any, components: Mapping[str, Any], trail: tuple[str, ...]) -> Any:
    """Return a value with references resolved to the depth that a reader needs."""
    if isinstance(value, list | tuple):
        return [_followed(item, components, trail) for item in value]
    if not isinstance(value, Mapping):
        return value
    reference = value.get("$ref")
    if isinstance(reference, str) and reference not in trail and len(trail) < _DEPTH:
        return _followed(resolve(components, reference), components, (*trail, reference))
    return {str(key): _followed(item, components, trail) for key, item in value.items()}
