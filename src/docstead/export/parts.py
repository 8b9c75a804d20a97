"""Finished batches of an export, stored as objects until the bundle is built.

Parts are written atomically, so a batch whose part exists is never repeated.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable

import msgspec

from docstead.base.decoders import msgpack_decoder
from docstead.base.errors import NotFound
from docstead.export.static_file import StaticFile
from docstead.storage.objects import ObjectStore

_FAST = 1
_CONTENTS = msgpack_decoder(dict[str, bytes])


def folder_key(export_id: str) -> str:
    """Return the prefix of everything that an export stores."""
    return f"exports/{export_id}"


def bundle_key(export_id: str) -> str:
    return f"{folder_key(export_id)}/bundle.tar.gz"


def exported_part(key: str) -> str | None:
    """Return the id of the export that an object is a part of, or None."""
    _, export_id, *rest = key.split("/")
    return export_id if rest[:1] == ["parts"] else None


class ExportParts:
    """Parts of one export; those with the changes since `previous` are not those of all pages."""

    def __init__(self, objects: ObjectStore, export_id: str, previous: str | None = None) -> None:
        self._objects = objects
        self._folder = f"{folder_key(export_id)}/parts"
        self._prefix = f"{self._folder}/{previous}" if previous else self._folder

    def has(self, number: int) -> bool:
        return bool(self._objects.size(self._key(number)))

    def store(self, number: int, files: Iterable[StaticFile]) -> None:
        contents = {file.path: file.read() for file in files}
        packed = zlib.compress(msgspec.msgpack.encode(contents), _FAST)
        self._objects.put(self._key(number), packed)

    def load(self, number: int) -> dict[str, bytes]:
        """Return the files of a part.

        Raises:
            NotFound: the part is missing, or was damaged and is now deleted.
        """
        try:
            return _CONTENTS.decode(zlib.decompress(self._objects.get(self._key(number))))
        except (zlib.error, msgspec.DecodeError) as error:
            self._objects.delete(self._key(number))
            raise NotFound(f"part {number} of the export is damaged") from error

    def delete(self) -> None:
        for key in list(self._objects.keys(self._folder)):
            self._objects.delete(key)

    def _key(self, number: int) -> str:
        return f"{self._prefix}/{number}"
