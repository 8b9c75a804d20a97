"""Contents of a site at a path, independent of HTTP."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from operator import attrgetter

from docstead.base.conditions import Coding
from docstead.base.lru_cache import LruCache
from docstead.hosting.compression import CompressedForms
from docstead.publishing.edition_format import StoredAsset

HTML = "text/html; charset=utf-8"
_COMPRESSED_FROM_BYTES = 1024


@dataclass(frozen=True, slots=True)
class ServedDocument:
    """Content held in memory. `forms` is None if compression saves nothing."""

    body: bytes
    content_type: str
    etag: str
    forms: CompressedForms | None = None
    status: int = 200
    immutable: bool = False  # named by its content: cacheable indefinitely
    headers: tuple[tuple[str, str], ...] = ()
    is_cacheable: bool = True  # False if readers can make up others, which would displace pages

    @property
    def size_bytes(self) -> int:
        """Size with an estimate of the compressed forms, which are made later."""
        return len(self.body) if self.forms is None else len(self.body) * 3 // 2

    def form(self, coding: Coding | None) -> tuple[bytes, Coding | None]:
        """Return the bytes to send to who accepts `coding`, and the coding that they have."""
        if coding is None or self.forms is None:
            return self.body, None
        return self.forms.form(coding), coding


@dataclass(frozen=True, slots=True)
class Redirection:
    """Redirect to `location`, which is absolute within the host or a full URL."""

    location: str
    status: int


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A static file of the repository; its bytes are in the object store."""

    asset: StoredAsset


SiteContent = ServedDocument | Redirection | StoredFile


def document(
    body: bytes | str,
    content_type: str = HTML,
    *,
    status: int = 200,
    immutable: bool = False,
    is_shared: bool = False,
    headers: tuple[tuple[str, str], ...] = (),
) -> ServedDocument:
    """Return a document with its ETag; `is_shared` means that all pages of a site load it."""
    data = body.encode() if isinstance(body, str) else body
    etag = hashlib.sha256(data).hexdigest()[:32]
    is_compressible = _is_compressible(data, content_type)
    forms = CompressedForms(data, is_shared=is_shared) if is_compressible else None
    return ServedDocument(data, content_type, etag, forms, status, immutable, headers)


def _is_compressible(data: bytes, content_type: str) -> bool:
    compressible = content_type.startswith("text/") or content_type.partition(";")[0] in (
        "application/json",
        "application/javascript",
        "application/xml",
        "image/svg+xml",
    )
    return compressible and len(data) >= _COMPRESSED_FROM_BYTES


class RecentDocuments:
    """Thread-safe LRU cache of documents, limited to `max_bytes`.

    The most recent document is kept even if it is larger, because rendering it for each request
    would take seconds.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._documents = LruCache[tuple[object, ...], ServedDocument](
            max_bytes, attrgetter("size_bytes")
        )
        self._larger: tuple[tuple[object, ...], ServedDocument] | None = None

    def get(self, key: tuple[object, ...]) -> ServedDocument | None:
        found, larger = self._documents.get(key), self._larger
        return larger[1] if found is None and larger and larger[0] == key else found

    def add(self, key: tuple[object, ...], made: ServedDocument) -> None:
        if made.size_bytes > self._max_bytes:
            self._larger = (key, made)
        else:
            self._documents.put(key, made)
