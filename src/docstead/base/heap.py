"""The memory of this process."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress


def give_back() -> None:
    """Hand what was freed to the machine; much of it stays with the process otherwise."""
    if sys.platform == "linux":
        with suppress(AttributeError):  # other C libraries do so by themselves
            ctypes.CDLL(None).malloc_trim(0)
