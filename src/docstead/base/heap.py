"""The memory of this process."""

from __future__ import annotations

import ctypes
import gc
import sys
from contextlib import suppress

_NEW_OBJECTS = 20_000  # Python's own 700 are met many times while one page is drawn


def seldom_collect() -> None:
    """Look for cycles of objects less often, and never among those that there are by now.

    For processes that make much, keep little of it and end soon.
    """
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS, *gc.get_threshold()[1:])


def give_back() -> None:
    """Hand what was freed to the machine; much of it stays with the process otherwise."""
    if sys.platform == "linux":
        with suppress(AttributeError):  # other C libraries do so by themselves
            ctypes.CDLL(None).malloc_trim(0)
