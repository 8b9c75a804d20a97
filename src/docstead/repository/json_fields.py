"""Typed access to objects of `docs.json`. Values of a wrong type are reported and ignored."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from docstead.content.config import ThemedValue
from docstead.content.setting_keys import declared, key_of, path_of
from docstead.content.written_settings import IconKeys
from docstead.repository.json_text import JsonArray, JsonObject
from docstead.repository.positions import Diagnostics, FilePosition
from docstead.repository.settings_limits import NUMBER_LIMIT

_LIGHT, _DARK = key_of(declared(ThemedValue).light), key_of(declared(ThemedValue).dark)
_COLOR = re.compile(r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_SLASHES = re.compile("/{2,}")
_SAFE_SCHEMES = ("http:", "https:", "mailto:", "tel:")


class ObjectReader:
    """Keys of an object. `path` names it in messages: "navbar.primary"."""

    def __init__(self, values: JsonObject, diagnostics: Diagnostics, path: str = "") -> None:
        self.values = values
        self.diagnostics = diagnostics
        self.path = path

    def text(self, key: str) -> str | None:
        value = self.values.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
        if value is not None and not isinstance(value, str):
            self.wrong(key, "a string")
            return None
        return value or None

    def flag(self, key: str, *, default: bool = False) -> bool:
        value = self.values.get(key)
        if value is not None and not isinstance(value, bool):
            self.wrong(key, "true or false")
            return default
        return default if value is None else value

    def number(self, key: str) -> float | None:
        value = self.values.get(key)
        if value is None:
            return None
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if is_number and 0 < value <= NUMBER_LIMIT:
            return float(value)
        self.wrong(key, f"a positive number, at most {NUMBER_LIMIT}")
        return None

    def choice(self, key: str, choices: frozenset[str], default: str) -> str:
        value = self.text(key)
        if value is None or value in choices:
            return value or default
        hint = f"Use one of {', '.join(sorted(choices))}."
        position = self.values.position(key)
        message = f"{self.name(key)} is {value!r}, which is not known"
        self.diagnostics.warning(position, "unknown-value", message, hint)
        return default

    def color(self, key: str) -> str | None:
        value = self.text(key)
        if value is None or _COLOR.fullmatch(value):
            return value
        self.diagnostics.warning(
            self.values.position(key),
            "invalid-color",
            f"{self.name(key)} is {value!r}, which is not a color",
            "Write it as #rgb or #rrggbb.",
        )
        return None

    def href(self, key: str) -> str | None:
        value = self.text(key)
        if value and _SCHEME.match(value) and not value.lower().startswith(_SAFE_SCHEMES):
            message = f"{self.name(key)} must be an http or https URL or a path"
            hint = "Write https://…, mailto:…, tel:… or a path of the site."
            self.diagnostics.warning(self.values.position(key), "unsafe-link", message, hint)
            return None
        return value

    def child(self, key: str) -> ObjectReader:
        """Return the keys of a nested object, which is empty if it is missing."""
        value = self.values.get(key)
        if value is not None and not isinstance(value, JsonObject):
            self.wrong(key, "an object")
            value = None
        return ObjectReader(
            value if value is not None else JsonObject(self.values.spot),
            self.diagnostics,
            self.name(key),
        )

    def objects(self, key: str) -> Iterator[ObjectReader]:
        """Yield the objects of a nested array."""
        items = self.array(key)
        for index, item in enumerate(items):
            name = f"{self.name(key)}[{index}]"
            if isinstance(item, JsonObject):
                yield ObjectReader(item, self.diagnostics, name)
            else:
                message = f"{name} must be an object"
                hint = "Write {…} here, or remove it."
                self.diagnostics.warning(items.position(index), "wrong-type", message, hint)

    def array(self, key: str) -> JsonArray:
        value = self.values.get(key)
        if isinstance(value, JsonArray):
            return value
        if value is not None:
            self.wrong(key, "an array")
        return JsonArray(self.values.spot)

    def texts(self, key: str, *, or_objects: bool = False) -> tuple[str, ...]:
        """Return the strings of an array, or a single string as a tuple.

        Other items are dropped, and reported unless they are objects and `or_objects` is true.
        """
        value = self.values.get(key)
        if isinstance(value, str):
            return (value,)
        items = self.array(key)
        for index, item in enumerate(items):
            is_known = isinstance(item, str) or (or_objects and isinstance(item, JsonObject))
            if not is_known:
                message = f"{self.name(key)}[{index}] must be a string"
                hint = f"It is {_kind(item)} here and was ignored."
                self.diagnostics.warning(items.position(index), "wrong-type", message, hint)
        return tuple(item for item in items if isinstance(item, str))

    def mapping(self, key: str) -> dict[str, str]:
        """Return an object with numbers and booleans as text."""
        found: dict[str, str] = {}
        child = self.child(key)
        for name, value in child.values.items():
            if isinstance(value, bool):
                found[name] = "true" if value else "false"
            elif (text := child.text(name)) is not None:
                found[name] = text
        return found

    def themed(self, key: str) -> ThemedValue | None:
        """Return an image for light and dark mode, from a path or URL, or from an object.

        If only one is given, both modes use it.
        """
        value = self.values.get(key)
        if isinstance(value, str):
            return ThemedValue(_picture(value), _picture(value)) if value else None
        child = self.child(key)
        light, dark = _picture(child.text(_LIGHT) or ""), _picture(child.text(_DARK) or "")
        one = light or dark
        return ThemedValue(light or one, dark or one) if one else None

    def themed_color(self, key: str) -> ThemedValue | None:
        """Return a color for light and dark mode, from a color or from an object."""
        if isinstance(self.values.get(key), str):
            color = self.color(key)
            return ThemedValue(color, color) if color else None
        child = self.child(key)
        light, dark = child.color(_LIGHT), child.color(_DARK)
        one = light or dark
        return ThemedValue(light or one, dark or one) if one else None

    def icon(self, key: str) -> str | None:
        value = self.values.get(key)
        if isinstance(value, JsonObject):
            return self.child(key).text(key_of(declared(IconKeys).name))
        return self.text(key)

    def position_of(self, declaration: Any) -> FilePosition:
        """Return the position of a setting given by its field, as for `key_of`."""
        *objects, key = path_of(declaration)
        keys = self
        for name in objects:
            keys = keys.child(name)
        return keys.values.position(key)

    def name(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def wrong(self, key: str, expected: str) -> None:
        message = f"{self.name(key)} must be {expected}"
        hint = f"It is {_kind(self.values.get(key))} here and was ignored."
        self.diagnostics.warning(self.values.position(key), "wrong-type", message, hint)


def _kind(value: Any) -> str:
    names = {bool: "true or false", int: "a number", float: "a number", str: "a string"}
    if isinstance(value, list):
        return "an array"
    return "an object" if isinstance(value, dict) else names.get(type(value), "null")


def _picture(path: str) -> str:
    """Normalize slashes and a leading `./` of a path; URLs are unchanged."""
    is_url = bool(_SCHEME.match(path)) or path.startswith("//")
    return path if is_url else _SLASHES.sub("/", path).removeprefix("./")
