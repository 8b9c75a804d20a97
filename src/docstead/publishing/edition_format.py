"""File format of an edition: tables, values and encoding.

    facts     format, commit, digest, site, diagnostics   JSON, zlib
              utilities: class names, their style sheet
              fetched: files of other hosts with contents; absent if there are none
    pages     slug -> page key, failed, rendered page     JSON, zlib
    assets    path -> SHA-256, size, media type           contents are separate objects
    files     path -> SHA-256 of every source file        to find what an update changed
    search    file name -> contents of the search index
    notes     slug -> page metadata for the next build    JSON

Short-lived editions contain MessagePack after a zero byte instead of zlib-compressed JSON, which
takes a quarter of the time to write and read.

New formats get a new number; readers reject unknown numbers.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass, is_dataclass
from typing import Any, Generic, Protocol, TypeVar, cast, get_args, get_type_hints

import msgspec

from docstead.base.decoders import Decoder, Encoded, converted, json_decoder, msgpack_decoder
from docstead.base.errors import SourceUnreadable, Unavailable
from docstead.base.texts import without_lone_surrogates
from docstead.base.units import MIB
from docstead.content.diagnostics import Diagnostic
from docstead.content.pages import Site
from docstead.content.style_settings import (
    BackgroundSettings,
    SiteFontSettings,
    StylingSettings,
)
from docstead.markup.rendered import RenderedPage
from docstead.publishing.page_notes import PageNotes
from docstead.publishing.remote_assets import FetchedFile

FORMAT = 3

VALUE_LIMIT_BYTES = 128 * MIB  # of a page, or of all metadata of a site
_LIMIT = f"{VALUE_LIMIT_BYTES // MIB} MB"
_QUICK = 1  # zlib level: a fifth larger than by default, in a third of the time
_PLAIN = b"\0"  # first byte of uncompressed values; zlib starts differently

TABLES = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE pages (
    slug TEXT PRIMARY KEY, position INTEGER NOT NULL, key TEXT NOT NULL,
    failed INTEGER NOT NULL, classes TEXT NOT NULL, features TEXT NOT NULL, value BLOB NOT NULL
);
CREATE TABLE assets (
    path TEXT PRIMARY KEY, sha256 TEXT NOT NULL, size INTEGER NOT NULL, type TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE files (path TEXT PRIMARY KEY, sha256 TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE search (name TEXT PRIMARY KEY, value BLOB NOT NULL);
CREATE TABLE notes (slug TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
"""

SCHEMA = frozenset(each.strip() for each in TABLES.split(";") if each.strip())

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class DamagedEditionError(Unavailable):
    """The edition's file is damaged or was written by an incompatible version."""


@dataclass(frozen=True, slots=True)
class StoredAsset:
    """A static file of the repository; its contents are the object `object_key`."""

    path: str  # relative to the root of the repository
    sha256: str
    size_bytes: int
    content_type: str

    @property
    def object_key(self) -> str:
        return asset_key(self.sha256)


def asset_key(sha256: str) -> str:
    return f"assets/{sha256}"


@dataclass(frozen=True, slots=True)
class UtilityStyles:
    """Classes of all pages, and the style sheet of the utility classes among them."""

    names: tuple[str, ...] = ()  # sorted
    css: str = ""


NO_UTILITIES = UtilityStyles()


def _decompressed(data: bytes) -> bytes:
    """Decompress a value, limited to the allowed size."""
    unpacking = zlib.decompressobj()
    found = unpacking.decompress(data, VALUE_LIMIT_BYTES)
    if not unpacking.eof:
        raise DamagedEditionError(f"a value of the edition is truncated or over {_LIMIT}")
    return found


class _ValueDecoder(Protocol[T_co]):
    def decode(self, data: Encoded) -> T_co: ...


@dataclass(frozen=True, slots=True)
class PackedDecoder(Generic[T]):
    """Decoders of a type of stored values: zlib-compressed JSON, or a zero byte and MessagePack."""

    json: _ValueDecoder[T]
    msgpack: _ValueDecoder[T]

    def unpack(self, data: bytes) -> T:
        try:
            if data.startswith(_PLAIN):
                return self.msgpack.decode(memoryview(data)[len(_PLAIN) :])
            return self.json.decode(_decompressed(data))
        except (zlib.error, msgspec.DecodeError) as error:
            raise DamagedEditionError(f"the edition cannot be read: {error}") from error


class _SiteDecoder:
    """Decoder of an edition's site that also accepts settings in their earlier form.

    Earlier versions stored fonts, background and styling as written; values of other types are
    dropped.
    """

    def __init__(self, decoder_of: Callable[[Any], Decoder[Any]]) -> None:
        self._site: Decoder[Site] = decoder_of(Site)
        self._any = decoder_of(Any)

    def decode(self, data: Encoded) -> Site:
        try:
            return self._site.decode(data)
        except msgspec.ValidationError:
            site = self._any.decode(data)
            if not isinstance(site, dict) or not isinstance(site.get("config"), dict):
                raise
            written = {name: _typed(kind, site["config"].get(name)) for name, kind in _WRITTEN}
            return cast(Site, converted({**site, "config": {**site["config"], **written}}, Site))


_WRITTEN = (
    ("fonts", SiteFontSettings),
    ("background", BackgroundSettings),
    ("styling", StylingSettings),
)


def _typed(kind: type, value: object) -> dict[str, Any]:
    """Return the values of a stored object that match the field types of a class."""
    found = {}
    if not isinstance(value, dict):
        return {}
    for name, hint in get_type_hints(kind).items():
        if name not in value:
            continue
        try:
            converted(value[name], hint)
            found[name] = value[name]
        except msgspec.ValidationError:
            objects = (each for each in (hint, *get_args(hint)) if is_dataclass(each))
            if inner := next(objects, None):
                found[name] = _typed(cast(type, inner), value[name])
    return found


INT = PackedDecoder(json_decoder(int), msgpack_decoder(int))
STR = PackedDecoder(json_decoder(str), msgpack_decoder(str))
SITE = PackedDecoder(_SiteDecoder(json_decoder), _SiteDecoder(msgpack_decoder))
PAGE = PackedDecoder(json_decoder(RenderedPage), msgpack_decoder(RenderedPage))
UTILITIES = PackedDecoder(json_decoder(UtilityStyles), msgpack_decoder(UtilityStyles))
DIAGNOSTICS = PackedDecoder(
    json_decoder(tuple[Diagnostic, ...]), msgpack_decoder(tuple[Diagnostic, ...])
)
FETCHED = PackedDecoder(
    json_decoder(tuple[FetchedFile, ...]), msgpack_decoder(tuple[FetchedFile, ...])
)
NOTES = json_decoder(PageNotes)


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A rendered page as stored bytes, to be copied without decoding."""

    slug: str
    position: int  # in repository order
    key: str
    failed: bool
    classes: str  # space-separated
    features: str  # space-separated
    value: bytes
    notes: bytes


def packed_value(value: object) -> bytes:
    return zlib.compress(json_value(value), _QUICK)


def json_value(value: object) -> bytes:
    return _encoded(value, msgspec.json.encode)


def plain_value(value: object) -> bytes:
    return _PLAIN + _encoded(value, msgspec.msgpack.encode)


def _encoded(value: object, encode: Callable[[object], bytes]) -> bytes:
    try:
        found = encode(value)
    except UnicodeEncodeError:
        found = encode(without_lone_surrogates(msgspec.to_builtins(value)))
    if len(found) > VALUE_LIMIT_BYTES:
        raise SourceUnreadable(
            f"one page, or the titles and settings of all pages, exceed {_LIMIT}; shorten them"
        )
    return found
