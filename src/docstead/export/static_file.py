"""One file of an export."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StaticFile:
    """`blocks` reads its bytes from the start, as often as asked; `is_held` in memory."""

    path: str
    size_bytes: int
    blocks: Callable[[], Iterator[bytes]]
    is_held: bool = False

    @classmethod
    def of(cls, path: str, data: bytes) -> StaticFile:
        return cls(path, len(data), lambda: iter((data,)), is_held=True)

    def read(self) -> bytes:
        return b"".join(self.blocks())
