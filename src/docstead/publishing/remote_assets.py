"""Logos, favicons and fonts of other hosts: fetched, validated and stored in the edition.

A later build without network access takes them from the previous edition.
"""

from __future__ import annotations

import hashlib
import io
import re
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from docstead.base.errors import DocsteadError, Unavailable
from docstead.repository.remote_assets import AssetKind

if TYPE_CHECKING:
    from docstead.base.elements import Element

#: Folder of fetched files in a site.
REMOTE_FOLDER = "_fetched"
_NAME_CHARACTERS = 16  # characters of the digest in a file name
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
_AVIF, _AVIF_BRAND = b"ftypavif", slice(4, 12)
_FORMATS = {
    "png": "PNG", "jpg": "JPEG", "gif": "GIF", "webp": "WEBP", "ico": "ICO", "avif": "AVIF"
}  # fmt: skip
_MOST_PIXELS = 25_000_000
_WEB_FONT_LENGTH = slice(8, 12)  # https://www.w3.org/TR/WOFF2/#woff20Header
_TABLES_FROM, _TABLE_BYTES = 12, 16  # https://learn.microsoft.com/typography/opentype/spec/otff
_ACTIVE = frozenset({"script", "foreignobject", "iframe", "embed", "object", "handler", "listener"})
_XHTML = "{http://www.w3.org/1999/xhtml}"
_SCRIPT_URL = re.compile(r"(?:^|;)(?:javascript|vbscript|data:text/html)", re.IGNORECASE)
_IGNORED = re.compile(r"[\x00-\x20]+")  # in URLs, https://url.spec.whatwg.org/#url-parsing


@dataclass(frozen=True, slots=True)
class FetchedFile:
    """A file of another host, as stored in an edition."""

    url: str
    path: str  # in the site, without a leading slash
    data: bytes

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


class RemoteAssetReader:
    """Reads the remote files that a build needs.

    `fetch` returns the bytes at a URL. If it fails, the file with the same URL in `previous`, the
    files of the previous edition, is used.
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
            DocsteadError: it cannot be fetched or is of the wrong kind, and the previous edition
                does not contain it.
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
    data = _without_prolog(data) if suffix == "svg" else data
    digest = hashlib.sha256(data).hexdigest()[:_NAME_CHARACTERS]
    return FetchedFile(url, f"{REMOTE_FOLDER}/{digest}.{suffix}", data)


def suffix_of(data: bytes, kind: AssetKind) -> str:
    """Return the suffix of an image or font, detected from its content.

    Raises:
        Unavailable: the content is of neither kind.
    """
    found = next((suffix for magic, suffix in _MAGIC[kind] if data.startswith(magic)), "")
    if kind is AssetKind.PICTURE and data[_AVIF_BRAND] == _AVIF:
        found = "avif"
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
    """Report whether the content is an SVG.

    Raises:
        Unavailable: it is an SVG with scripts.
    """
    from lxml import etree

    try:
        root = _drawing(data)
    except (etree.XMLSyntaxError, ValueError):
        return False
    if _name(root.tag) != "svg":
        return False
    if any(map(_is_active, root.iter(etree.Element))):
        raise Unavailable("it is an SVG that contains scripts or other documents")
    return True


def _without_prolog(data: bytes) -> bytes:
    """Return a drawing as it was checked, without style sheets, entities and default attributes.

    A browser applies those of its prolog where the drawing is the document.
    """
    from lxml import etree

    root = _drawing(data)
    has_prolog = (
        root.getroottree().docinfo.internalDTD is not None or root.getprevious() is not None
    )
    return etree.tostring(root, encoding="utf-8", xml_declaration=True) if has_prolog else data


def _drawing(data: bytes) -> Element:
    """Return the root of a drawing, with its own entities resolved."""
    from lxml import etree

    entities: Any = "internal"  # which the types of the library do not know yet
    return etree.fromstring(data, etree.XMLParser(resolve_entities=entities, no_network=True))


def _is_active(element: Element) -> bool:
    tag = str(element.tag)
    return (
        tag.startswith(_XHTML)
        or _name(tag) in _ACTIVE
        or any(
            _name(key).startswith("on") or _is_event(key, value) or _has_script_url(str(value))
            for key, value in element.items()
        )
    )


def _is_event(key: object, value: object) -> bool:
    """Whether an animation sets the attribute of an event."""
    return _name(key) == "attributename" and _name(value).startswith("on")


def _has_script_url(value: str) -> bool:
    return _SCRIPT_URL.search(_IGNORED.sub("", value)) is not None


def _name(tag: object) -> str:
    return str(tag).rpartition("}")[2].rpartition(":")[2].lower()


def _is_font(data: bytes, suffix: str) -> bool:
    """Report whether the lengths in a font's header match the file."""
    try:
        if suffix.startswith("woff"):
            return bool(struct.unpack(">I", data[_WEB_FONT_LENGTH]) == (len(data),))
        (count,) = struct.unpack_from(">H", data, 4)
        offsets = (_TABLES_FROM + _TABLE_BYTES * number + 8 for number in range(count))
        tables = [struct.unpack_from(">II", data, position) for position in offsets]
    except struct.error:
        return False
    return bool(tables) and all(offset + size <= len(data) for offset, size in tables)
