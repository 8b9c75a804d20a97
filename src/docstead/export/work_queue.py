"""Work queue for processes: each takes the next numbers when it is free.

Numbers are in a pipe that all processes read; reads of two bytes are atomic.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator

_FEW = 16
_MOST_SHARES = 2**14  # maximum number of entries that a pipe holds
_SHARE = struct.Struct("=H")


class WorkQueue:
    """The pipe; readers wait until it has been filled. It must be closed."""

    def __init__(self) -> None:
        self.queue, self._entrance = os.pipe()

    def fill(self, count: int) -> None:
        """Enqueue the numbers below `count`, once."""
        work_queue = -(-count // _share_size(count))
        os.write(self._entrance, b"".join(map(_SHARE.pack, range(work_queue))))
        self._close_entrance()

    def close(self) -> None:
        self._close_entrance()
        os.close(self.queue)

    def _close_entrance(self) -> None:
        if self._entrance >= 0:
            os.close(self._entrance)
            self._entrance = -1


def taken(queue: int, count: int) -> Iterator[int]:
    """Yield numbers below `count` that no other process has taken."""
    size = _share_size(count)
    while share := os.read(queue, _SHARE.size):
        (number,) = _SHARE.unpack(share)
        yield from range(number * size, min(count, (number + 1) * size))


def _share_size(count: int) -> int:
    return max(_FEW, -(-count // _MOST_SHARES))
