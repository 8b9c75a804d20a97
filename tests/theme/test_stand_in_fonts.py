"""Stand-ins have the metrics of the shipped fonts, so that text does not move when those load."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import ImageFont

import docstead.markup
from docstead.markup.assets import BuiltAssets
from docstead.theme.fonts import shipped_faces
from docstead.theme.stand_in_fonts import (
    FONT_METRICS,
    SERIFS,
    code_stand_in_faces,
    stand_in_faces,
)

SIZE = 1024
TEXT = (
    "Configure the deployment and return a list of all pages, with their titles, sections and "
    "links in the order of the navigation."
)


def loaded(folder: Path, family: str, weight: int) -> ImageFont.FreeTypeFont:
    stem = family.lower().replace(" ", "-")
    variable, static = folder / f"{stem}-latin.woff2", folder / f"{stem}-latin-{weight}.woff2"
    font = ImageFont.truetype(variable if variable.exists() else static, SIZE)
    if variable.exists():
        font.set_variation_by_axes([weight])
    return font


@pytest.fixture
def built_folder() -> Path:
    return Path(docstead.markup.__file__).parent / "assets" / "built" / "fonts"


def test_every_shipped_text_font_has_a_stand_in() -> None:
    families = {face.family for face in shipped_faces(BuiltAssets())}
    assert families - FONT_METRICS.keys() == {"JetBrains Mono"}


@pytest.mark.parametrize("bold", [False, True])
def test_stand_ins_are_as_wide_and_high_as_the_fonts(built_folder: Path, bold: bool) -> None:
    weight = 700 if bold else 400
    inter, reference = FONT_METRICS["Inter"], loaded(built_folder, "Inter", weight)
    for family, metrics in FONT_METRICS.items():
        font = loaded(built_folder, family, weight)
        ascent, descent = (100 * each / SIZE for each in font.getmetrics())
        assert (metrics.ascent, metrics.descent) == pytest.approx((ascent, descent), abs=0.3)
        if family not in SERIFS:  # those are compared with another font
            wide = font.getlength(TEXT) / reference.getlength(TEXT)
            stated = metrics.bold_width / inter.bold_width if bold else metrics.width / inter.width
            assert stated == pytest.approx(wide, rel=0.025)


def test_code_has_stand_ins_of_the_same_height_and_width(built_folder: Path) -> None:
    font = loaded(built_folder, "JetBrains Mono", 400)
    wide = 100 * font.getlength("n") / SIZE
    heights = [100 * each / SIZE for each in font.getmetrics()]
    own_widths = 60.2, 55.0  # Menlo and fonts like it, Consolas
    for rule, own in zip(code_stand_in_faces(), own_widths, strict=True):
        found = [float(each) for each in re.findall(r"[\d.]+(?=%)", rule)]
        size, ascent, descent, _ = found
        assert size / 100 * own == pytest.approx(wide, rel=0.005)
        assert [size * each / 100 for each in (ascent, descent)] == pytest.approx(heights, abs=0.2)


def test_bold_text_has_a_stand_in_of_its_own() -> None:
    regular, bold = stand_in_faces("Geist")
    assert 'local("Arial")' in regular
    assert 'local("Arial Bold")' in bold
    assert "font-weight:550 900" in bold
