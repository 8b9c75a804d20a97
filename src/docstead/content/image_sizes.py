"""How large pictures are, from the first bytes of their files.

A page that says so keeps its place while a picture is still loading. What cannot be told
cheaply (a drawing without a size of its own, an odd file) is left out: pictures are then
shown as before.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from docstead.content.memory import Memory
from docstead.content.places import Faults

Size = tuple[int, int]  # width and height in CSS pixels

_READ_BYTES = 64 * 1024  # a photograph may carry a profile and a preview before its size
_LARGEST = 30_000
_COST = 200  # of one size in the memory, in characters
_SVG_ROOT = re.compile(rb"<svg\b[^>]*>", re.IGNORECASE)
_LENGTH = rb"\s*=\s*[\"']\s*([0-9]+(?:\.[0-9]+)?)\s*(?:px)?\s*[\"']"
_SVG_WIDTH = re.compile(rb"\swidth" + _LENGTH)
_SVG_HEIGHT = re.compile(rb"\sheight" + _LENGTH)
_WITHOUT_FRAME = (0x01, *range(0xD0, 0xDA))  # JPEG markers that no length follows
_FRAMES = frozenset((*range(0xC0, 0xD0),)) - {0xC4, 0xC8, 0xCC}
_ORIENTATION, _TURNED = 0x0112, range(5, 9)


def image_sizes(root: Path, files: Iterable[str], memory: Memory) -> dict[str, Size]:
    """The sizes of those pictures of a repository that have one, by path."""
    found: dict[str, Size] = {}
    for file in files:
        read = _READERS.get(file.rpartition(".")[2].lower())
        if read is not None and (size := _of_file(root / file, read, memory)):
            found[file] = size
    return found


def _of_file(path: Path, read: Callable[[bytes], Size | None], memory: Memory) -> Size | None:
    try:
        status = path.stat()
        key = ("image", str(path), status.st_mtime_ns, status.st_size)
        return memory.recall(key, partial(_read, path, read), Faults(), characters=_COST)
    except OSError:
        return None


def _read(path: Path, read: Callable[[bytes], Size | None], _: Faults) -> Size | None:
    with path.open("rb") as file:
        head = file.read(_READ_BYTES)
    try:
        size = read(head)
    except (struct.error, ValueError, IndexError):
        return None
    return size if size and all(0 < side <= _LARGEST for side in size) else None


def _png(head: bytes) -> Size | None:
    is_png = head.startswith(b"\x89PNG\r\n\x1a\n") and head[12:16] == b"IHDR"
    return _pair(">II", head, 16) if is_png else None


def _gif(head: bytes) -> Size | None:
    return _pair("<HH", head, 6) if head[:6] in (b"GIF87a", b"GIF89a") else None


def _webp(head: bytes) -> Size | None:
    if head[:4] != b"RIFF" or head[8:12] != b"WEBP":
        return None
    match head[12:16]:
        case b"VP8 ":
            width, height = _pair("<HH", head, 26)
            return width & 0x3FFF, height & 0x3FFF
        case b"VP8L":
            (bits,) = struct.unpack_from("<I", head, 21)
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8X":
            wide, high = head[24:27], head[27:30]
            return int.from_bytes(wide, "little") + 1, int.from_bytes(high, "little") + 1
    return None


def _jpeg(head: bytes) -> Size | None:
    is_turned = False
    for marker, start, end in _segments(head):
        if marker in _FRAMES:
            height, width = _pair(">HH", head, start + 1)
            return (height, width) if is_turned else (width, height)
        if marker == 0xE1 and head[start : start + 6] == b"Exif\0\0":  # noqa: PLR2004 - APP1
            is_turned = _orientation(head[start + 6 : end]) in _TURNED
    return None


def _segments(head: bytes) -> Iterator[tuple[int, int, int]]:
    """Marker, begin and end of the data of each segment."""
    at = 2 if head.startswith(b"\xff\xd8") else len(head)
    while at + 4 <= len(head) and head[at] == 0xFF:  # noqa: PLR2004 - begins every marker
        marker = head[at + 1]
        if marker in (0xFF, *_WITHOUT_FRAME):
            at += 1 if marker == 0xFF else 2  # noqa: PLR2004
            continue
        (length,) = struct.unpack_from(">H", head, at + 2)
        yield marker, at + 4, at + 2 + length
        at += 2 + length


def _orientation(exif: bytes) -> int:
    """How the camera was held; 1 is upright (Exif 2.3, "Orientation")."""
    order = "<" if exif[:2] == b"II" else ">"
    (first,) = struct.unpack_from(f"{order}I", exif, 4)
    (count,) = struct.unpack_from(f"{order}H", exif, first)
    for number in range(min(count, 100)):
        entry = first + 2 + 12 * number
        tag, value = struct.unpack_from(f"{order}H6xH", exif, entry)
        if tag == _ORIENTATION:
            return int(value)
    return 1


def _svg(head: bytes) -> Size | None:
    """Only a drawing that says its size in pixels has one of its own."""
    root = _SVG_ROOT.search(head)
    if root is None:
        return None
    width, height = _SVG_WIDTH.search(root[0]), _SVG_HEIGHT.search(root[0])
    return (round(float(width[1])), round(float(height[1]))) if width and height else None


def _pair(form: str, head: bytes, at: int) -> Size:
    first, second = struct.unpack_from(form, head, at)
    return first, second


_READERS = {
    "png": _png, "gif": _gif, "jpg": _jpeg, "jpeg": _jpeg, "webp": _webp, "svg": _svg,
}  # fmt: skip
