from __future__ import annotations

import re

import pytest

from contrast import contrast
from docstead.content.config import Colors
from docstead.content.style_settings import BackgroundColors, BackgroundSettings
from docstead.theme.colors.colors import color_css
from docstead.theme.colors.oklch import oklch_of


def themes(css: str) -> list[dict[str, str]]:
    return [dict(re.findall(r"--ds-([a-z-]+):(#[0-9a-f]{6})", rule)) for rule in css.splitlines()]


@pytest.mark.parametrize("primary", ["#A8FF53", "#000", "#ffffff", "#2d00f7", "#6b7280", "#f72585"])
@pytest.mark.parametrize(
    "background",
    [BackgroundSettings(), BackgroundSettings(color=BackgroundColors("#eeeeee", "#222831"))],
)
def test_text_can_be_read_whatever_the_colours(
    primary: str, background: BackgroundSettings
) -> None:
    found = themes(color_css(Colors(primary), background))
    assert len(found) == 3
    for theme in found:
        assert contrast(theme["primary"], theme["bg"]) >= 4.5
        assert contrast(theme["fg"], theme["bg"]) >= 7
        assert contrast(theme["fg-muted"], theme["bg"]) >= 4.5
        assert contrast(theme["primary-fg"], theme["primary"]) >= 4.4
        assert contrast(theme["button-fg"], theme["button"]) >= 4.4


def test_a_readable_colour_stays_as_it_is() -> None:
    light, dark, system = themes(color_css(Colors("#166E3F", light="#26BD6C", dark="#0a5c2f")))
    assert (light["primary"], dark["primary"]) == ("#166e3f", "#26bd6c")
    assert (light["button"], dark["button"]) == ("#0a5c2f", "#0a5c2f")
    assert system == dark


def test_no_colour_reaches_the_style_sheet_unchecked() -> None:
    css = color_css(
        Colors("red;}body{display:none"), BackgroundSettings(color=BackgroundColors("url(x)"))
    )
    assert "display" not in css
    assert "url" not in css


@pytest.mark.parametrize("primary", ["#FF5CB2", "#FA9E34", "#EB6658"])
def test_a_color_that_is_darkened_keeps_hue_and_strength(primary: str) -> None:
    given, shown = (oklch_of(_rgb(each)) for each in (primary, primary_of(primary)))
    assert shown.lightness < given.lightness
    assert abs(shown.hue - given.hue) < 0.02
    assert shown.chroma > 0.7 * given.chroma


def test_style_sheets_of_sites_find_channels_of_colors() -> None:
    css = color_css(
        Colors("#166E3F", light="#26BD6C"),
        BackgroundSettings(color=BackgroundColors(dark="#222831")),
        has_styles=True,
    )
    for variable in (
        "--primary:22 110 63;",
        "--primary-light:38 189 108;",
        "--primary-dark:22 110 63;",
        "--background-light:255 255 255;",
        "--background-dark:34 40 49;",
        "--gray-500:107 114 128;",
        "--color-primary-light:rgb(var(--primary-light));",
        "--color-background-dark:rgb(var(--background-dark));",
    ):
        assert variable in css


def primary_of(given: str) -> str:
    return themes(color_css(Colors(given)))[0]["primary"]


def _rgb(color: str) -> tuple[float, float, float]:
    red, green, blue = (float(int(color[at : at + 2], 16)) for at in (1, 3, 5))
    return red, green, blue
