"""Readable colors (WCAG 2.2), in sRGB."""

from __future__ import annotations

from collections.abc import Sequence

from docstead.theme.colors.oklch import Rgb, linear, oklch_of, rgb_of

WHITE: Rgb = (255, 255, 255)
INK: Rgb = (17, 19, 23)
READABLE = 4.55  # contrast of text (WCAG 2.2 level AA requires 4.5), with room for rounding
_STEP = 0.01  # step of lightness in OKLCH


def rgb(color: str) -> Rgb:
    """Parse `#rrggbb`."""
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def hex_of(color: Rgb) -> str:
    """Format a color as `#rrggbb`."""
    return "#" + "".join(f"{round(part):02x}" for part in color)


def mix(upper: Rgb, lower: Rgb, share: float) -> Rgb:
    """Mix `share` of the upper color with the lower one, like `color-mix(in srgb)`."""
    red, green, blue = (a * share + b * (1 - share) for a, b in zip(upper, lower, strict=True))
    return red, green, blue


def readable(
    color: Rgb, paper: Rgb, ink: Rgb, *, tint: float = 0, marks: Sequence[Rgb] = ()
) -> Rgb:
    """Return the color with equal hue, darkened or lightened until it is readable.

    It is readable on the paper, on a `tint` of itself on the paper, and on the `marks`.
    """
    candidate = oklch_of(color)
    step = -_STEP if _luminance(ink) < _luminance(paper) else _STEP
    read = color
    while min(contrast(read, each) for each in (mix(read, paper, tint), *marks)) < READABLE:
        candidate = candidate._replace(lightness=candidate.lightness + step)
        if not 0 <= candidate.lightness <= 1:
            break
        read = rgb_of(candidate)
    return read


def best_text(paper: Rgb) -> Rgb:
    """Return white or ink, the more readable one; white if both are sufficient."""
    on_white = contrast(WHITE, paper)
    return WHITE if on_white >= READABLE or on_white > contrast(INK, paper) else INK


def contrast(one: Rgb, other: Rgb) -> float:
    """Return the contrast ratio of two colors, from 1 to 21."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(color: Rgb) -> float:
    red, green, blue = (linear(part / 255) for part in color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
