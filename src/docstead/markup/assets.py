"""Shared files of every site: the output of the front-end build, under hashed names.

Names change with the content, so that files can be cached permanently.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path, PurePosixPath

from docstead.base.errors import DocsteadError

FOLDER = "_docs"
_BUILT = Path(__file__).parent / "assets" / "built"
_HASH_LENGTH = 12


class AssetsMissing(DocsteadError):
    """The files of the front end are missing; build them with `make engine`."""


class BuiltAssets:
    """Output of the front-end build."""

    def __init__(self, directory: Path = _BUILT) -> None:
        self._directory = directory

    def read(self, name: str) -> bytes:
        """Return the bytes of a built file. Raises `AssetsMissing`."""
        try:
            return (self._directory / name).read_bytes()
        except FileNotFoundError as error:
            path = self._directory / name
            raise AssetsMissing(f"{path} is missing; build it with `make engine`") from error


class SharedFiles:
    """Files that pages link to by hashed names."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Hashed path by name: "site.css" gives "_docs/site.3f9a….css"."""
        return {name: hashed_name(name, data) for name, data in self._files.items()}

    @cached_property
    def by_path(self) -> Mapping[str, bytes]:
        """Files by hashed path."""
        return {self.names[name]: data for name, data in self._files.items()}


def hashed_name(name: str, data: bytes) -> str:
    """Return the path of a shared file: its folder, name, hash and extension."""
    path = PurePosixPath(name)
    digest = hashlib.sha256(data).hexdigest()[:_HASH_LENGTH]
    return f"{FOLDER}/{path.stem}.{digest}{path.suffix}"
