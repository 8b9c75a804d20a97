"""Archives whose parts are compressed independently, so that unchanged parts can be copied.

A `tar.gz` is one gzip stream of *segments*: files that follow each other and are compressed
together. The compressor forgets what it has read at the end of a segment. Which files form a
segment depends on their paths and sizes only, so a copied segment has the bytes that compressing
would give.
"""

from __future__ import annotations

import hashlib
import io
import struct
import tarfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO

import msgspec

from docstead.base.errors import DocsteadError
from docstead.base.units import MIB
from docstead.export.checksums import combined_crc
from docstead.export.manifest import FileFact, ManifestWriter
from docstead.export.static_file import StaticFile

_LEVEL = 6
_RAW = -zlib.MAX_WBITS  # deflate without a header
_HEADER = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"  # gzip without name and time
_TRAILER = struct.Struct("<II")
_TIME = 315532800  # 1980-01-01: tools reject a time of 0
_MODE = 0o644
_BOUNDARIES = 8  # one path in so many begins a segment
_LARGE_BYTES = MIB  # files that are segments of their own
_BLOCK_BYTES = MIB


class ArchiveSegment(msgspec.Struct, frozen=True, array_like=True):
    """Files of an archive that are compressed together, by path, and their compressed bytes."""

    offset: int
    packed_bytes: int
    size_bytes: int
    crc: int
    paths: tuple[str, ...]


class ArchiveIndex(msgspec.Struct, frozen=True):
    """Size and digest of an archive, its segments, and its files by path."""

    size_bytes: int
    sha256: str
    segments: tuple[ArchiveSegment, ...]
    files: dict[str, FileFact]


class SegmentArchive:
    """An archive on disk, from which segments and files can be copied."""

    def __init__(self, path: Path, index: ArchiveIndex) -> None:
        self.index = index
        self._path = path
        self._segments = {path: segment for segment in index.segments for path in segment.paths}
        self._read: tuple[int, dict[str, bytes]] = (-1, {})  # the segment that was read last

    def same_segment(self, files: Sequence[StaticFile]) -> ArchiveSegment | None:
        """Return the segment that consists of exactly these files, if there is one."""
        segment = self._segments.get(files[0].path)
        if segment is None or segment.paths != tuple(file.path for file in files):
            return None
        known = self.index.files
        is_same = all(file.digest() == known[file.path].sha256 for file in files)
        return segment if is_same else None

    def packed(self, segment: ArchiveSegment) -> Iterator[bytes]:
        """Yield the compressed bytes of a segment."""
        with self._path.open("rb") as archive:
            archive.seek(segment.offset)
            rest = segment.packed_bytes
            while rest:
                block = archive.read(min(rest, _BLOCK_BYTES))
                rest -= len(block)
                yield block

    def file(self, path: str) -> StaticFile:
        """Return a file of the archive, which is unpacked when it is read."""
        fact = self.index.files[path]
        return StaticFile(path, fact.size_bytes, partial(self._blocks, path), sha256=fact.sha256)

    def _blocks(self, path: str) -> Iterator[bytes]:
        segment = self._segments[path]
        if self._read[0] != segment.offset:
            raw = zlib.decompressobj(_RAW).decompress(b"".join(self.packed(segment)))
            with tarfile.open(fileobj=io.BytesIO(raw)) as archive:
                found = {each.name: archive.extractfile(each) for each in archive}
                files = {name: file.read() for name, file in found.items() if file}
            self._read = segment.offset, files
        yield self._read[1][path]


class SegmentWriter:
    """Writes an archive segment by segment, and then its end."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._digest = hashlib.sha256()
        self._offset = self._size = self._crc = 0
        self._segments: list[ArchiveSegment] = []
        self._write(_HEADER)

    def pack(self, files: Sequence[StaticFile], manifest: ManifestWriter) -> None:
        """Compress files as a segment.

        Raises:
            DocsteadError: a file does not have the size that it had.
        """
        self._pack(tuple(file.path for file in files), _tar_blocks(files, manifest))

    def copy(self, segment: ArchiveSegment, packed: Iterable[bytes]) -> None:
        """Add a segment that is compressed already."""
        offset = self._offset
        for block in packed:
            self._write(block)
        self._add(msgspec.structs.replace(segment, offset=offset))

    def finish(self, files: dict[str, FileFact]) -> ArchiveIndex:
        """Write the end of the archive; return its index."""
        ending = 2 * tarfile.BLOCKSIZE
        ending += -(self._size + ending) % tarfile.RECORDSIZE
        self._pack((), iter((bytes(ending),)))
        self._write(zlib.compressobj(_LEVEL, wbits=_RAW).flush())
        self._write(_TRAILER.pack(self._crc, self._size % 2**32))
        return ArchiveIndex(self._offset, self._digest.hexdigest(), tuple(self._segments), files)

    def _pack(self, paths: tuple[str, ...], blocks: Iterator[bytes]) -> None:
        offset, size, crc = self._offset, 0, 0
        compressor = zlib.compressobj(_LEVEL, wbits=_RAW)
        for block in blocks:
            size, crc = size + len(block), zlib.crc32(block, crc)
            self._write(compressor.compress(block))
        self._write(compressor.flush(zlib.Z_FULL_FLUSH))
        self._add(ArchiveSegment(offset, self._offset - offset, size, crc, paths))

    def _add(self, segment: ArchiveSegment) -> None:
        self._segments.append(segment)
        self._crc = combined_crc(self._crc, segment.crc, segment.size_bytes)
        self._size += segment.size_bytes

    def _write(self, data: bytes) -> None:
        self._offset += len(data)
        self._digest.update(data)
        self._out.write(data)


def segmented(files: Iterable[StaticFile]) -> Iterator[list[StaticFile]]:
    """Yield sorted files in groups, each of which becomes a segment."""
    group: list[StaticFile] = []
    for file in files:
        if group and _is_boundary(group[-1], file):
            yield group
            group = []
        group.append(file)
    if group:
        yield group


def _is_boundary(before: StaticFile, after: StaticFile) -> bool:
    """Decide whether a segment ends between two files; the files of a page stay together."""
    if max(before.size_bytes, after.size_bytes) >= _LARGE_BYTES:
        return True
    stem = _stem(after.path)
    return stem != _stem(before.path) and zlib.crc32(stem.encode()) % _BOUNDARIES == 0


def _stem(path: str) -> str:
    return path.rpartition(".")[0]


def _tar_blocks(files: Iterable[StaticFile], manifest: ManifestWriter) -> Iterator[bytes]:
    for file in files:
        member = tarfile.TarInfo(file.path)
        member.size, member.mtime, member.mode = file.size_bytes, _TIME, _MODE
        yield member.tobuf(tarfile.PAX_FORMAT)
        yield from manifest.recording(file.path, file.blocks())
        if manifest.files[file.path].size_bytes != file.size_bytes:
            raise DocsteadError(f"{file.path}: the file has changed while it was exported")
        yield bytes(-file.size_bytes % tarfile.BLOCKSIZE)
