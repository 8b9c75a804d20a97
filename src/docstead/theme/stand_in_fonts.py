"""Fonts of the system that stand in for a shipped one while it loads.

They have its metrics, in regular and in bold, so that lines neither move nor break elsewhere when
it is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class FontMetrics(NamedTuple):
    """Metrics of a shipped font in percent.

    Widths of text in regular and bold (weight 670) are relative to Arial, or to Times New Roman for
    serifs; the others are relative to the font size.
    """

    width: float
    bold_width: float
    ascent: float
    descent: float
    line_gap: float = 0.0


FONT_METRICS = {
    "Inter": FontMetrics(107.2, 101.5, 96.9, 24.1),
    "Geist": FontMetrics(103.1, 101.3, 100.5, 29.5),
    "DM Sans": FontMetrics(104.3, 101.4, 99.2, 31.0),
    "Figtree": FontMetrics(101.1, 95.8, 95.0, 25.0),
    "IBM Plex Sans": FontMetrics(101.1, 97.7, 102.5, 27.5),
    "Instrument Sans": FontMetrics(102.3, 98.0, 97.0, 25.0),
    "Lora": FontMetrics(115.4, 111.7, 100.6, 27.4),
    "Manrope": FontMetrics(103.2, 100.1, 106.6, 30.0),
    "Montserrat": FontMetrics(113.3, 109.8, 96.8, 25.1),
    "Nunito": FontMetrics(101.7, 97.2, 101.1, 35.3),
    "Onest": FontMetrics(105.7, 100.3, 97.0, 30.5),
    "Open Sans": FontMetrics(105.7, 104.0, 106.9, 29.3),
    "Outfit": FontMetrics(99.3, 94.5, 100.0, 26.0),
    "Plus Jakarta Sans": FontMetrics(104.5, 99.6, 103.8, 22.2),
    "Roboto": FontMetrics(100.0, 93.8, 92.8, 24.4),
    "Rubik": FontMetrics(104.8, 103.0, 93.5, 25.0),
    "Source Sans 3": FontMetrics(94.1, 91.4, 102.4, 40.0),
    "Space Grotesk": FontMetrics(110.2, 101.9, 98.4, 29.2),
    "Work Sans": FontMetrics(112.4, 104.3, 93.0, 24.3),
    "Lato": FontMetrics(97.6, 92.2, 98.7, 21.3),
    "Poppins": FontMetrics(112.3, 106.8, 105.0, 35.0, 10.0),
}
# Fonts for code have one width for all letters; these are grouped by it.
_MONO_METRICS = FontMetrics(0.0, 0.0, 102.0, 30.0)
_MONO_NAMES = {
    "JetBrains Mono Fallback": (99.7, ("Menlo-Regular", "DejaVu Sans Mono", "Liberation Mono")),
    "JetBrains Mono Fallback 2": (109.1, ("Consolas",)),
}
SERIFS = frozenset({"Lora"})

_SANS_NAMES = ("Arial", "Liberation Sans"), ("Arial Bold", "Arial-BoldMT", "Liberation Sans Bold")
_SERIF_NAMES = (
    ("Times New Roman", "Liberation Serif"),
    ("Times New Roman Bold", "TimesNewRomanPS-BoldMT", "Liberation Serif Bold"),
)
_WEIGHTS = "100 549", "550 900"
# Other letters are those of Inter, which has more of them than the others.
_COMPLETE = "Inter"
_RANGE = "unicode-range:U+0000-00FF;"


def stand_in_faces(family: str) -> Iterator[str]:
    """Yield the `@font-face` rules of a shipped font's stand-in, by weight."""
    metrics = FONT_METRICS.get(family)
    if metrics is None:
        return
    letters = "" if family == _COMPLETE else _RANGE
    names = _SERIF_NAMES if family in SERIFS else _SANS_NAMES
    widths = metrics.width, metrics.bold_width
    for sources, weights, width in zip(names, _WEIGHTS, widths, strict=True):
        locals_ = ",".join(f'local("{name}")' for name in sources)
        yield (
            f'@font-face{{font-family:"{family} Fallback";font-weight:{weights};src:{locals_};'
            f"size-adjust:{width:g}%;{_overrides(metrics, width)}{letters}}}\n"
        )


def code_stand_in_faces() -> Iterator[str]:
    """Yield the `@font-face` rules of stand-ins for the font of code."""
    for family, (width, sources) in _MONO_NAMES.items():
        locals_ = ",".join(f'local("{name}")' for name in sources)
        yield (
            f'@font-face{{font-family:"{family}";src:{locals_};size-adjust:{width:g}%;'
            f"{_overrides(_MONO_METRICS, width)}}}\n"
        )


def _overrides(metrics: FontMetrics, width: float) -> str:
    """Return heights relative to the adjusted size."""
    heights = {
        "ascent": metrics.ascent,
        "descent": metrics.descent,
        "line-gap": metrics.line_gap,
    }
    return "".join(
        f"{name}-override:{value / width * 100:.4g}%;" for name, value in heights.items()
    )
