"""Turns of the event loop for others while one task has much to do."""

from __future__ import annotations

import asyncio
import time

_SLICE_SECONDS = 0.005


class TimeSlicer:
    """Lets other tasks run once a slice of processor time is used up."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    async def give(self) -> None:
        """Return at once, or after the other tasks have had their turn."""
        if time.monotonic() - self._began >= _SLICE_SECONDS:
            await asyncio.sleep(0)
            self._began = time.monotonic()
