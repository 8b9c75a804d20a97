"""Location and reading of `docs.json` or the older `mint.json`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docstead.base.errors import SourceUnreadable
from docstead.content.config import SiteConfig
from docstead.content.diagnostics import Severity
from docstead.content.navigation import NodeKeys
from docstead.content.setting_keys import declared, key_of
from docstead.content.slugs import clean_path
from docstead.repository.json_fields import ObjectReader
from docstead.repository.json_text import JsonArray, JsonError, JsonObject, parse
from docstead.repository.legacy import upgrade
from docstead.repository.positions import Diagnostics, FilePosition
from docstead.repository.references import follow
from docstead.repository.settings_limits import limit_settings
from docstead.repository.sources import TEXT_LIMIT_BYTES

_OTHERS_SHOWN = 50
_NAME = key_of(declared(SiteConfig).name)
_NAVIGATION = key_of(declared(SiteConfig).languages)  # which are part of it
SETTINGS, LEGACY_SETTINGS = "docs.json", "mint.json"


@dataclass(frozen=True, slots=True)
class DocsJson:
    """Contents of `docs.json` and included files, by root-relative path."""

    keys: ObjectReader
    files: frozenset[str]
    missing: tuple[tuple[FilePosition, str], ...] = ()  # required settings

    def check(self, diagnostics: Diagnostics) -> None:
        """Raise SourceUnreadable with all errors if a required setting is missing."""
        if self.missing:
            others = [
                f"{each.file}:{each.line}:{each.column}: {each.message}"
                for each in diagnostics.sorted()
                if each.severity is not Severity.INFO
            ]
            needed = [f"{position}: {message}" for position, message in self.missing]
            raise SourceUnreadable("\n".join([*needed, *others[:_OTHERS_SHOWN]]))


def read_settings(root: Path, diagnostics: Diagnostics) -> DocsJson:
    """Return the settings with `$ref`s resolved, in the format of `docs.json`.

    Raises:
        SourceUnreadable: they are missing or invalid; with the position.
    """
    name = next((n for n in (SETTINGS, LEGACY_SETTINGS) if (root / n).is_file()), None)
    if name is None:
        raise _unreadable(FilePosition(SETTINGS, 1, 1), f"there is no such file{_elsewhere(root)}")
    files: set[str] = set()

    def read(file: str) -> Any:
        files.add(file)
        return _read(root, file)

    try:
        value = follow(name, read)
    except JsonError as error:
        raise _unreadable(error.position, error.message) from None
    if not isinstance(value, JsonObject):
        raise _unreadable(FilePosition(name, 1, 1), "the settings must be an object")
    limit_settings(value, diagnostics)
    settings = upgrade(value) if name == LEGACY_SETTINGS else value
    if "theme" not in settings:
        message = "theme is missing; the site gets 'mint'"
        diagnostics.warning(settings.position(), "missing-key", message, 'Add "theme": "mint".')
    return DocsJson(
        ObjectReader(settings, diagnostics), frozenset(files), tuple(_missing(settings, name))
    )


def listed_slugs(settings: ObjectReader) -> frozenset[str]:
    """Return every page that the navigation lists, existing or not."""
    return frozenset(_listed(settings.values.get(_NAVIGATION), pages=False))


def _listed(value: Any, *, pages: bool) -> list[str]:
    found: list[str] = []
    if isinstance(value, JsonArray):
        for item in value:
            if isinstance(item, str) and pages:
                found.append(clean_path(item))
            else:
                found += _listed(item, pages=False)
    elif isinstance(value, JsonObject):
        for key, item in value.items():
            if key == key_of(declared(NodeKeys).root) and isinstance(item, str):
                found.append(clean_path(item))
            else:
                found += _listed(item, pages=key == key_of(declared(NodeKeys).pages))
    return found


def _read(root: Path, file: str) -> Any:
    path = (root / file).resolve()
    if not path.is_relative_to(root):
        raise JsonError("a symbolic link leads out of the repository", FilePosition(file, 1, 1))
    if path.is_file() and path.stat().st_size > TEXT_LIMIT_BYTES:
        raise JsonError("the file is larger than 20 MB", FilePosition(file, 1, 1))
    try:
        return parse(path.read_bytes().decode("utf-8-sig"), file)
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise JsonError("the file is not UTF-8", FilePosition(file, line, 1)) from None
    except IsADirectoryError:
        raise FileNotFoundError(file) from None


def _missing(settings: JsonObject, name: str) -> Iterator[tuple[FilePosition, str]]:
    for key in (_NAME, _NAVIGATION):
        if key not in settings:
            yield FilePosition(name, 1, 1), f"the required key {key!r} is missing"
    title, navigation = settings.get(_NAME), settings.get(_NAVIGATION)
    if _NAME in settings and not (isinstance(title, str) and title.strip()):
        yield settings.position(_NAME), "'name' must be a string"
    if _NAVIGATION in settings and not isinstance(navigation, JsonObject):
        kind = "an array of groups" if name == LEGACY_SETTINGS else "an object"
        yield settings.position(_NAVIGATION), f"'navigation' must be {kind}"


def _elsewhere(root: Path) -> str:
    depths = ("*", "*/*")
    names = [f"{depth}/{name}" for depth in depths for name in (SETTINGS, LEGACY_SETTINGS)]
    found = [path.parent for name in names for path in sorted(root.glob(name))]
    folders = " or ".join(f"--root {each.relative_to(root).as_posix()}" for each in found[:3])
    return (
        f" in the root, but in a subfolder: use {folders}"
        if found
        else ", nor a mint.json; add one, or name the subfolder that has it with --root"
    )


def _unreadable(position: FilePosition, message: str) -> SourceUnreadable:
    return SourceUnreadable(f"{position}: {message}")
