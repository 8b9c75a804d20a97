"""Names of code themes (`styling.codeblocks`). Source: the themes that Shiki includes."""

from __future__ import annotations

from collections.abc import Iterator

from docstead.content.json_fields import Keys
from docstead.content.json_text import JsonObject

_NAMES = (
    "andromeeda aurora-x ayu-dark ayu-light ayu-mirage catppuccin-frappe catppuccin-latte"
    " catppuccin-macchiato catppuccin-mocha dark-plus dracula dracula-soft everforest-dark"
    " everforest-light github-dark github-dark-default github-dark-dimmed"
    " github-dark-high-contrast github-light github-light-default github-light-high-contrast"
    " gruvbox-dark-hard gruvbox-dark-medium gruvbox-dark-soft gruvbox-light-hard"
    " gruvbox-light-medium gruvbox-light-soft horizon horizon-bright houston kanagawa-dragon"
    " kanagawa-lotus kanagawa-wave laserwave light-plus material-theme material-theme-darker"
    " material-theme-lighter material-theme-ocean material-theme-palenight min-dark min-light"
    " monokai night-owl night-owl-light nord one-dark-pro one-light plastic poimandres red"
    " rose-pine rose-pine-dawn rose-pine-moon slack-dark slack-ochin snazzy-light"
    " solarized-dark solarized-light synthwave-84 tokyo-night vesper vitesse-black"
    " vitesse-dark vitesse-light"
)
_THEMES = frozenset(_NAMES.split())
_LOOKS = frozenset({"system", "dark", "light", "css-variables"})


def check_code_theme(styling: Keys) -> None:
    """Report names of code themes that do not exist; dark or light is read from any name."""
    for keys, key in _named(styling):
        value = keys.values.get(key)
        if not isinstance(value, str) or not value or value in _THEMES | _LOOKS:
            continue
        message = f"{keys.name(key)} is {value!r}, which is not a known code theme"
        hint = "Use system, dark, light, css-variables or a theme of Shiki, such as github-dark."
        keys.faults.warning(keys.values.place(key), "unknown-value", message, hint)


def _named(styling: Keys) -> Iterator[tuple[Keys, str]]:
    yield styling, "codeblocks"
    if not isinstance(styling.values.get("codeblocks"), JsonObject):
        return
    code = styling.child("codeblocks")
    yield from ((code, key) for key in ("theme", "light", "dark"))
    if isinstance(code.values.get("theme"), JsonObject):
        yield from ((code.child("theme"), key) for key in ("light", "dark"))
