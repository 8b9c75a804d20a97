"""Memory management of this process."""

from __future__ import annotations

import ctypes
import gc
import sys
from contextlib import suppress

from docstead.base.units import KIB

# Options of mallopt(3) of the GNU C library.
_ARENA_MAX, _MMAP_THRESHOLD = -8, -3
_ARENAS = 2  # the default is eight per processor
_LARGE_BYTES = 256 * KIB  # larger allocations are mapped, and unmapped when freed
_NEW_OBJECTS = 20_000  # Python's default of 700 is reached many times per rendered page


def tune_gc() -> None:
    """Run the cycle collector less often, and exclude existing objects.

    For short-lived processes that allocate much and keep little.
    """
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS, *gc.get_threshold()[1:])


def limit_fragmentation() -> None:
    """Limit malloc arenas and map large blocks. Call before threads are started.

    For long-running processes: each arena keeps its peak memory, and glibc raises the mapping
    threshold once large blocks are freed.
    """
    if sys.platform == "linux":
        with suppress(AttributeError):  # other C libraries do not have these options
            library = ctypes.CDLL(None)
            library.mallopt(_ARENA_MAX, _ARENAS)
            library.mallopt(_MMAP_THRESHOLD, _LARGE_BYTES)


def release_memory() -> None:
    """Return freed memory to the operating system, which malloc would otherwise keep."""
    if sys.platform == "linux":
        with suppress(AttributeError):  # other C libraries do so automatically
            ctypes.CDLL(None).malloc_trim(0)
