"""Themes of code blocks (`styling.codeblocks`), by their names in Shiki.

`code_themes.csv` contains the colors of each theme for our token classes, extracted by
`engine/scripts/code-themes.mjs` from the package tm-themes 1.12.12. All are under the MIT license
except Material Theme (Apache-2.0). Themes without colors have another license.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from docstead.content.setting_keys import declared, key_of
from docstead.content.style_settings import CodeBlockSettings, LightAndDark, StylingSettings
from docstead.repository.json_fields import ObjectReader
from docstead.repository.json_text import JsonObject

_FILE = Path(__file__).with_suffix(".csv")
_BOTH = (key_of(declared(LightAndDark).light), key_of(declared(LightAndDark).dark))
_LOOKS = frozenset({"system", "dark", "light", "css-variables"})


@dataclass(frozen=True, slots=True)
class CodeTheme:
    """Colors of a theme, as `#rrggbb`; `tokens` has one for each token class, or is empty."""

    is_light: bool
    background: str
    foreground: str
    tokens: Mapping[str, str]


def code_theme(name: str) -> CodeTheme | None:
    """Return the theme with this name, or None."""
    return _themes().get(name)


def check_code_theme(styling: ObjectReader) -> None:
    """Report unknown names of code themes."""
    for keys, key in _named(styling):
        value = keys.values.get(key)
        if not isinstance(value, str) or not value or value in _LOOKS or code_theme(value):
            continue
        message = f"{keys.name(key)} is {value!r}, which is not a known code theme"
        hint = "Use system, dark, light, css-variables or a theme of Shiki, such as github-dark."
        keys.diagnostics.warning(keys.values.position(key), "unknown-value", message, hint)


def _named(styling: ObjectReader) -> Iterator[tuple[ObjectReader, str]]:
    blocks, theme = (
        key_of(declared(StylingSettings).codeblocks),
        key_of(declared(CodeBlockSettings).theme),
    )
    yield styling, blocks
    if not isinstance(styling.values.get(blocks), JsonObject):
        return
    code = styling.child(blocks)
    yield from ((code, key) for key in (theme, *_BOTH))
    if isinstance(code.values.get(theme), JsonObject):
        yield from ((code.child(theme), key) for key in _BOTH)


@lru_cache(maxsize=1)
def _themes() -> Mapping[str, CodeTheme]:
    with _FILE.open(encoding="utf-8", newline="") as file:
        return {row.pop("name"): _theme(row) for row in csv.DictReader(file)}


def _theme(row: dict[str, str]) -> CodeTheme:
    is_light = row.pop("scheme") == "light"
    background, foreground = row.pop("background"), row.pop("foreground")
    return CodeTheme(is_light, background, foreground, row if background else {})
