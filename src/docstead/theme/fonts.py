"""Fonts of a site: shipped ones and the repository's own, never from a font service."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import msgspec

from docstead.base.decoders import json_decoder
from docstead.content.config import SHIPPED_FONTS
from docstead.content.slugs import repository_path
from docstead.content.style_settings import FontSettings, SiteFontSettings, is_font_weight
from docstead.markup.assets import FOLDER, BuiltAssets, hashed_name
from docstead.theme.stand_in_fonts import FONT_METRICS, code_stand_in_faces, stand_in_faces

_FORMATS = {"woff2": "woff2", "woff": "woff", "ttf": "truetype", "otf": "opentype"}
_QUOTED = str.maketrans(dict.fromkeys("\"'\\;{}<>()\n", ""))
#: Path from the shared style sheet to the root of the site.
UP = "../" * (FOLDER.count("/") + 1)
_MONO = "JetBrains Mono"
_MONOSPACED = re.compile(r"\b(mono|code|courier|consolas|menlo)", re.IGNORECASE)
_SERIF = re.compile(
    r"(?<!sans)(?<!sans )(?<!sans-)serif|slab|georgia|garamond|merriweather|playfair|lora\b"
    r"|newsreader|fraunces|baskerville|bodoni|caslon|crimson|literata|times|tiempos|bitter\b|spectral|cormorant|gelasio",
    re.IGNORECASE,
)


class ShippedFace(msgspec.Struct, frozen=True):
    """A file of a shipped font.

    `range` are its characters, as CSS `unicode-range`; `weight` is one, or the first and last of a
    variable font.
    """

    family: str
    file: str
    range: str
    weight: str = "100 900"

    @property
    def is_variable(self) -> bool:
        return " " in self.weight


_FACES = json_decoder(list[ShippedFace])


@dataclass(frozen=True, slots=True)
class SiteFonts:
    """`css` refers to the files by hashed names; `files` contains the shipped ones."""

    css: str
    files: Mapping[str, bytes]
    first: tuple[str, ...] = ()  # files needed by nearly every page


def site_fonts(fonts: SiteFontSettings, built: BuiltAssets, assets: Collection[str]) -> SiteFonts:
    """Return the fonts of a site with these settings (docs/guides/reading.mdx).

    Raises:
        AssetsMissing: a shipped font is missing.
    """
    body, heading = fonts.text, fonts.headings
    own = dict.fromkeys(face for font in (body, heading) if (face := _own_face(font, assets)))
    used = {_MONO, *(_shipped(font) for font in (body, heading)), _shipped(FontSettings())}
    files: dict[str, bytes] = {}
    faces = [_face(each, built, files) for each in shipped_faces(built) if each.family in used]
    rules = "".join((*_rules("sans", body), *_rules("heading", heading)))
    first = dict.fromkeys(
        path
        for font, weight in ((body, 400), (heading, 600))
        if (path := _own_file(font, assets) or _latin_file(font, weight, files))
    )
    stand_ins = [
        rule for family in FONT_METRICS if family in used for rule in stand_in_faces(family)
    ]
    css = "".join((*stand_ins, *code_stand_in_faces(), *faces, *own, rules))
    return SiteFonts(css, files, tuple(first))


def shipped_faces(built: BuiltAssets) -> list[ShippedFace]:
    """Return all shipped font files. Raises `AssetsMissing`."""
    return _FACES.decode(built.read("fonts/fonts.json"))


def _face(face: ShippedFace, built: BuiltAssets, files: dict[str, bytes]) -> str:
    data = built.read(f"fonts/{face.file}")
    path = hashed_name(face.file, data)
    files[path] = data
    return (
        f'@font-face{{font-family:"{face.family}";font-display:optional;font-weight:{face.weight};'
        f'src:url("{path.rpartition("/")[2]}") format("woff2");unicode-range:{face.range}}}\n'
    )


def _rules(name: str, font: FontSettings) -> Iterator[str]:
    family = font.family.translate(_QUOTED)
    if family:
        yield f':root{{--ds-font-{name}:"{family}",{_stand_in(family)}}}\n'
    if is_font_weight(font.weight):
        yield f":root{{--ds-weight-{name}:{font.weight}}}\n"


def _stand_in(family: str) -> str:
    """Return fallback fonts for readers without this font."""
    if _MONOSPACED.search(family):
        return f'"{_MONO}",ui-monospace,monospace'
    known = f'"{shipped} Fallback",' if (shipped := _shipped_as(family)) in FONT_METRICS else ""
    if _SERIF.search(family):
        return f"{known}ui-serif,Charter,Georgia,serif"
    return f'{known}"Inter",var(--ds-font-system)'


def _shipped(font: FontSettings) -> str:
    """Return the shipped family of a font setting, or the default one."""
    return _shipped_as(font.family) or "Inter"


def _shipped_as(family: str) -> str | None:
    return SHIPPED_FONTS.get(family.lower())


def _latin_file(font: FontSettings, weight: int, files: Collection[str]) -> str | None:
    """Return the path of a shipped font's Latin letters."""
    stem = _shipped(font).lower().replace(" ", "-")
    names = f"/{stem}-latin.", f"/{stem}-latin-{weight}."
    return next((path for path in files if any(name in path for name in names)), None)


def _own_file(font: FontSettings, assets: Collection[str]) -> str:
    """Return the path of a font that the repository contains."""
    source = repository_path(font.source.translate(_QUOTED))
    is_missing = not source or (assets and source not in assets) or "://" in source
    return "" if is_missing or not font.family.translate(_QUOTED) else source


def _own_face(font: FontSettings, assets: Collection[str]) -> str:
    source, family = _own_file(font, assets), font.family.translate(_QUOTED)
    if not source:
        return ""
    written = font.format or source.rpartition(".")[2]
    kind = _FORMATS.get(written, "woff2")
    return (
        f'@font-face{{font-family:"{family}";font-display:optional;font-weight:100 900;'
        f'src:url("{UP}{source}") format("{kind}")}}\n'
    )
