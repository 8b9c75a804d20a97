"""System calls without a Python function."""

from __future__ import annotations

import ctypes
import os


def call(number: int, *arguments: object) -> int:
    """Return the result of a system call. Raises `OSError` with the kernel's errno."""
    function = ctypes.CDLL(None, use_errno=True).syscall
    function.restype = ctypes.c_long
    result: int = function(ctypes.c_long(number), *map(_as_long, arguments))
    if result == -1:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def _as_long(argument: object) -> object:
    return ctypes.c_long(argument) if isinstance(argument, int) else argument
