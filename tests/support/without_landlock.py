"""Runs a command as if the kernel had no Landlock.

    python without_landlock.py COMMAND...

A seccomp filter answers Landlock's three system calls with ENOSYS, as an older kernel does; the
command and its processes inherit it. No privileges are needed.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys

_SET_NO_NEW_PRIVILEGES, _SET_SECCOMP, _MODE_FILTER = 38, 22, 2  # uapi/linux/prctl.h, seccomp.h
_FIRST, _LAST = 444, 446  # landlock_create_ruleset to landlock_restrict_self, on every machine
_LOAD, _IF_AT_LEAST, _IF_ABOVE, _RETURN = 0x20, 0x35, 0x25, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_STEPS = (
    (_LOAD, 0, 0, 0),  # the number of the call
    (_IF_AT_LEAST, 0, 2, _FIRST),
    (_IF_ABOVE, 1, 0, _LAST),
    (_RETURN, 0, 0, _ERRNO | errno.ENOSYS),
    (_RETURN, 0, 0, _ALLOW),
)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def take_landlock_away() -> None:
    """Install the filter for this process and its children."""
    steps = b"".join(struct.pack("=HBBI", *step) for step in _STEPS)
    program = _Program(len(_STEPS), steps)
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    for arguments in (
        (_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0),
        (_SET_SECCOMP, _MODE_FILTER, ctypes.byref(program), 0, 0),
    ):
        if prctl(*arguments) != 0:
            raise OSError(ctypes.get_errno(), "the filter cannot be installed")


if __name__ == "__main__":
    take_landlock_away()
    os.execvp(sys.argv[1], sys.argv[1:])
