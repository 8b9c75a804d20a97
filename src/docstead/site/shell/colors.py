"""A site's colours as CSS variables, moved as far as it takes to be readable."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from docstead.content.config import Colors
from docstead.site.shell.oklch import Rgb, linear, oklch_of, rgb_of
from docstead.site.shell.palette import SHADES, color_of

_WHITE: Rgb = (255, 255, 255)
_INK: Rgb = (17, 19, 23)
_DEFAULT = Colors().primary
_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}")
_READABLE = 4.55  # contrast of text (WCAG 2.2, level AA asks for 4.5), with room for rounding
_VISIBLE = 1.3  # contrast of a button that can be told from the page
_TINT = 0.1  # of a colour in the paper below it: the current entry, a pill, a method
_NEARLY_READABLE = 3.0
_STEP = 0.01  # of lightness in OKLCH

_OF_THE_PAGE = (
    "--color-primary:var(--ds-primary);--scroll-mt:var(--ds-scroll-margin);"
    "--font-inter:var(--ds-font-sans);--tw-prose-body:var(--ds-fg);--tw-prose-headings:var(--ds-fg);"
    "--tw-prose-links:var(--ds-primary);--tw-prose-bold:var(--ds-fg);--tw-prose-code:var(--ds-fg);"
    "--tw-prose-hr:var(--ds-border);--tw-prose-quotes:var(--ds-fg-muted);"
)
_LIGHT_BACKGROUND = "#ffffff"
_DARK_BACKGROUND = "#0d0f12"
_LIGHT_TEXT = "#171a1f"
_DARK_TEXT = "#e7e9ec"


def color_css(
    colors: Colors, background: Mapping[str, Any] | None = None, *, has_styles: bool = False
) -> str:
    """The rules that set the colours of light and dark pages.

    Sites that have style sheets or scripts of their own get more of the names that those read.
    """
    light, dark = color_variables(colors, background)
    named = _named_by_sites(colors, background) + (_scales() if has_styles else "")
    # Paper is white: what is printed keeps the light colours.
    return (
        f":root{{color-scheme:light;{light}{named}}}\n"
        f"@media screen{{html[data-theme=dark]{{color-scheme:dark;{dark}}}}}\n"
        "@media screen and (prefers-color-scheme:dark){html:not([data-theme])"
        f"{{color-scheme:dark;{dark}}}}}\n"
    )


def color_variables(colors: Colors, background: Mapping[str, Any] | None = None) -> tuple[str, str]:
    """Return the CSS variables of a site's colors, for light and for dark."""
    chosen = (background or {}).get("color")
    given = chosen if isinstance(chosen, Mapping) else {}
    light_page = _valid(given.get("light"), _LIGHT_BACKGROUND)
    dark_page = _valid(given.get("dark"), _DARK_BACKGROUND)
    primary = _valid(colors.primary, _DEFAULT)
    light = _variables(primary, colors.dark or primary, light_page, _LIGHT_TEXT)
    dark = _variables(_valid(colors.light, primary), colors.dark or primary, dark_page, _DARK_TEXT)
    return light, dark


def _named_by_sites(colors: Colors, background: Mapping[str, Any] | None) -> str:
    """Return the variables that style sheets of sites read: channels, as in `rgb(var(--primary))`.

    The names are those of the original product.
    """
    primary = _valid(colors.primary, _DEFAULT)
    chosen = (background or {}).get("color")
    given = chosen if isinstance(chosen, Mapping) else {}
    channels = {
        "primary": primary,
        "primary-light": _valid(colors.light, primary),
        "primary-dark": _valid(colors.dark, primary),
        "background-light": _valid(given.get("light"), _LIGHT_BACKGROUND),
        "background-dark": _valid(given.get("dark"), _DARK_BACKGROUND),
    }
    return _channels(channels)


def _scales() -> str:
    grays = {f"gray-{shade}": color_of(f"gray-{shade}") or "" for shade in SHADES}
    return _channels(grays) + _OF_THE_PAGE


def _channels(colors: Mapping[str, str]) -> str:
    written = (f"--{name}:{' '.join(map(str, _rgb(color)))};" for name, color in colors.items())
    return "".join(written)


def _variables(accent: str, button: str, page: str, text: str) -> str:
    paper, ink = _rgb(page), _rgb(text)
    if _contrast(ink, paper) < _READABLE:
        ink = _best(paper)
    strong = _readable(_rgb(accent), paper, ink, _TINT)
    fill = _button(_rgb(_valid(button, accent)))
    if _contrast(fill, paper) < _VISIBLE:
        fill = strong
    values = {
        "primary": strong,
        "primary-fg": _best(strong),
        "primary-soft": _mix(strong, paper, _TINT),
        "button": fill,
        "button-fg": _best(fill),
        "bg": paper,
        "bg-soft": _mix(ink, paper, 0.03),
        "bg-hover": _mix(ink, paper, 0.055),
        "fg": ink,
        "fg-muted": _readable(_mix(ink, paper, 0.62), paper, ink, _TINT),
        "border": _mix(ink, paper, 0.11),
        "border-strong": _mix(ink, paper, 0.2),
        "code-bg": _mix(ink, paper, 0.035),
    }
    return "".join(f"--ds-{name}:{_hex(value)};" for name, value in values.items())


def _button(fill: Rgb) -> Rgb:
    """A fill that nearly carries white text is darkened until it does."""
    nearly = _contrast(_WHITE, fill) >= _NEARLY_READABLE
    return _readable(fill, _WHITE, _INK) if nearly else fill


def _valid(color: object, otherwise: str) -> str:
    """The colour as #rrggbb; `otherwise` where it is none."""
    if not isinstance(color, str) or not _HEX.fullmatch(color):
        return otherwise
    digits = color[1:].lower()
    return f"#{digits}" if len(digits) > len("rgb") else "#" + "".join(d * 2 for d in digits)


def _rgb(color: str) -> Rgb:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _hex(color: Rgb) -> str:
    return "#" + "".join(f"{round(part):02x}" for part in color)


def _mix(upper: Rgb, lower: Rgb, share: float) -> Rgb:
    red, green, blue = (a * share + b * (1 - share) for a, b in zip(upper, lower, strict=True))
    return red, green, blue


def _readable(color: Rgb, paper: Rgb, ink: Rgb, tint: float = 0) -> Rgb:
    """The color with its hue, darker or lighter until it can be read on the paper and its tint."""
    wanted = oklch_of(color)
    step = -_STEP if _luminance(ink) < _luminance(paper) else _STEP
    read = color
    while _contrast(read, _mix(read, paper, tint)) < _READABLE:
        wanted = wanted._replace(lightness=wanted.lightness + step)
        if not 0 <= wanted.lightness <= 1:
            break
        read = rgb_of(wanted)
    return read


def _best(paper: Rgb) -> Rgb:
    """White or ink, whichever is read more easily; white where both are."""
    on_white = _contrast(_WHITE, paper)
    return _WHITE if on_white >= _READABLE or on_white > _contrast(_INK, paper) else _INK


def _contrast(one: Rgb, other: Rgb) -> float:
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(color: Rgb) -> float:
    red, green, blue = (linear(part / 255) for part in color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
