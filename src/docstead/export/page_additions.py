"""Additions of single pages to the files of all pages: the search index and the full text.

Several processes compute them, each for a part of the pages, and the main process joins them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from docstead.base.decoders import msgpack_decoder
from docstead.outputs.search_bundle import PageContribution

_LENGTH = struct.Struct("=I")


class PageAddition(msgspec.Struct, frozen=True, array_like=True):
    """A page in the full text, and in the search index if it is searched."""

    text: bytes
    search: PageContribution | None


_ADDITION = msgpack_decoder(PageAddition)


def store_additions(additions: Iterable[PageAddition], path: Path) -> None:
    with path.open("wb") as file:
        for addition in additions:
            data = msgspec.msgpack.encode(addition)
            file.write(_LENGTH.pack(len(data)))
            file.write(data)


def stored_additions(path: Path) -> Iterator[PageAddition]:
    """Yield stored additions one at a time, because those of a large site fill the memory."""
    with path.open("rb") as file:
        while length := file.read(_LENGTH.size):
            yield _ADDITION.decode(file.read(*_LENGTH.unpack(length)))
