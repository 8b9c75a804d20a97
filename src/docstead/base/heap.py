"""The memory of this process."""

from __future__ import annotations

import ctypes
import gc
import sys
from contextlib import suppress

from docstead.base.units import KIB

# Options of mallopt(3) of the GNU C library.
_ARENA_MAX, _MMAP_THRESHOLD = -8, -3
_ARENAS = 2  # the default is eight for each processor
_LARGE_BYTES = 256 * KIB  # allocations that are mapped, and unmapped when they are freed
_NEW_OBJECTS = 20_000  # Python's own 700 are met many times while one page is drawn


def tune_gc() -> None:
    """Look for cycles of objects less often, and never among those that there are by now.

    For processes that make much, keep little of it and end soon.
    """
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS, *gc.get_threshold()[1:])


def limit_fragmentation() -> None:
    """Keep free memory in few arenas, and large blocks in none. Before threads are started.

    For processes that run for months: each arena keeps what its threads needed at most, and the
    library takes larger and larger blocks from arenas once one of them was freed.
    """
    if sys.platform == "linux":
        with suppress(AttributeError):  # other C libraries have no such options
            library = ctypes.CDLL(None)
            library.mallopt(_ARENA_MAX, _ARENAS)
            library.mallopt(_MMAP_THRESHOLD, _LARGE_BYTES)


def release_memory() -> None:
    """Hand what was freed to the machine; much of it stays with the process otherwise."""
    if sys.platform == "linux":
        with suppress(AttributeError):  # other C libraries do so by themselves
            ctypes.CDLL(None).malloc_trim(0)
