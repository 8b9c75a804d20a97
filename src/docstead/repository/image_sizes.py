"""Sizes of images, read from the headers of their files.

Pages with sizes do not shift while images load. Unreadable files and drawings without an explicit
size are omitted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

from docstead.repository.parse_cache import ParseCache
from docstead.repository.positions import Diagnostics

Size = tuple[int, int]  # width and height in CSS pixels

_PICTURES = frozenset({"png", "gif", "jpg", "jpeg", "webp", "svg", "avif"})
_FORMATS = ("PNG", "GIF", "JPEG", "WEBP")
_LARGEST = 30_000
_COST = 200  # cost of one size in the cache, in characters
_TURNED = range(5, 9)  # rotated orientations
_HEAD_BYTES = 64 * 1024
_SVG_ROOT = re.compile(rb"<svg\b[^<>]*+>", re.IGNORECASE)
_LENGTH = rb"\s*+=\s*+[\"']\s*+([0-9]++(?:\.[0-9]++)?)\s*+(?:px\s*+)?[\"']"
_SVG_WIDTH = re.compile(rb"\swidth" + _LENGTH)
_SVG_HEIGHT = re.compile(rb"\sheight" + _LENGTH)
# Properties of an AVIF file (ISO/IEC 23008-12): size of an image or tile, and rotation.
_AVIF_SIZE = re.compile(rb"\0\0\0\x14ispe\0{4}(.{4})(.{4})", re.DOTALL)
_AVIF_TURNED = re.compile(rb"\0\0\0\x09irot[\x01\x03]")


def image_sizes(root: Path, files: Iterable[str], parse_cache: ParseCache) -> dict[str, Size]:
    """Return the sizes of a repository's images by path, as far as they are known."""
    pictures = (file for file in files if file.rpartition(".")[2].lower() in _PICTURES)
    sizes = ((file, _remembered(root / file, parse_cache)) for file in pictures)
    return {file: size for file, size in sizes if size}


def _remembered(path: Path, parse_cache: ParseCache) -> Size | None:
    try:
        status = path.stat()
        key = ("image", str(path), status.st_mtime_ns, status.st_size)
        return parse_cache.cached(key, partial(_read, path), Diagnostics(), characters=_COST)
    except OSError:
        return None


def _read(path: Path, _: Diagnostics) -> Size | None:
    size = _READERS.get(path.suffix.lower(), _photograph)(path)
    return size if size and all(0 < length <= _LARGEST for length in size) else None


def _photograph(path: Path) -> Size | None:
    from PIL import ExifTags, Image, UnidentifiedImageError, WebPImagePlugin  # noqa: F401

    # With these and WebP, Pillow supports all required formats and loads no others.
    Image.preinit()
    try:
        with Image.open(path, formats=_FORMATS) as picture:
            width, height = picture.size
            # Other formats need the whole image for its orientation.
            is_jpeg = picture.format == "JPEG"
            turn = picture.getexif().get(ExifTags.Base.Orientation) if is_jpeg else None
    except (UnidentifiedImageError, Image.DecompressionBombError, ValueError, SyntaxError):
        return None
    return (height, width) if turn in _TURNED else (width, height)


def _drawing(path: Path) -> Size | None:
    """Return the size of a drawing with an explicit size in pixels."""
    root = _SVG_ROOT.search(_head(path))
    if root is None:
        return None
    width, height = _SVG_WIDTH.search(root[0]), _SVG_HEIGHT.search(root[0])
    return (round(float(width[1])), round(float(height[1]))) if width and height else None


def _avif(path: Path) -> Size | None:
    """Return the largest size in an AVIF file: others are of tiles and previews."""
    head = _head(path)
    sizes = [(int.from_bytes(w), int.from_bytes(h)) for w, h in _AVIF_SIZE.findall(head)]
    width, height = max(sizes, default=(0, 0), key=lambda size: size[0] * size[1])
    return (height, width) if _AVIF_TURNED.search(head) else (width, height)


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_HEAD_BYTES)


_READERS: Mapping[str, Callable[[Path], Size | None]] = {".svg": _drawing, ".avif": _avif}
