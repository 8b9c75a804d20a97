"""Static files of a repository: discovery, content-based names, and upload."""

from __future__ import annotations

import mimetypes
from collections.abc import Collection, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from docstead.base.errors import SourceUnreadable
from docstead.base.files import sha256_of_file
from docstead.base.units import MIB
from docstead.content.generated_files import GENERATED_FILES
from docstead.publishing.edition_format import StoredAsset
from docstead.publishing.remote_assets import FetchedFile
from docstead.publishing.values import FileDigest
from docstead.repository.sources import SCHEMA_SUFFIXES

if TYPE_CHECKING:
    from docstead.storage.objects import ObjectStore

_UPLOAD_THREADS = 8
_BLOCK_BYTES = MIB
NO_FILES: Mapping[str, bytes] = {}

# This table decides, because systems disagree.
_TYPES = {
    ".avif": "image/avif",
    ".css": "text/css",
    ".csv": "text/csv",
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".json": "application/json",
    ".md": "text/markdown",
    ".mjs": "text/javascript",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".webp": "image/webp",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
    **dict.fromkeys(SCHEMA_SUFFIXES, "text/plain"),
}

_GENERATED = {file.path: file.media_type for file in GENERATED_FILES if file.media_type}


class AssetContents(Protocol):
    """Source of the contents of assets."""

    def blocks(self, asset: StoredAsset) -> Iterator[bytes]: ...


class ObjectContents:
    """Assets read from the object store, as `upload` stored them."""

    def __init__(self, objects: ObjectStore) -> None:
        self._objects = objects

    def blocks(self, asset: StoredAsset) -> Iterator[bytes]:
        return self._objects.stream(asset.object_key, 0, asset.size_bytes)


class FolderContents:
    """Assets read from a checkout, for exports without an object store."""

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()

    def blocks(self, asset: StoredAsset) -> Iterator[bytes]:
        with _inside(self._root, asset).open("rb") as file:
            while block := file.read(_BLOCK_BYTES):
                yield block


def stored_assets(
    paths: Iterable[str],
    digests: Mapping[str, FileDigest],
    fetched: Iterable[FetchedFile] = (),
) -> tuple[StoredAsset, ...]:
    """Return the readable assets and the fetched files."""
    found = {path: digests[path] for path in paths if path in digests}
    found |= {file.path: FileDigest(file.sha256, len(file.data)) for file in fetched}
    return tuple(
        StoredAsset(path, digest.sha256, digest.size_bytes, content_type(path))
        for path, digest in sorted(found.items())
    )


def content_type(path: str) -> str:
    """Return the media type of a file name."""
    known = _GENERATED.get(path) or _TYPES.get(Path(path).suffix.lower())
    return known or mimetypes.guess_type(path)[0] or "application/octet-stream"


def upload(
    objects: ObjectStore,
    root: Path,
    assets: Iterable[StoredAsset],
    present: Collection[str] = (),
    fetched: Mapping[str, bytes] = NO_FILES,
) -> int:
    """Store assets that the object store lacks and return their number.

    `present` are keys known to exist. `fetched` are files of other hosts by digest; all others are
    below `root`.
    """
    requested = {a.object_key: a for a in assets if a.object_key not in present}
    with ThreadPoolExecutor(_UPLOAD_THREADS) as threads:
        return sum(
            threads.map(
                lambda asset: _upload_one(objects, root, asset, fetched), requested.values()
            )
        )


def _upload_one(
    objects: ObjectStore, root: Path, asset: StoredAsset, fetched: Mapping[str, bytes]
) -> int:
    if objects.size(asset.object_key) == asset.size_bytes:
        return 0
    data = fetched.get(asset.sha256)
    objects.put(asset.object_key, _checked(root, asset) if data is None else data)
    return 1


def _checked(root: Path, asset: StoredAsset) -> Path:
    """Return the asset's file after verifying that it is in the repository and matches its digest.

    Object names are shared by all projects, and builders are not trusted with them.
    """
    path = _inside(root.resolve(), asset)
    if sha256_of_file(path) != asset.sha256:
        raise SourceUnreadable(f"{asset.path}: the file was changed in the meantime; publish again")
    return path


def _inside(root: Path, asset: StoredAsset) -> Path:
    """Return the asset's file, which must be below the resolved `root`, also through links."""
    path = (root / asset.path).resolve()
    if not path.is_relative_to(root) or not path.is_file():
        raise SourceUnreadable(f"{asset.path}: the file no longer exists; publish again")
    return path
