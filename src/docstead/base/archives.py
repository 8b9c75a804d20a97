"""Safe unpacking of archives.

Failure rule: an archive is accepted as a whole or rejected with InvalidRequest, and nothing is
written outside of the target folder. Members must be plain files and folders: links, devices,
sparse files and extensions that could represent them are rejected, although the standard library
would interpret them. Memory does not depend on sizes claimed in headers.
"""

from __future__ import annotations

import hashlib
import os
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from docstead.base.archive_names import MemberNames
from docstead.base.errors import InvalidRequest
from docstead.base.units import KIB, MIB

_BLOCK = 512
_READ_BYTES = 64 * KIB
_PAX_BYTES = 64 * KIB
_PADDING_BYTES = MIB  # zeros after the end
_RATIO_FROM_BYTES = 16 * MIB
_FILE_TYPES = (tarfile.REGTYPE, tarfile.AREGTYPE)
_SPECIAL_BITS = 0o7000
_MAGICS = (b"ustar\x0000", b"ustar  \x00")
_GZIP = 16 + zlib.MAX_WBITS
_HARMLESS = frozenset(
    {b"path", b"mtime", b"atime", b"ctime", b"uid", b"gid", b"uname", b"gname", b"comment"}
)


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """Size limits. `ratio` is the compression ratio of the whole archive."""

    archive_bytes: int = 2048 * MIB
    unpacked_bytes: int = 8192 * MIB
    files: int = 500_000  # and as many folders
    ratio: int = 200


@dataclass(frozen=True, slots=True)
class UnpackedFile:
    size_bytes: int
    sha256: str


def unpack(
    archive: Path, folder: Path, limits: ArchiveLimits, names: MemberNames | None = None
) -> dict[str, UnpackedFile]:
    """Write the files of `archive` to the empty `folder`; return them by path.

    `names` validates file names, by default for all operating systems.

    Raises:
        InvalidRequest: the archive is rejected; files written before remain.
    """
    with archive.open("rb") as file:
        stream = _GunzipReader(file, limits)
        members = _ArchiveMembers(stream, limits, names or MemberNames())
        return {path: _write(folder / path, blocks) for path, blocks in members}


def _write(target: Path, blocks: Iterator[bytes]) -> UnpackedFile:
    target.parent.mkdir(parents=True, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    digest, size = hashlib.sha256(), 0
    with os.fdopen(os.open(target, flags, 0o644), "wb") as out:
        for block in blocks:
            out.write(block)
            digest.update(block)
            size += len(block)
    return UnpackedFile(size, digest.hexdigest())


class _GunzipReader:
    """Decompressed bytes of a file that is a single gzip stream."""

    def __init__(self, file: BinaryIO, limits: ArchiveLimits) -> None:
        self._file = file
        self._limits = limits
        self._unpacker = zlib.decompressobj(_GZIP)
        self._rest = bytearray()
        self._packed_bytes = 0
        self._unpacked_bytes = 0

    def take(self, size: int) -> bytes:
        """Return exactly `size` bytes."""
        while len(self._rest) < size:
            if not self._more():
                raise _refused("it ends in the middle")
        taken = bytes(self._rest[:size])
        del self._rest[:size]
        return taken

    def blocks(self, size: int) -> Iterator[bytes]:
        while size:
            block = self.take(min(size, _READ_BYTES))
            size -= len(block)
            yield block

    def finish(self) -> None:
        """Verify that only zeros follow, then the end of stream and file."""
        padding = 0
        while self._more() or self._rest:
            padding += len(self._rest)
            if any(self._rest) or padding > _PADDING_BYTES:
                raise _refused("something follows its end")
            self._rest.clear()
        if self._unpacker.unused_data or self._file.read(1):
            raise _refused("something follows its compressed data")

    def _more(self) -> bool:
        """Decompress a block; return False at the end of the stream."""
        if self._unpacker.eof:
            return False
        packed = self._unpacker.unconsumed_tail or self._read()
        try:
            data = self._unpacker.decompress(packed, _READ_BYTES)
        except zlib.error as error:
            raise _refused(f"it is not a gzip archive, or it is damaged ({error})") from error
        if not packed and not data and not self._unpacker.eof:
            raise _refused("it is cut off")
        self._rest += data
        self._unpacked_bytes += len(data)
        self._check_size()
        return True

    def _read(self) -> bytes:
        packed = self._file.read(_READ_BYTES)
        self._packed_bytes += len(packed)
        return packed

    def _check_size(self) -> None:
        if self._unpacked_bytes > self._limits.unpacked_bytes:
            raise _refused(f"it unpacks to more than {self._limits.unpacked_bytes} bytes")
        at_most = max(_RATIO_FROM_BYTES, self._limits.ratio * self._packed_bytes)
        if self._unpacked_bytes > at_most:
            raise _refused(f"it unpacks to more than {self._limits.ratio} times its size")


class _ArchiveMembers:
    """Yields paths with readers of contents, each to be read before the next."""

    def __init__(self, stream: _GunzipReader, limits: ArchiveLimits, names: MemberNames) -> None:
        self._stream = stream
        self._limits = limits
        self._names = names

    def __iter__(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        count = 0
        while (member := self._next()) is not None:
            count += 1
            if count > self._limits.files:
                raise _refused(f"it has more than {self._limits.files} members")
            if member.type == tarfile.DIRTYPE:
                self._names.folder(member.name)
                self._check_folders()
                continue
            path = self._names.file(member.name)
            self._check_folders()
            yield path, self._stream.blocks(member.size)
            self._stream.take(-member.size % _BLOCK)
        self._stream.finish()

    def _check_folders(self) -> None:
        if self._names.folder_count > self._limits.files:
            raise _refused(f"it has more than {self._limits.files} folders")

    def _next(self) -> tarfile.TarInfo | None:
        header = self._header()
        if header is None or header.type != tarfile.XHDTYPE:
            return header
        if header.size > _PAX_BYTES:
            raise _refused("an extended header is too large")
        records = _pax_records(self._stream.take(header.size + -header.size % _BLOCK), header.size)
        member = self._header()
        if member is None or member.type == tarfile.XHDTYPE:
            raise _refused("an extended header has no entry")
        if b"path" in records:
            member.name = _text(records[b"path"])
        return member

    def _header(self) -> tarfile.TarInfo | None:
        """Return the next header, or None at the end of the archive (two blocks of zeros)."""
        block = self._stream.take(_BLOCK)
        if not any(block):
            if any(self._stream.take(_BLOCK)):
                raise _refused("a member follows its end")
            return None
        header = _parsed(block)
        _check_kind(header, block)
        return header


def _parsed(block: bytes) -> tarfile.TarInfo:
    try:
        header = tarfile.TarInfo.frombuf(block, "utf-8", "strict")
    except (tarfile.HeaderError, UnicodeError) as error:
        raise _refused(f"a header cannot be read ({error})") from error
    if block[257:265] not in _MAGICS:
        raise _refused("a header is of no kind that is known")
    for start, end in ((0, 100), (157, 257), (345, 500)):  # name, link target, prefix
        if any(block[start:end].partition(b"\0")[2]):
            raise _refused("a name is longer than it declares")
    return header


def _check_kind(header: tarfile.TarInfo, block: bytes) -> None:
    if header.type not in (*_FILE_TYPES, tarfile.DIRTYPE, tarfile.XHDTYPE):
        raise _refused(f"{header.name!r} is a {_kind(header)}")
    if header.linkname or any(block[157:257]):
        raise _refused(f"{header.name!r} names a link")
    if header.mode & _SPECIAL_BITS:
        raise _refused(f"{header.name!r} has special permissions")
    if header.size < 0 or (header.isdir() and header.size):
        raise _refused(f"{header.name!r} has a size that it cannot have")


def _kind(header: tarfile.TarInfo) -> str:
    names = {
        tarfile.LNKTYPE: "hard link",
        tarfile.SYMTYPE: "symbolic link",
        tarfile.CHRTYPE: "device",
        tarfile.BLKTYPE: "device",
        tarfile.FIFOTYPE: "pipe",
        tarfile.GNUTYPE_SPARSE: "sparse file",
    }
    return names.get(header.type, f"member of an unknown kind ({header.type!r})")


def _pax_records(data: bytes, size: int) -> dict[bytes, bytes]:
    """Parse records of the form `LENGTH KEY=VALUE` and a line break."""
    if any(data[size:]):
        raise _refused("an extended header is longer than it declares")
    records: dict[bytes, bytes] = {}
    rest = data[:size]
    while rest:
        digits, space, _ = rest.partition(b" ")
        length = int(digits) if digits.isdigit() and len(digits) < 6 else 0  # noqa: PLR2004
        record = rest[len(digits) + 1 : length]
        key, equals, value = record.removesuffix(b"\n").partition(b"=")
        whole = space and equals and length <= len(rest) and record.endswith(b"\n")
        if not whole or key not in _HARMLESS or key in records:
            raise _refused("an extended header has a record that is malformed or not allowed")
        records[key] = value
        rest = rest[length:]
    return records


def _text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError as error:
        raise _refused("a name is not UTF-8") from error


def _refused(reason: str) -> InvalidRequest:
    return InvalidRequest(f"the archive was rejected: {reason}")
