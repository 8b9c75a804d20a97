"""Logos, favicons and fonts of other hosts: fetched, checked and stored in the edition.

The edition has their bytes, so a later build without a network takes them from the previous one.
"""

from __future__ import annotations

import hashlib
import io
import re
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from docstead.base.errors import DocsteadError, Unavailable
from docstead.repository.remote_assets import AssetKind

#: Folder of fetched files in a site.
REMOTE_FOLDER = "_fetched"
_NAME_CHARACTERS = 16  # of the digest, in the name of a file
_MAGIC: Mapping[AssetKind, tuple[tuple[bytes, str], ...]] = {
    AssetKind.PICTURE: (
        (b"\x89PNG\r\n\x1a\n", "png"),
        (b"\xff\xd8\xff", "jpg"),
        (b"GIF8", "gif"),
        (b"RIFF", "webp"),
        (b"\0\0\1\0", "ico"),
    ),
    AssetKind.FONT: (
        (b"wOF2", "woff2"),
        (b"wOFF", "woff"),
        (b"OTTO", "otf"),
        (b"\0\1\0\0", "ttf"),
        (b"true", "ttf"),
    ),
}
_FORMATS = {"png": "PNG", "jpg": "JPEG", "gif": "GIF", "webp": "WEBP", "ico": "ICO"}
_MOST_PIXELS = 25_000_000
_WEB_FONT_LENGTH = slice(8, 12)  # https://www.w3.org/TR/WOFF2/#woff20Header
_TABLES_FROM, _TABLE_BYTES = 12, 16  # https://learn.microsoft.com/typography/opentype/spec/otff
_ACTIVE = frozenset({"script", "foreignobject", "iframe", "embed", "object", "handler", "listener"})
_SCRIPT_URL = re.compile(r"\s*(?:javascript|vbscript|data:text/html)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FetchedFile:
    """A file of another host, as an edition holds it."""

    url: str
    path: str  # in the site, without a leading slash
    data: bytes

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


class RemoteAssetReader:
    """Reads the files that one build needs.

    `fetch` returns the bytes at a URL. Where it raises, the file of the same URL in `previous`,
    the files of the previous edition, is used.
    """

    def __init__(
        self, fetch: Callable[[str], bytes], previous: Mapping[str, FetchedFile] | None = None
    ) -> None:
        self._fetch = fetch
        self._previous = previous or {}
        self.files: dict[str, FetchedFile] = {}  # by URL

    def read(self, url: str, kind: AssetKind) -> str:
        """Return the path in the site of the file at a URL.

        Raises:
            DocsteadError: it cannot be fetched or is not of this kind, and the previous edition
                does not have it.
        """
        try:
            self.files[url] = _checked(url, self._fetch(url), kind)
        except DocsteadError:
            if url not in self._previous:
                raise
            known = self._previous[url]
            self.files[url] = _checked(url, known.data, kind)
        return self.files[url].path


def _checked(url: str, data: bytes, kind: AssetKind) -> FetchedFile:
    suffix = suffix_of(data, kind)
    digest = hashlib.sha256(data).hexdigest()[:_NAME_CHARACTERS]
    return FetchedFile(url, f"{REMOTE_FOLDER}/{digest}.{suffix}", data)


def suffix_of(data: bytes, kind: AssetKind) -> str:
    """Return the suffix of a picture or font by its content. Raises Unavailable if it is none."""
    found = next((suffix for magic, suffix in _MAGIC[kind] if data.startswith(magic)), "")
    if found in _FORMATS and _is_picture(data, _FORMATS[found]):
        return found
    if kind is AssetKind.FONT and found and _is_font(data, found):
        return found
    if kind is AssetKind.PICTURE and not found and _is_drawing(data):
        return "svg"
    raise Unavailable(f"it is not a {kind}")


def _is_picture(data: bytes, kind: str) -> bool:
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data), formats=(kind,)) as picture:
            if picture.width * picture.height > _MOST_PIXELS:
                raise Unavailable("it has too many pixels")
            picture.verify()
    except (OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError):
        return False
    return True


def _is_drawing(data: bytes) -> bool:
    """Whether this is an SVG; raises Unavailable for one with scripts."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        return False
    if _name(root.tag) != "svg":
        return False
    if any(map(_is_active, root.iter(etree.Element))):
        raise Unavailable("it is an SVG with scripts or other documents in it")
    return True


def _is_active(element: object) -> bool:
    tag, attributes = getattr(element, "tag", ""), getattr(element, "attrib", {})
    return _name(tag) in _ACTIVE or any(
        _name(key).startswith("on") or _SCRIPT_URL.match(str(value))
        for key, value in attributes.items()
    )


def _name(tag: object) -> str:
    return str(tag).rpartition("}")[2].rpartition(":")[2].lower()


def _is_font(data: bytes, suffix: str) -> bool:
    """Whether the lengths that its header names are those of the file."""
    try:
        if suffix.startswith("woff"):
            return bool(struct.unpack(">I", data[_WEB_FONT_LENGTH]) == (len(data),))
        (count,) = struct.unpack_from(">H", data, 4)
        places = (_TABLES_FROM + _TABLE_BYTES * number + 8 for number in range(count))
        tables = [struct.unpack_from(">II", data, position) for position in places]
    except struct.error:
        return False
    return bool(tables) and all(offset + size <= len(data) for offset, size in tables)
