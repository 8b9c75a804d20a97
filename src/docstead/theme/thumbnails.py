"""Rendering of link preview images (Open Graph).

They are reproducible: rendered on request from texts, settings, fonts and colors of the site. Texts
with characters that no shipped font contains are replaced by the site's name.
"""

from __future__ import annotations

import io
import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from docstead.content.config import SHIPPED_FONTS, SiteConfig
from docstead.content.written_settings import members
from docstead.markup.assets import BuiltAssets
from docstead.theme.colors.colors import color_variables
from docstead.theme.fonts import ShippedFace, shipped_faces

if TYPE_CHECKING:
    from PIL import Image, ImageDraw
    from PIL.ImageFont import FreeTypeFont

SIZE = (1200, 630)
_MARGIN = 88
_WIDTH = SIZE[0] - 2 * _MARGIN
_QUALITY = 88
#: Largest size of a logo.
LOGO_SIZE = (_WIDTH // 2, 60)
_LOGO_TOP = 84
_MOST_PIXELS = 24_000_000  # maximum pixels of a background, to limit memory
_VARIABLE = re.compile(r"--ds-([a-z-]+):(#[0-9a-f]{6})")
_RANGE = re.compile(r"U\+([0-9A-Fa-f]+)(?:-([0-9A-Fa-f]+))?")
_TOP = 210
_TITLE_LINES, _NOTE_LINES = 3, 2
_MOST_CHARACTERS = 1_000  # maximum characters, in the narrowest font
_SHADE = 0.78  # opacity of the page's color over a background


@dataclass(frozen=True, slots=True)
class _ThumbnailStyle:
    size: int
    weight: int
    color: str


_INITIAL = _ThumbnailStyle(36, 700, "primary-fg")
_NAME = _ThumbnailStyle(32, 600, "fg")
_PART = _ThumbnailStyle(28, 600, "primary")
_TITLES = (
    _ThumbnailStyle(76, 700, "fg"),
    _ThumbnailStyle(64, 700, "fg"),
    _ThumbnailStyle(54, 700, "fg"),
)
_NOTE = _ThumbnailStyle(30, 400, "fg-muted")


@dataclass(frozen=True, slots=True)
class ThumbnailText:
    """Texts of a preview image: title, group and description of a page."""

    title: str
    part: str = ""
    note: str = ""


class ThumbnailRenderer:
    """Renders the images of a site. `background` is an image of `SIZE`, `logo` of `LOGO_SIZE`."""

    def __init__(
        self,
        config: SiteConfig,
        built: BuiltAssets,
        background: Image.Image | None = None,
        logo: Image.Image | None = None,
    ) -> None:
        self._config = config
        self._built = built
        self._given = background
        self._logo = logo

    def render(self, words: ThumbnailText) -> bytes:
        """Return a JPEG of `SIZE`."""
        from PIL import ImageDraw

        picture = self._background.copy()
        if self._logo is not None:
            middle = _LOGO_TOP + (LOGO_SIZE[1] - self._logo.height) // 2
            picture.paste(self._logo, (_MARGIN, middle), self._logo)
        self._write(ImageDraw.Draw(picture), words)
        data = io.BytesIO()
        picture.save(data, "JPEG", quality=_QUALITY, subsampling=0)
        return data.getvalue()

    def _write(self, canvas: ImageDraw.ImageDraw, words: ThumbnailText) -> None:
        name, title = self._written(self._config.name), self._written(words.title)
        part, note = self._written(words.part), self._written(words.note)
        if self._logo is None:
            self._head(canvas, name if title != name else "")
        top = _TOP if part else _TOP - 30
        self._line(canvas, (_MARGIN, top), part, _PART)
        top += 52
        style, lines = self._title(title or name)
        for line in lines:
            self._line(canvas, (_MARGIN, top), line, style)
            top += round(style.size * 1.18)
        top += 12
        for line in _wrapped(self._type(_NOTE), note, _NOTE_LINES):
            self._line(canvas, (_MARGIN, top), line, _NOTE)
            top += 44

    def _head(self, canvas: ImageDraw.ImageDraw, name: str) -> None:
        """Draw the site's initial in its color, and its name."""
        box = (_MARGIN, 84, _MARGIN + 60, 144)
        canvas.rounded_rectangle(box, 15, fill=self._colors["primary"])
        letter = next((each for each in self._config.name if each.isalnum()), "D").upper()
        left = _MARGIN + 30 - self._type(_INITIAL).length(letter) / 2
        self._line(canvas, (left, 93), self._written(letter), _INITIAL)
        self._line(canvas, (_MARGIN + 80, 94), name, _NAME)

    def _title(self, title: str) -> tuple[_ThumbnailStyle, list[str]]:
        """Return the title in the largest font size with which it fits."""
        for style in _TITLES:
            lines = _wrapped(self._type(style), title, _TITLE_LINES)
            if len(lines) < _TITLE_LINES:
                break
        return style, lines

    def _line(
        self,
        canvas: ImageDraw.ImageDraw,
        at: tuple[float, float],
        text: str,
        style: _ThumbnailStyle,
    ) -> None:
        face = self._type(style)
        for line in _wrapped(face, text, 1):
            face.write(canvas, at, line, self._colors[style.color])

    def _written(self, text: str) -> str:
        """Return the text, truncated, or "" if no shipped font contains one of its characters."""
        text = text[:_MOST_CHARACTERS]
        known = all(each.isspace() or self._faces.face_of(each) for each in text)
        return text if known else ""

    def _type(self, style: _ThumbnailStyle) -> _FontStack:
        return self._faces.at(style.size, style.weight)

    @cached_property
    def _faces(self) -> _FontFaces:
        family = members(members(self._config.extra.thumbnails).get("fonts")).get("family")
        given = family or self._config.fonts.family or ""
        return _FontFaces(self._built, SHIPPED_FONTS.get(str(given).lower(), "Inter"))

    @cached_property
    def _colors(self) -> dict[str, str]:
        both = color_variables(self._config.colors, self._config.background)
        return dict(_VARIABLE.findall(both[is_dark(self._config)]))

    @cached_property
    def _background(self) -> Image.Image:
        from PIL import Image, ImageDraw

        paper = Image.new("RGB", SIZE, self._colors["bg"])
        if self._given is not None:
            paper = Image.blend(self._given, paper, _SHADE)
        canvas = ImageDraw.Draw(paper)
        canvas.rectangle((0, SIZE[1] - 14, SIZE[0], SIZE[1]), fill=self._colors["primary"])
        return paper


def is_dark(config: SiteConfig) -> bool:
    """Report whether the images of a site are dark."""
    chosen = members(config.extra.thumbnails).get("appearance")
    return (chosen or config.appearance.default) == "dark"


_FaceRanges = tuple[ShippedFace, tuple[tuple[int, int], ...]]


class _FontFaces:
    """Font faces of a family with their characters."""

    def __init__(self, built: BuiltAssets, family: str) -> None:
        self._built = built
        faces = [face for face in shipped_faces(built) if face.family == family]
        self._ranges = [(face, _ranges(face)) for face in faces]
        self._sorted: dict[int, list[_FaceRanges]] = {}
        self._types: dict[tuple[int, int], _FontStack] = {}

    def face_of(self, character: str, weight: int = 400) -> ShippedFace | None:
        """Return the face for a character nearest to the weight, or None."""
        code = ord(character)
        for face, ranges in self._nearest(weight):
            if any(first <= code <= last for first, last in ranges):
                return face
        return None

    def _nearest(self, weight: int) -> list[_FaceRanges]:
        if weight not in self._sorted:
            self._sorted[weight] = sorted(
                self._ranges, key=lambda each: _weight_distance(each[0], weight)
            )
        return self._sorted[weight]

    def at(self, size: int, weight: int) -> _FontStack:
        if (size, weight) not in self._types:
            self._types[size, weight] = _FontStack(self, size, weight)
        return self._types[size, weight]

    def read(self, file: str) -> bytes:
        return self._built.read(f"fonts/{file}")


class _FontStack:
    """A font size and weight."""

    def __init__(self, faces: _FontFaces, size: int, weight: int) -> None:
        self._faces = faces
        self._size = size
        self._weight = weight
        self._fonts: dict[str, FreeTypeFont] = {}

    def length(self, text: str) -> float:
        return sum(font.getlength(part) for font, part in self._runs(text))

    def write(
        self, canvas: ImageDraw.ImageDraw, at: tuple[float, float], text: str, color: str
    ) -> None:
        left, top = at
        for font, part in self._runs(text):
            canvas.text((left, top), part, color, font)
            left += font.getlength(part)

    def _runs(self, text: str) -> list[tuple[FreeTypeFont, str]]:
        """Split a text into runs with the same font file."""
        runs: list[tuple[ShippedFace, str]] = []
        for each in text:
            face = self._faces.face_of(each, self._weight) or (runs[-1][0] if runs else None)
            if runs and (runs[-1][0] == face or each.isspace()):
                runs[-1] = (runs[-1][0], runs[-1][1] + each)
            elif face:
                runs.append((face, each))
        return [(self._font(face), part) for face, part in runs]

    def _font(self, face: ShippedFace) -> FreeTypeFont:
        if face.file not in self._fonts:
            from PIL import ImageFont

            font = ImageFont.truetype(io.BytesIO(self._faces.read(face.file)), self._size)
            if face.is_variable:
                font.set_variation_by_axes([self._weight])
            self._fonts[face.file] = font
        return self._fonts[face.file]


def _weight_distance(face: ShippedFace, weight: int) -> int:
    return 0 if face.is_variable else abs(int(face.weight) - weight)


def _wrapped(face: _FontStack, text: str, most: int) -> list[str]:
    """Wrap a text to at most this many lines, with an ellipsis."""
    lines: list[str] = []
    for word in text.split():
        if lines and face.length(f"{lines[-1]} {word}") <= _WIDTH:
            lines[-1] += f" {word}"
        elif len(lines) == most:
            lines[-1] = _shortened(face, f"{lines[-1]} …")
            break
        else:
            lines.append(_shortened(face, word))
    return lines


def _shortened(face: _FontStack, line: str) -> str:
    """Truncate a line to fit."""
    if face.length(line) <= _WIDTH:
        return line
    whole = line.removesuffix("…")

    def width(letters: int) -> float:
        return face.length(f"{whole[:letters].rstrip()}…")

    fitting = bisect_right(range(len(whole)), float(_WIDTH), lo=1, key=width) - 1
    return f"{whole[: max(1, fitting)].rstrip()}…"


def fitted(data: bytes) -> Image.Image | None:
    """Return a repository's image in `SIZE`; None for unknown formats and huge images."""
    from PIL import ImageOps

    picture = decoded_picture(data, "RGB")
    return ImageOps.fit(picture, SIZE) if picture else None


def decoded_picture(data: bytes, mode: str) -> Image.Image | None:
    """Return a repository's image in a mode of Pillow; None for unknown formats and huge images."""
    from PIL import Image

    try:
        picture = Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "WEBP", "GIF"))
        if picture.width * picture.height > _MOST_PIXELS:
            return None
        return picture.convert(mode)
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        return None


@lru_cache(maxsize=32)
def _ranges(face: ShippedFace) -> tuple[tuple[int, int], ...]:
    found = _RANGE.findall(face.range)
    return tuple((int(first, 16), int(last or first, 16)) for first, last in found)
