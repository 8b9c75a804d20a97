"""`sdk` settings in the navigation and in frontmatter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from docstead.repository.positions import Diagnostics, FilePosition

#: Returns the contents of a URL; raises `DocsteadError`.
ReadArtifact = Callable[[str], bytes]

FORMATS = ("typedoc", "docfx", "javadoc", "sphinx", "phpdoc")
DEFAULT_DIRECTORY = "sdk-reference"
KINDS = frozenset(
    {"class", "interface", "enum", "function", "type", "variable", "method", "property"}
)
_MEMBERS = frozenset({"method", "property"})
_FIELDS = ("kind", "name", "parent", "format", "source")
_WRITE = 'Write "kind name", or an object with "kind", "name", "format" and "source".'


@dataclass(frozen=True, slots=True)
class LibrarySource:
    """An artifact: the tool that made it, its path or URL, and the position of its setting."""

    format: str
    source: str
    position: FilePosition


@dataclass(frozen=True, slots=True)
class WrittenSymbol:
    """A symbol that a page documents; empty format and source are inherited."""

    kind: str
    name: str
    parent: str
    format: str
    source: str
    is_titled: bool  # whether the page has a title
    position: FilePosition

    def within(self, around: LibrarySource | None) -> LibrarySource | None:
        """Return the symbol's source, or None if neither page nor navigation specifies one."""
        format_ = self.format or (around.format if around else "")
        source = self.source or (around.source if around else "")
        return LibrarySource(format_, source, self.position) if format_ and source else None

    @property
    def label(self) -> str:
        return f"{self.kind} {f'{self.parent}.' if self.parent else ''}{self.name}"


def read_written(
    value: Any, position: FilePosition, diagnostics: Diagnostics, *, is_titled: bool
) -> WrittenSymbol | None:
    """Parse `sdk` of a page's frontmatter; None, with a diagnostic, if it is invalid.

    The value is either `[source] kind name`, or an object.
    """
    fields = _of_text(value) if isinstance(value, str) else value
    if not isinstance(fields, Mapping):
        diagnostics.warning(position, "sdk-symbol", "'sdk' does not name a symbol", _WRITE)
        return None
    found = {key: str(fields.get(key) or "").strip() for key in _FIELDS}
    if found["kind"] in _MEMBERS and not found["parent"]:
        found["parent"], _, found["name"] = found["name"].rpartition(".")
    if reason := _wrong(found):
        diagnostics.warning(position, "sdk-symbol", reason, _WRITE)
        return None
    return WrittenSymbol(**found, is_titled=is_titled, position=position)


def _of_text(text: str) -> dict[str, str]:
    words = text.split()
    kind, name = words[-2:] if len(words) > 1 else ("", "")
    return {"kind": kind, "name": name, "source": " ".join(words[:-2])}


def _wrong(found: Mapping[str, str]) -> str:
    if found["kind"] not in KINDS:
        return f"'sdk' must name one of {', '.join(sorted(KINDS))}"
    if not found["name"]:
        return "'sdk' must name a symbol"
    if found["kind"] in _MEMBERS and not found["parent"]:
        return f"'sdk': a {found['kind']} needs the name of its class or module"
    if found["format"] and found["format"] not in FORMATS:
        return f"'sdk' must name one of the formats {', '.join(FORMATS)}"
    return ""
