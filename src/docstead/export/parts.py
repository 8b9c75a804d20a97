"""Finished batches of an export, kept as objects until the bundle is made.

A part is there whole or not at all, so a batch whose part exists is never done again.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from functools import partial
from tempfile import TemporaryFile

import msgspec

from docstead.base.units import MIB
from docstead.export.files import StaticFile
from docstead.storage.objects import Objects

_FAST = 1
_BLOCK_BYTES = MIB


def folder_key(export_id: str) -> str:
    """Everything that an export stores is below this."""
    return f"exports/{export_id}"


def bundle_key(export_id: str) -> str:
    return f"{folder_key(export_id)}/bundle.tar.gz"


class Parts:
    """The parts of one export."""

    def __init__(self, objects: Objects, export_id: str) -> None:
        self._objects = objects
        self._folder = f"{folder_key(export_id)}/parts"

    def has(self, number: int) -> bool:
        return self._objects.size(self._key(number)) is not None

    def store(self, number: int, files: Iterable[StaticFile]) -> None:
        contents = {file.path: file.read() for file in files}
        packed = zlib.compress(msgspec.msgpack.encode(contents), _FAST)
        self._objects.put(self._key(number), packed)

    def load(self, number: int) -> dict[str, bytes]:
        data = zlib.decompress(self._objects.get(self._key(number)))
        return msgspec.msgpack.decode(data, type=dict[str, bytes])

    def delete(self) -> None:
        for key in list(self._objects.keys(self._folder)):
            self._objects.delete(key)

    def _key(self, number: int) -> str:
        return f"{self._folder}/{number}"


class Spool:
    """Files of many parts, on the disk of this machine, to be read in any order."""

    def __init__(self) -> None:
        self._file = TemporaryFile(prefix="docstead-spool-")  # noqa: SIM115 - closed by __exit__

    def __enter__(self) -> Spool:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, contents: dict[str, bytes]) -> Iterator[StaticFile]:
        for path, data in contents.items():
            start = self._file.seek(0, 2)
            self._file.write(data)
            yield StaticFile(path, len(data), partial(self._blocks, start, len(data)))

    def _blocks(self, start: int, size: int) -> Iterator[bytes]:
        for offset in range(0, size, _BLOCK_BYTES):
            self._file.seek(start + offset)
            yield self._file.read(min(_BLOCK_BYTES, size - offset))
