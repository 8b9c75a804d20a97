"""Temporary files, so that memory does not grow with the size of a site."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from tempfile import TemporaryFile

from docstead.base.units import MIB
from docstead.export.static_file import StaticFile

_BLOCK_BYTES = MIB


class TempFiles:
    """Stores files until it is closed, for reading in any order."""

    def __init__(self) -> None:
        self._file = TemporaryFile(prefix="docstead-spool-")  # noqa: SIM115 - closed by __exit__

    def __enter__(self) -> TempFiles:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, path: str, pieces: Iterable[bytes], sha256: str = "") -> StaticFile:
        """Store these pieces as a file and return it; `sha256` is their digest, if it is known."""
        start = self._file.seek(0, 2)
        size = sum(map(self._file.write, pieces))
        return StaticFile(path, size, partial(self._blocks, start, size), sha256=sha256)

    def add_all(self, contents: Mapping[str, bytes]) -> Iterator[StaticFile]:
        for path, data in contents.items():
            yield self.add(path, (data,))

    def keep(self, files: Iterable[StaticFile]) -> Iterator[StaticFile]:
        """Yield the files after moving each from memory to disk."""
        for file in files:
            if file.is_held:
                yield self.add(file.path, file.blocks(), file.digest())
            else:
                yield file

    def _blocks(self, start: int, size: int) -> Iterator[bytes]:
        for offset in range(0, size, _BLOCK_BYTES):
            self._file.seek(start + offset)
            yield self._file.read(min(_BLOCK_BYTES, size - offset))
