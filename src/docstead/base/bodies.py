"""Size-limited reading of request bodies."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable

from docstead.base.errors import DocsteadError


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
