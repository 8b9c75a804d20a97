"""Fonts of previews, embedded only if a page contains characters of them."""

from __future__ import annotations

import base64
import posixpath
import re
from collections.abc import Callable

_FACE = re.compile(r"@font-face\s*+\{[^{}]*\}")
_URL = re.compile(r"url\(\s*+[\"']?([^\"'()]++)[\"']?\s*\)")
_RANGES = re.compile(r"unicode-range:\s*([^;}]+)")
_RANGE = re.compile(r"U\+([0-9A-F]{1,6})(?:-([0-9A-F]{1,6}))?", re.IGNORECASE)
_FONT_BYTES = 1_048_576  # per file; larger ones are omitted
_TYPES = {".woff2": "font/woff2", ".woff": "font/woff", ".ttf": "font/ttf", ".otf": "font/otf"}

ReadFile = Callable[[str], bytes | None]


def with_fonts(style: str, path: str, letters: frozenset[str], read: ReadFile) -> str:
    """Return a style sheet with its fonts embedded.

    `path` is that of the style sheet, `read` returns the bytes of a file of the site.
    """

    def face(match: re.Match[str]) -> str:
        ranges = _RANGES.search(match[0])
        if ranges and not _has_any(ranges[1], letters):
            return ""
        return _URL.sub(lambda url: f'url("{_font(url[1], path, read)}")', match[0])

    return _FACE.sub(face, style)


def _font(url: str, path: str, read: ReadFile) -> str:
    if url.startswith(("data:font/", "data:application/")):
        return url
    name = posixpath.normpath(posixpath.join(posixpath.dirname(path), url.partition("?")[0]))
    kind = _TYPES.get(posixpath.splitext(name)[1].lower())
    data = read(name) if kind and "://" not in url else None
    if data is None or len(data) > _FONT_BYTES:
        return "data:,"
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def _has_any(ranges: str, letters: frozenset[str]) -> bool:
    bounds = [(int(a, 16), int(b or a, 16)) for a, b in _RANGE.findall(ranges)]
    return any(start <= ord(letter) <= end for letter in letters for start, end in bounds)
