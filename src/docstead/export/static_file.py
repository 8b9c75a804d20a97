"""One file of an export."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StaticFile:
    """`blocks` yields the contents, repeatedly; `is_held` means that they are in memory."""

    path: str
    size_bytes: int
    blocks: Callable[[], Iterator[bytes]]
    is_held: bool = False

    @classmethod
    def of(cls, path: str, data: bytes) -> StaticFile:
        return cls(path, len(data), lambda: iter((data,)), is_held=True)

    def read(self) -> bytes:
        return b"".join(self.blocks())
