"""Size-limited reading of request bodies, and the memory of large requests together."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable

from docstead.base.errors import DocsteadError


class RequestMemory:
    """Memory shared by requests beyond a part of each. For use within one event loop."""

    def __init__(self, max_bytes: int) -> None:
        self._left = max_bytes

    def take(self, size: int) -> bool:
        """Reserve `size` bytes; return False if they are not available."""
        if size > self._left:
            return False
        self._left -= size
        return True

    def release(self, size: int) -> None:
        self._left += size


async def limited_blocks(
    blocks: AsyncIterable[bytes], most_bytes: int, error: DocsteadError
) -> AsyncGenerator[bytes, None]:
    """Yield the blocks; raise the error if they exceed `most_bytes` in total."""
    size = 0
    async for block in blocks:
        size += len(block)
        if size > most_bytes:
            raise error
        yield block


async def limited_body(
    blocks: AsyncIterable[bytes], most_bytes: int, error: DocsteadError
) -> bytes:
    """Return the body; raise the error if it has more than `most_bytes`."""
    return b"".join([block async for block in limited_blocks(blocks, most_bytes, error)])
