"""Pages that several processes write: each takes the next few when it is free.

The numbers of the shares stand in a pipe that all of them read; a read of two bytes is
never divided between two readers.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Self

_FEW = 16
_MOST_SHARES = 2**14  # whose numbers a pipe holds before anybody reads
_NUMBER = struct.Struct("=H")


def taken(slugs: Sequence[str], queue: int) -> Iterator[str]:
    """Those of the pages that nobody else has taken; `queue` is the end of `SharedPages`."""
    size = _share_size(slugs)
    while number := os.read(queue, _NUMBER.size):
        (share,) = _NUMBER.unpack(number)
        yield from slugs[share * size : (share + 1) * size]


class SharedPages:
    """Holds the pipe while the pages are written."""

    def __init__(self, slugs: Sequence[str]) -> None:
        self.slugs = slugs
        shares = -(-len(slugs) // _share_size(slugs))
        self.queue, entrance = os.pipe()
        with os.fdopen(entrance, "wb") as pipe:
            pipe.writelines(map(_NUMBER.pack, range(shares)))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self.queue)


def _share_size(slugs: Sequence[str]) -> int:
    return max(_FEW, -(-len(slugs) // _MOST_SHARES))
