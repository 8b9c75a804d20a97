"""`$ref` in `docs.json`: parts of the settings in separate files (docs/reference/docs-json.mdx).

Sibling keys are merged into an object and take precedence; next to other values they are ignored.
Paths are relative to the file with the `$ref` and must stay within the root.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import Any

from docstead.repository.json_text import DEPTH_LIMIT, JsonArray, JsonError, JsonObject
from docstead.repository.positions import FilePosition

CHAIN_LIMIT = 10  # nesting depth of included files
VALUE_LIMIT = 200_000  # files that include each other twice grow exponentially


def follow(file: str, read: Callable[[str], Any]) -> Any:
    """Return the value of a JSON file with every `$ref` replaced.

    `read` returns the parsed value of a file by root-relative path and raises `FileNotFoundError`.

    Raises:
        JsonError: a `$ref` cannot be resolved; with its position.
    """
    return _Follower(read).resolve(read(file), (file,))


class _Follower:
    def __init__(self, read: Callable[[str], Any]) -> None:
        self._read = read
        self._values = 0

    def resolve(self, value: Any, trail: tuple[str, ...], depth: int = 0) -> Any:
        self._values += 1
        if not isinstance(value, JsonObject | JsonArray):
            return value
        if depth > DEPTH_LIMIT:
            raise JsonError("nested too deeply", value.position())
        if isinstance(value, JsonObject):
            return self._object(value, trail, depth + 1)
        items = zip(value, value.spots, strict=True)
        found = [(self.resolve(item, trail, depth + 1), at) for item, at in items]
        return JsonArray(value.spot, found)

    def _object(self, value: JsonObject, trail: tuple[str, ...], depth: int) -> Any:
        siblings = [
            (key, self.resolve(item, trail, depth), value.spots[key])
            for key, item in value.items()
            if key != "$ref"
        ]
        if "$ref" not in value:
            return JsonObject(value.spot, siblings)
        target = self._target(value, trail, depth)
        if not isinstance(target, JsonObject):
            return target
        for key, item, spot in siblings:
            target.put(key, item, spot)
        return target

    def _target(self, value: JsonObject, trail: tuple[str, ...], depth: int) -> Any:
        position = value.position("$ref")
        path = referenced_path(value["$ref"], trail[-1], position)
        if path in trail:
            raise JsonError(f"$ref goes round in a circle: {' -> '.join((*trail, path))}", position)
        if len(trail) > CHAIN_LIMIT:
            raise JsonError(f"$ref goes through more than {CHAIN_LIMIT} files", position)
        if self._values > VALUE_LIMIT:
            raise JsonError(f"$ref makes more than {VALUE_LIMIT:,} values", position)
        try:
            found = self._read(path)
        except FileNotFoundError:
            raise JsonError(f"$ref names a file that does not exist: {path}", position) from None
        return self.resolve(found, (*trail, path), depth)


def referenced_path(ref: Any, holder: str, position: FilePosition) -> str:
    """Return the root-relative path of a `$ref` in the file `holder`; raises `JsonError`."""
    if not isinstance(ref, str) or not ref.endswith(".json"):
        raise JsonError("$ref must be the relative path of a .json file", position)
    base = "" if ref.startswith("/") else posixpath.dirname(holder)
    path = posixpath.normpath(posixpath.join(base, ref.lstrip("/")))
    if path.startswith("../") or "\\" in path or "\0" in path:
        raise JsonError(f"$ref leads out of the repository: {ref}", position)
    return path
