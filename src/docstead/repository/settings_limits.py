"""Limits on values of `docs.json`, far above those of real sites.

Settings are rendered into every page, without a deadline. Texts of megabytes or lists of a hundred
thousand links would cost memory and time on each page.
"""

from __future__ import annotations

from docstead.repository.json_text import JsonArray, JsonObject
from docstead.repository.positions import Diagnostics, FilePosition

TEXT_LIMIT = 10_000  # characters
DRAWING_LIMIT = 500_000  # characters of drawings, and of images in `data:` URLs
ENTRY_LIMIT = 1_000  # entries of a list or object
NUMBER_LIMIT = 1_000  # value of a factor or count

_DRAWINGS = ("<svg", "data:")
# Pages are limited by the number of source files, and redirects use lookups.
_UNLIMITED = frozenset({"navigation", "groups", "pages", "redirects", "variables"})


def limit_settings(settings: JsonObject, diagnostics: Diagnostics) -> None:
    """Shorten values beyond their limits, with a warning for each."""
    _limit(settings, "", diagnostics)


def limited_text(text: str) -> str:
    """Truncate a text to its limit; drawings beyond theirs become ""."""
    if text.lstrip().startswith(_DRAWINGS):
        return text if len(text) <= DRAWING_LIMIT else ""
    return text[:TEXT_LIMIT]


def _limit(value: JsonObject | JsonArray, name: str, diagnostics: Diagnostics) -> None:
    """Limit a value; `name` is its key, or that of the array that contains it."""
    if len(value) > ENTRY_LIMIT and name not in _UNLIMITED:
        _warn(value.position(), f"{name!r} has over {ENTRY_LIMIT:,} entries", diagnostics)
        value.shorten(ENTRY_LIMIT)
    if isinstance(value, JsonObject):
        for key, item in value.items():
            value[key] = _limited(item, key, value, diagnostics)
    else:
        for index, item in enumerate(value):
            value[index] = _limited(item, name, value, diagnostics)


def _limited(
    item: object, name: str, around: JsonObject | JsonArray, diagnostics: Diagnostics
) -> object:
    if isinstance(item, JsonObject | JsonArray):
        _limit(item, name, diagnostics)
    elif isinstance(item, str) and len(item) > TEXT_LIMIT:
        shortened = limited_text(item)
        if shortened != item:
            position = (
                around.position(name) if isinstance(around, JsonObject) else around.position()
            )
            _warn(position, f"{name!r} has over {TEXT_LIMIT:,} characters", diagnostics)
        return shortened
    return item


def _warn(position: FilePosition, message: str, diagnostics: Diagnostics) -> None:
    hint = "Shorten it."
    diagnostics.warning(position, "settings-too-long", f"{message}; the rest was left out", hint)
