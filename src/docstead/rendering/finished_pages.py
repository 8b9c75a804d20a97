"""Rendered pages that wait to be read, in little memory."""

from __future__ import annotations

import queue
import zlib

import msgspec

from docstead.base.decoders import msgpack_decoder
from docstead.markup.rendered import RenderedPage

_MOST_UNPACKED = 256  # waiting pages, of about 60 kB each
_QUICK = 1  # level of zlib

_PAGE = msgpack_decoder(RenderedPage)


class FinishedPages:
    """Pages in the order in which they were rendered. Thread-safe.

    The pages of a large site are rendered faster than they are read while the host still checks
    the repository. Further ones are compressed, which takes about a twelfth of their memory.
    """

    def __init__(self) -> None:
        self._waiting: queue.SimpleQueue[RenderedPage | bytes | Exception] = queue.SimpleQueue()

    def put(self, page: RenderedPage) -> None:
        is_crowded = self._waiting.qsize() >= _MOST_UNPACKED
        self._waiting.put(_packed(page) if is_crowded else page)

    def fail(self, error: Exception) -> None:
        """Raise the error after the pages before it have been taken."""
        self._waiting.put(error)

    def take(self) -> RenderedPage:
        """Return the next page once there is one, or raise an error passed to `fail`."""
        page = self._waiting.get()
        if isinstance(page, Exception):
            raise page
        return _PAGE.decode(zlib.decompress(page)) if isinstance(page, bytes) else page


def _packed(page: RenderedPage) -> bytes:
    return zlib.compress(msgspec.msgpack.encode(page), _QUICK)
