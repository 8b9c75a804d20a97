"""OKLCH colors, the cylindrical form of Oklab (https://bottosson.github.io/posts/oklab/)."""

from __future__ import annotations

from math import atan2, cbrt, cos, hypot, sin
from typing import NamedTuple

Rgb = tuple[float, float, float]  # 0 to 255, in sRGB

_LINEAR_BELOW = 0.04045  # sRGB
_CODED_BELOW = 0.0031308
_SLACK = 1e-4  # tolerance for rounding beyond the bounds of sRGB
_HALVINGS = 16


class OklchColor(NamedTuple):
    """Lightness from 0 to 1, chroma from 0 to about .37, hue in radians."""

    lightness: float
    chroma: float
    hue: float


def linear(part: float) -> float:
    """Convert an sRGB channel, from 0 to 1, to linear light."""
    return part / 12.92 if part <= _LINEAR_BELOW else float(((part + 0.055) / 1.055) ** 2.4)


def oklch_of(color: Rgb) -> OklchColor:
    """Convert a color from sRGB to OKLCH."""
    red, green, blue = (linear(part / 255) for part in color)
    long = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    medium = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    short = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    lightness = 0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short
    a = 1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short
    b = 0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short
    return OklchColor(lightness, hypot(a, b), atan2(b, a))


def rgb_of(color: OklchColor) -> Rgb:
    """Convert a color to sRGB, reducing its chroma as necessary."""
    whole = _light(color)
    if _is_shown(whole):
        return _coded(whole)
    low, high = 0.0, color.chroma
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _is_shown(_light(color._replace(chroma=middle))):
            low = middle
        else:
            high = middle
    return _coded(_light(color._replace(chroma=low)))


def _light(color: OklchColor) -> Rgb:
    a, b = color.chroma * cos(color.hue), color.chroma * sin(color.hue)
    long = (color.lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (color.lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (color.lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )


def _is_shown(light: Rgb) -> bool:
    return all(-_SLACK <= part <= 1 + _SLACK for part in light)


def _coded(light: Rgb) -> Rgb:
    red, green, blue = (_channel(min(1.0, max(0.0, part))) for part in light)
    return red, green, blue


def _channel(part: float) -> float:
    coded = 12.92 * part if part <= _CODED_BELOW else 1.055 * float(part ** (1 / 2.4)) - 0.055
    return 255 * coded
