"""A site's colors as CSS variables, adjusted to readable contrast."""

from __future__ import annotations

import re
from collections.abc import Mapping

from docstead.content.config import Colors
from docstead.content.style_settings import BackgroundSettings
from docstead.theme.colors.contrast import (
    INK,
    READABLE,
    WHITE,
    best_text,
    contrast,
    hex_of,
    mix,
    readable,
    rgb,
)
from docstead.theme.colors.oklch import Rgb
from docstead.theme.colors.palette import SHADES, color_of

_DEFAULT = Colors().primary
_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}")
_VISIBLE = 1.3  # minimum contrast between a button and the page
_TINT = 0.1  # share of a color in the paper below it: current entry, pill, method
_NEARLY_READABLE = 3.0

_OF_THE_PAGE = (
    "--color-primary:var(--ds-primary);--color-primary-light:rgb(var(--primary-light));"
    "--color-primary-dark:rgb(var(--primary-dark));"
    "--color-background-light:rgb(var(--background-light));"
    "--color-background-dark:rgb(var(--background-dark));--scroll-mt:var(--ds-scroll-margin);"
    "--font-inter:var(--ds-font-sans);--tw-prose-body:var(--ds-fg);--tw-prose-headings:var(--ds-fg);"
    "--tw-prose-links:var(--ds-primary);--tw-prose-bold:var(--ds-fg);--tw-prose-code:var(--ds-fg);"
    "--tw-prose-hr:var(--ds-border);--tw-prose-quotes:var(--ds-fg-muted);"
)
_LIGHT_BACKGROUND = "#ffffff"
_DARK_BACKGROUND = "#0d0f12"
_NO_BACKGROUND = BackgroundSettings()
_LIGHT_TEXT = "#171a1f"
_DARK_TEXT = "#e7e9ec"


def color_css(
    colors: Colors, background: BackgroundSettings = _NO_BACKGROUND, *, has_styles: bool = False
) -> str:
    """Return CSS rules for the colors of light and dark pages.

    Sites with own style sheets or scripts get additional names that these may use.
    """
    light, dark = color_variables(colors, background)
    named = _named_by_sites(colors, background) + (_scales() if has_styles else "")
    # Paper is white, so print uses the light colors.
    return (
        f":root{{color-scheme:light;{light}{named}}}\n"
        f"@media screen{{html[data-theme=dark]{{color-scheme:dark;{dark}}}}}\n"
        "@media screen and (prefers-color-scheme:dark){html:not([data-theme])"
        f"{{color-scheme:dark;{dark}}}}}\n"
    )


def color_variables(
    colors: Colors, background: BackgroundSettings = _NO_BACKGROUND
) -> tuple[str, str]:
    """Return the CSS variables of a site's colors, for light and for dark."""
    light, dark = page_colors(colors, background)
    return written(light), written(dark)


def page_colors(
    colors: Colors, background: BackgroundSettings = _NO_BACKGROUND
) -> tuple[dict[str, Rgb], dict[str, Rgb]]:
    """Return the colors of light and dark pages, by name."""
    given = background.color
    light_page = _valid(given.light, _LIGHT_BACKGROUND)
    dark_page = _valid(given.dark, _DARK_BACKGROUND)
    primary = _valid(colors.primary, _DEFAULT)
    light = _variables(primary, colors.dark or primary, light_page, _LIGHT_TEXT)
    dark = _variables(_valid(colors.light, primary), colors.dark or primary, dark_page, _DARK_TEXT)
    return light, dark


def block_colors(colors: Colors, paper: str, ink: str, *, is_light: bool) -> dict[str, Rgb]:
    """Return the colors of a block with its own background and text color, by name."""
    primary = _valid(colors.primary, _DEFAULT)
    accent = primary if is_light else _valid(colors.light, primary)
    return _variables(accent, colors.dark or primary, paper, ink)


def written(values: Mapping[str, Rgb]) -> str:
    """Format colors as CSS variables."""
    return "".join(f"--ds-{name}:{hex_of(value)};" for name, value in values.items())


def _named_by_sites(colors: Colors, background: BackgroundSettings) -> str:
    """Return the variables that style sheets of sites use: channels, as in `rgb(var(--primary))`.

    The names are those of the original product.
    """
    primary = _valid(colors.primary, _DEFAULT)
    given = background.color
    channels = {
        "primary": primary,
        "primary-light": _valid(colors.light, primary),
        "primary-dark": _valid(colors.dark, primary),
        "background-light": _valid(given.light, _LIGHT_BACKGROUND),
        "background-dark": _valid(given.dark, _DARK_BACKGROUND),
    }
    return _channels(channels)


def _scales() -> str:
    grays = {f"gray-{shade}": color_of(f"gray-{shade}") or "" for shade in SHADES}
    return _channels(grays) + _OF_THE_PAGE


def _channels(colors: Mapping[str, str]) -> str:
    written = (f"--{name}:{' '.join(map(str, rgb(color)))};" for name, color in colors.items())
    return "".join(written)


def _variables(accent: str, button: str, page: str, text: str) -> dict[str, Rgb]:
    paper, ink = rgb(page), rgb(text)
    if contrast(ink, paper) < READABLE:
        ink = best_text(paper)
    strong = readable(rgb(accent), paper, ink, tint=_TINT)
    fill = _button(rgb(_valid(button, accent)))
    if contrast(fill, paper) < _VISIBLE:
        fill = strong
    return {
        "primary": strong,
        "primary-fg": best_text(strong),
        "primary-soft": mix(strong, paper, _TINT),
        "button": fill,
        "button-fg": best_text(fill),
        "bg": paper,
        "bg-soft": mix(ink, paper, 0.03),
        "bg-hover": mix(ink, paper, 0.055),
        "fg": ink,
        "fg-muted": readable(mix(ink, paper, 0.62), paper, ink, tint=_TINT),
        "border": mix(ink, paper, 0.11),
        "border-strong": mix(ink, paper, 0.2),
        "code-bg": mix(ink, paper, 0.035),
    }


def _button(fill: Rgb) -> Rgb:
    """Darken a fill that nearly allows white text until it does."""
    nearly = contrast(WHITE, fill) >= _NEARLY_READABLE
    return readable(fill, WHITE, INK) if nearly else fill


def _valid(color: object, otherwise: str) -> str:
    """Return the color as #rrggbb, or `otherwise` if it is invalid."""
    if not isinstance(color, str) or not _HEX.fullmatch(color):
        return otherwise
    digits = color[1:].lower()
    return f"#{digits}" if len(digits) > len("rgb") else "#" + "".join(d * 2 for d in digits)
