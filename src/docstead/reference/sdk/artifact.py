"""Files of an artifact (a folder or archive), and its diagnostics.

Failure rule: unusable artifacts raise `UnusableArtifact` with position and hint. Artifacts are
untrusted, and nothing in them is executed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from docstead.base.units import MIB
from docstead.repository.positions import LineIndex

FILE_LIMIT_BYTES = 50 * MIB  # limits of remote artifacts, applied to all
FOLDER_LIMIT_BYTES = 200 * MIB
FILES_LIMIT = 100_000
SYMBOLS_LIMIT = 100_000  # members among them
DEPTH_LIMIT = 30


class UnusableArtifact(Exception):
    """An unusable artifact. `file` is a path within it, or "" for itself."""

    def __init__(
        self, message: str, hint: str, file: str = "", line: int = 0, column: int = 0
    ) -> None:
        self.message = message
        self.hint = hint
        self.file = file
        self.line = line
        self.column = column
        super().__init__(message)


class Artifact(Protocol):
    """A single file has the path "". All bytes read are counted."""

    @property
    def paths(self) -> tuple[str, ...]: ...

    def read(self, path: str = "") -> bytes: ...


@dataclass(slots=True)
class SymbolCount:
    """Count of symbols read. Raises `UnusableArtifact` if there are too many."""

    symbols: int = 0

    def add(self) -> None:
        self.symbols += 1
        if self.symbols > SYMBOLS_LIMIT:
            message = f"it has more than {SYMBOLS_LIMIT:,} symbols"
            raise UnusableArtifact(message, "Remove from the artifact what readers do not need.")


def text_of(artifact: Artifact, path: str = "") -> str:
    """Return a file as text; raises `UnusableArtifact` if it is not."""
    try:
        return artifact.read(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise UnusableArtifact("not UTF-8", "Save the file as UTF-8.", path, line, 1) from None


def json_of(artifact: Artifact, hint: str, path: str = "") -> Mapping[str, Any]:
    """Return the object of a JSON file; raises `UnusableArtifact`."""
    text = text_of(artifact, path)
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        _, line, column = LineIndex("", text).position(error.pos)
        raise UnusableArtifact(f"not JSON: {error.msg}", hint, path, line, column) from None
    except (ValueError, RecursionError) as error:
        raise UnusableArtifact(f"not readable: {error}", hint, path, 1, 1) from None
    if not isinstance(value, dict):
        raise UnusableArtifact("the file contains no object", hint, path, 1, 1)
    return value
