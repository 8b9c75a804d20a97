"""One file of an export."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StaticFile:
    """`blocks` yields the contents, repeatedly; `is_held` means that they are in memory.

    `sha256` is their digest, if it is known without reading them.
    """

    path: str
    size_bytes: int
    blocks: Callable[[], Iterator[bytes]]
    is_held: bool = False
    sha256: str = ""

    @classmethod
    def of(cls, path: str, data: bytes) -> StaticFile:
        return cls(path, len(data), lambda: iter((data,)), is_held=True)

    def read(self) -> bytes:
        return b"".join(self.blocks())

    def digest(self) -> str:
        """Return the SHA-256 digest of the contents, or "" if they would have to be read."""
        return hashlib.sha256(self.read()).hexdigest() if self.is_held else self.sha256
