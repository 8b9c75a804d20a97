"""Cooperative scheduling of long computations on the event loop."""

from __future__ import annotations

import asyncio
import time

_SLICE_SECONDS = 0.005


class TimeSlicer:
    """Lets other tasks run after a slice of processor time."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    async def give(self) -> None:
        """Return immediately, or after other tasks have run."""
        if time.monotonic() - self._began >= _SLICE_SECONDS:
            await asyncio.sleep(0)
            self._began = time.monotonic()
