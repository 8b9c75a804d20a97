"""Pages that several processes write: each takes the next few when it is free.

The numbers of the shares stand in a pipe that all of them read; a read of two bytes is
never divided between two readers.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

_FEW = 16
_MOST_SHARES = 2**14  # whose numbers a pipe holds before anybody reads
_NUMBER = struct.Struct("=H")


@dataclass(frozen=True, slots=True)
class SharedPages:
    """The pages, and the end of the pipe from which their shares are taken."""

    slugs: Sequence[str]
    queue: int

    def taken(self) -> Iterator[str]:
        """Those that nobody else has taken."""
        size = _share_size(self.slugs)
        while number := os.read(self.queue, _NUMBER.size):
            (share,) = _NUMBER.unpack(number)
            yield from self.slugs[share * size : (share + 1) * size]


@contextmanager
def shared_pages(slugs: Sequence[str]) -> Iterator[SharedPages]:
    """Holds the pipe while the pages are written."""
    queue, entrance = os.pipe()
    with os.fdopen(entrance, "wb") as pipe:
        pipe.writelines(map(_NUMBER.pack, range(-(-len(slugs) // _share_size(slugs)))))
    try:
        yield SharedPages(slugs, queue)
    finally:
        os.close(queue)


def _share_size(slugs: Sequence[str]) -> int:
    return max(_FEW, -(-len(slugs) // _MOST_SHARES))
