"""The site's logo in link preview images: a picture, or a drawing that is cheap to render.

Drawings come from repositories and are rendered by the service, so only those are accepted whose
cost is bounded: few shapes, gradients, masks and clips, without text, images, style sheets,
filters, patterns and dashed lines. An element of these takes at most about 10 ms.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from docstead.markup.svg import clean_svg
from docstead.theme.thumbnails import decoded_picture

if TYPE_CHECKING:
    from PIL import Image

    from docstead.base.elements import Element

_MOST_CHARACTERS = 200_000
_MOST_ELEMENTS = 200  # rendered, each as often as something refers to it
_MOST_LEVELS = 32
_UNSUPPORTED = re.compile(
    r"<(?:\w+:)?(?:style|image|text|foreignObject|filter|pattern)\b"
    r"|stroke-dasharray|<!ENTITY|<!DOCTYPE.*\[",
    re.S,
)
_WIDEST = 20  # width of a logo, in heights
_NUMBER = re.compile(r"-?\d*\.?\d+")
_LENGTH = re.compile(r"(\d++(?:\.\d++)?|\.\d++)(?:px)?")
_REFERENCE = re.compile(r"^#([\w.:-]+)$|url\([\"']?#([\w.:-]+)[\"']?\)")


def logo_image(data: bytes, width: int, height: int) -> Image.Image | None:
    """Return a logo that fits into this size, or None if it cannot be rendered."""
    is_drawing = b"<svg" in data[:4096]
    picture = _drawing(data, 2 * height) if is_drawing else decoded_picture(data, "RGBA")
    if picture is None or not picture.height:
        return None
    scale = min(width / picture.width, height / picture.height)
    size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
    return picture.resize(size)


def _drawing(data: bytes, height: int) -> Image.Image | None:
    from lxml import etree
    from PIL import Image
    from resvg_py import svg_to_bytes

    text = data.decode(errors="replace")
    if len(text) > _MOST_CHARACTERS or _UNSUPPORTED.search(text):
        return None
    drawing = clean_svg(text)
    root = etree.fromstring(drawing.encode()) if drawing else None
    if root is None or not _is_cheap(root) or not _resize(root, height):
        return None
    try:
        png = svg_to_bytes(svg_string=etree.tostring(root).decode(), skip_system_fonts=True)
    except ValueError:
        return None
    picture = Image.open(io.BytesIO(png), formats=("PNG",)).convert("RGBA")
    visible = picture.getbbox()
    return picture.crop(visible) if visible else None


def _resize(root: Element, height: int) -> bool:
    """Set the size of a drawing in pixels; report whether its own size is known and sensible."""
    lengths = [_LENGTH.fullmatch(str(root.get(name, ""))) for name in ("width", "height")]
    box = [float(each) for each in _NUMBER.findall(str(root.get("viewBox", "")))]
    own = [float(each[1]) for each in lengths if each]
    given = box[2:] if len(box) == len("xywh") else own
    if len(given) != len("wh") or min(given) <= 0 or not given[0] / given[1] <= _WIDEST:
        return False
    if not box:
        root.set("viewBox", f"0 0 {own[0]} {own[1]}")
    root.set("width", str(max(1, round(height * given[0] / given[1]))))
    root.set("height", str(height))
    return True


def _is_cheap(root: Element) -> bool:
    """Report whether few elements are rendered, with all that refer to each other."""
    from lxml import etree

    by_id = {str(element.get("id")): element for element in root.iter(etree.Element)}
    costs: dict[Element, int] = {}

    def cost(element: Element, level: int) -> int:
        if level > _MOST_LEVELS:
            return _MOST_ELEMENTS + 1
        if element not in costs:
            below = [*element, *(by_id[name] for name in _references(element) if name in by_id)]
            each_cost = (cost(each, level + 1) for each in below)
            costs[element] = min(_MOST_ELEMENTS + 1, 1 + sum(each_cost))
        return costs[element]

    return cost(root, 0) <= _MOST_ELEMENTS


def _references(element: Element) -> Iterator[str]:
    for value in element.attrib.values():
        for whole, part in _REFERENCE.findall(str(value)):
            yield whole or part
