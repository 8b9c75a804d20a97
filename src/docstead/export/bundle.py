"""The archive of an export: the same files give the same bytes, on any machine.

Names are sorted by code point; owner, mode and time of every member are constants; the
gzip header carries neither name nor time.
"""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from docstead.export.files import StaticFile

Progress = Callable[[int, int], None]

# Tools take a time of 0 for a mistake; this is 1980-01-01, the earliest that zip knows.
_TIME = 315532800
_LEVEL = 6


def write_bundle(
    files: Iterable[StaticFile], target: Path, progress: Progress | None = None
) -> int:
    """Write `files`, in any order, as tar.gz; its size in bytes.

    `progress` hears how many bytes of the files are in it, and how many there are.
    """
    ordered = sorted(files, key=lambda file: file.path)
    total, done = sum(file.size_bytes for file in ordered), 0
    with (
        target.open("wb") as raw,
        gzip.GzipFile("", "wb", _LEVEL, raw, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for file in ordered:
            archive.addfile(_member(file), io.BufferedReader(_Blocks(file.blocks())))
            done += file.size_bytes
            if progress is not None:
                progress(done, total)
    return target.stat().st_size


def _member(file: StaticFile) -> tarfile.TarInfo:
    member = tarfile.TarInfo(file.path)
    member.size = file.size_bytes
    member.mtime = _TIME
    member.mode = 0o644
    return member


class _Blocks(io.RawIOBase):
    """Blocks of bytes as a file that can be read once."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._rest:
            block = next(self._blocks, None)
            if block is None:
                return 0
            self._rest = block
        n = min(len(buffer), len(self._rest))
        buffer[:n] = self._rest[:n]
        self._rest = self._rest[n:]
        return n
