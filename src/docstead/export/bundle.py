"""Reproducible archives of an export.

Names are sorted by code point, with the manifest last; owner, mode and time of members are
constant; the gzip header contains no name and time.
"""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from docstead.export.manifest import MANIFEST, ManifestWriter
from docstead.export.static_file import StaticFile

Progress = Callable[[int, int], None]
Member = tuple[str, int, Iterator[bytes]]  # path, size in bytes, contents

# Tools reject a time of 0; this is 1980-01-01, the earliest that zip supports.
_TIME = 315532800
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)
_LEVEL = 6
_MODE = 0o644
_REGULAR_FILE = 0o100000
_UNIX = 3
_TEXTS = (".html", ".md", ".txt", ".xml", ".js", ".css", ".json", ".svg", ".yaml", ".yml", ".csv")


def write_bundle(
    files: Iterable[StaticFile], target: Path, progress: Progress | None = None
) -> int:
    """Write `files` with their manifest as tar.gz; return its size in bytes.

    `progress` is called with the bytes written and the total.
    """
    with (
        target.open("wb") as raw,
        gzip.GzipFile("", "wb", _LEVEL, raw, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for path, size, blocks in members(files, progress):
            archive.addfile(_tar_member(path, size), io.BufferedReader(_GzipBlocks(blocks)))
    return target.stat().st_size


def write_zip(
    files: Iterable[StaticFile], target: Path, folder: str, additional: Iterable[StaticFile]
) -> int:
    """Write `files` below `folder`, a manifest and `additional` files as zip; return its size."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL) as archive:
        for file in additional:
            _add_to_zip(archive, file.path, file.size_bytes, file.blocks())
        for path, size, blocks in members(files):
            _add_to_zip(archive, f"{folder}/{path}", size, blocks)
    return target.stat().st_size


def members(files: Iterable[StaticFile], progress: Progress | None = None) -> Iterator[Member]:
    """Yield the files in order, then the manifest. Each must be read before the next."""
    ordered = sorted(files, key=lambda file: file.path)
    total, done = sum(file.size_bytes for file in ordered), 0
    manifest = ManifestWriter()
    for file in ordered:
        blocks = manifest.recording(file.path, file.blocks())
        yield file.path, file.size_bytes, blocks
        deque(blocks, maxlen=0)  # recorded after its last block, which may not have been read yet
        done += file.size_bytes
        if progress is not None:
            progress(done, total)
    listed = manifest.json()
    yield MANIFEST, len(listed), iter((listed,))


def _tar_member(path: str, size: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(path)
    member.size = size
    member.mtime = _TIME
    member.mode = _MODE
    return member


def _add_to_zip(archive: zipfile.ZipFile, path: str, size: int, blocks: Iterator[bytes]) -> None:
    member = zipfile.ZipInfo(path, _ZIP_TIME)
    member.compress_type = zipfile.ZIP_DEFLATED if path.endswith(_TEXTS) else zipfile.ZIP_STORED
    member.create_system = _UNIX
    member.external_attr = (_REGULAR_FILE | _MODE) << 16
    member.file_size = size
    with archive.open(member, "w") as out:
        for block in blocks:
            out.write(block)


class _GzipBlocks(io.RawIOBase):
    """File-like reader of byte blocks that can be read once."""

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
