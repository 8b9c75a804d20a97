"""Normalization of references in a specification.

Pages only have access to the `components` of a specification. Targets elsewhere in the file
(`#/paths/…`, as bundlers write) or in other files of the repository are copied to its components;
broken references are reported once.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from docstead.repository.positions import Diagnostics, FilePosition, LineIndex

#: Location of copied targets, below `components`.
ELSEWHERE = "x-elsewhere"
_OWN = "#/components/"
_WRITTEN = re.compile(
    r"""["']?\$ref["']?\s*:\s*"""
    r"""(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([^\s"',}\]]+))"""
)
_INDEX = re.compile(r"\d{1,9}")
_FILES_LIMIT = 200
_MISSING = object()

ReadDocument = Callable[[str], Any]  # a file of the repository as JSON values, or None


def resolve_references(
    document: dict[str, Any], text: str, file: str, read: ReadDocument, diagnostics: Diagnostics
) -> None:
    """Make every reference of `document` refer to its components, if possible."""
    written = dict.fromkeys(_references(text))
    if not written:
        return
    if any(not ref.startswith(_OWN) for ref in written):
        _ComponentCollector(document, file, read).gather()
    lines = LineIndex(file, text)
    for ref in written:
        if not _leads(document, ref, file):
            message = f"the reference {ref!r} has no target; pages are published without it"
            hint = "Correct the path: it is case-sensitive and begins with #/."
            diagnostics.warning(_position(ref, text, lines), "openapi-reference", message, hint)


def _references(text: str) -> Iterator[str]:
    for match in _WRITTEN.finditer(text):
        if match[1] is not None:
            yield _unescaped(match[1])
        else:
            yield match[2] if match[2] is not None else match[3]


def _unescaped(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"'))
    except ValueError:
        return text


def _leads(document: Mapping[str, Any], ref: str, file: str) -> bool:
    if ref.startswith(_OWN):
        return pointed(document, ref[1:]) is not _MISSING
    gathered = pointed(document, f"/components/{ELSEWHERE}")
    return isinstance(gathered, Mapping) and _full_name(file, ref) in gathered


def _position(ref: str, text: str, lines: LineIndex) -> FilePosition:
    return lines.position(max(0, text.find(ref)))


def pointed(document: Any, pointer: str) -> Any:
    """Return the value at a JSON pointer, or a sentinel if there is none."""
    value = document
    for part in pointer.split("/")[1:]:
        key = unquote(part).replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and _INDEX.fullmatch(key) and int(key) < len(value):
            value = value[int(key)]
        else:
            return _MISSING
    return value


def _full_name(file: str, ref: str) -> str:
    """Return the canonical name of a reference, independent of the file that contains it."""
    path, _, pointer = ref.partition("#")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(file), unquote(path)))
    return f"{target if path else file}#{pointer}"


class _ComponentCollector:
    """Copies referenced values to the components of one document."""

    def __init__(self, document: dict[str, Any], file: str, read: ReadDocument) -> None:
        self._document = document
        self._file = file
        self._read = read
        self._documents: dict[str, Any] = {file: document}
        self._found: dict[str, Any] = {}

    def gather(self) -> None:
        waiting: list[tuple[Any, str]] = [(self._document, self._file)]
        while waiting:
            value, file = waiting.pop()
            if isinstance(value, dict):
                if isinstance(ref := value.get("$ref"), str):
                    waiting += self._renamed(value, ref, file)
                waiting += ((child, file) for child in value.values())
            elif isinstance(value, list):
                waiting += ((child, file) for child in value)
        if self._found:
            components = self._document.setdefault("components", {})
            if isinstance(components, dict):
                components[ELSEWHERE] = self._found
        self._open_paths()

    def _renamed(self, holder: dict[str, Any], ref: str, file: str) -> list[tuple[Any, str]]:
        """Redirect a reference to the components; return new components to process."""
        if "://" in ref or (file == self._file and ref.startswith(_OWN)):
            return []
        name = _full_name(file, ref)
        target, _, pointer = name.partition("#")
        is_new = name not in self._found
        if is_new:
            value = pointed(self._document_of(target), pointer)
            if not isinstance(value, dict):
                return []
            self._found[name] = value
        key = name.replace("~", "~0").replace("/", "~1").replace("%", "%25")
        holder["$ref"] = f"{_OWN}{ELSEWHERE}/{key}"
        return [(self._found[name], target)] if is_new and target != self._file else []

    def _document_of(self, file: str) -> Any:
        if file not in self._documents and len(self._documents) < _FILES_LIMIT:
            self._documents[file] = self._read(file)
        return self._documents.get(file)

    def _open_paths(self) -> None:
        """Resolve paths that are references, because operations are read from them."""
        paths = self._document.get("paths")
        if not isinstance(paths, dict):
            return
        for path, item in list(paths.items()):
            if isinstance(item, dict) and isinstance(ref := item.get("$ref"), str):
                found = pointed(self._document, ref[1:]) if ref.startswith(_OWN) else None
                if isinstance(found, dict):
                    rest = {key: value for key, value in item.items() if key != "$ref"}
                    paths[path] = {**found, **rest}
