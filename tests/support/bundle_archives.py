"""Archives written byte by byte, including ones that no tool would write."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Iterable

BLOCK = 512
HOME = b"<!doctype html><title>Home</title><p>new</p>"


def header(name: str | bytes, size: int = 0, **fields: object) -> bytes:
    """Return a header block; `fields` are those of a TarInfo, or bytes at an offset of the block.

    `raw` is a mapping from offsets to bytes, written before the checksum is made.
    """
    raw = dict(fields.pop("raw", {}))
    member = tarfile.TarInfo("x" if isinstance(name, bytes) else name)
    member.size = size
    for field, value in fields.items():
        setattr(member, field, value)
    block = bytearray(member.tobuf(tarfile.GNU_FORMAT)[-BLOCK:])
    if isinstance(name, bytes):
        raw[0] = name.ljust(100, b"\0")
    for position, data in raw.items():
        block[position : position + len(data)] = data
    return checked(block)


def checked(block: bytearray) -> bytes:
    """Return the block with a correct checksum."""
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % BLOCK)


def file(name: str | bytes, data: bytes = b"x", **fields: object) -> bytes:
    return header(name, len(data), **fields) + padded(data)


def pax(*records: bytes, name: str = "PaxHeaders/x") -> bytes:
    """Return an extended header with these `KEY=VALUE` records."""
    data = b"".join(map(record, records))
    return header(name, len(data), type=tarfile.XHDTYPE) + padded(data)


def record(pair: bytes) -> bytes:
    length = len(pair) + 3
    while len(str(length)) + len(pair) + 2 != length:
        length = len(str(length)) + len(pair) + 2
    return b"%d %s\n" % (length, pair)


END = b"\0" * 2 * BLOCK


def tar(*members: bytes, end: bytes = END) -> bytes:
    return b"".join(members) + end


def packed(data: bytes) -> bytes:
    return gzip.compress(data, 6, mtime=0)


def bundle(*members: bytes) -> bytes:
    """Return a whole archive with a home page and these members."""
    return packed(tar(file("index.html", HOME), *members))


def bundle_of(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return an ordinary archive, as written by the standard library."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, data in files:
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return out.getvalue()
