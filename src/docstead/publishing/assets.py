"""Static files of a repository: found, named by their content, and put into the objects."""

from __future__ import annotations

import hashlib
import mimetypes
from collections.abc import Collection, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from docstead.base.errors import SourceUnreadable
from docstead.base.units import MIB
from docstead.publishing.edition_format import StoredAsset
from docstead.publishing.remote_assets import FetchedFile
from docstead.publishing.values import FileDigest
from docstead.repository.sources import SCHEMA_SUFFIXES

if TYPE_CHECKING:
    from docstead.storage.objects import ObjectStore

_UPLOAD_THREADS = 8
_BLOCK_BYTES = MIB
NO_FILES: Mapping[str, bytes] = {}

# Where the machine's own table differs from place to place, ours decides.
_TYPES = {
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

# Their names are given by others, and tell nothing.
_NAMED = {
    ".well-known/api-catalog": "application/linkset+json",
    ".well-known/mcp": "application/json",
}


class AssetContents(Protocol):
    """Hands out the bytes of assets."""

    def blocks(self, asset: StoredAsset) -> Iterator[bytes]: ...


class ObjectContents:
    """Assets as the objects that `upload` made."""

    def __init__(self, objects: ObjectStore) -> None:
        self._objects = objects

    def blocks(self, asset: StoredAsset) -> Iterator[bytes]:
        return self._objects.stream(asset.object_key, 0, asset.size_bytes)


class FolderContents:
    """Assets straight from a checkout, for exports that keep no objects."""

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
    """The assets that could be read, and the fetched files."""
    found = {path: digests[path] for path in paths if path in digests}
    found |= {file.path: FileDigest(file.sha256, len(file.data)) for file in fetched}
    return tuple(
        StoredAsset(path, digest.sha256, digest.size_bytes, content_type(path))
        for path, digest in sorted(found.items())
    )


def content_type(path: str) -> str:
    """The media type of a file name."""
    known = _NAMED.get(path) or _TYPES.get(Path(path).suffix.lower())
    return known or mimetypes.guess_type(path)[0] or "application/octet-stream"


def upload(
    objects: ObjectStore,
    root: Path,
    assets: Iterable[StoredAsset],
    present: Collection[str] = (),
    fetched: Mapping[str, bytes] = NO_FILES,
) -> int:
    """Store what the objects do not hold yet; `present` are keys known to be there.

    `fetched` are the files of other hosts by digest; all others are below `root`.

    Returns how many were stored.
    """
    wanted = {a.object_key: a for a in assets if a.object_key not in present}
    with ThreadPoolExecutor(_UPLOAD_THREADS) as threads:
        return sum(
            threads.map(lambda asset: _upload_one(objects, root, asset, fetched), wanted.values())
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
    """The asset's file, if it lies in the repository and is what its name will promise.

    The objects of all projects share their names, and builders are not trusted with them.
    """
    path = _inside(root.resolve(), asset)
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != asset.sha256:
        raise SourceUnreadable(f"{asset.path}: the file was changed meanwhile; publish again")
    return path


def _inside(root: Path, asset: StoredAsset) -> Path:
    """The asset's file, which no path and no link may lead out of the resolved `root`."""
    path = (root / asset.path).resolve()
    if not path.is_relative_to(root) or not path.is_file():
        raise SourceUnreadable(f"{asset.path}: the file is gone; publish again")
    return path
