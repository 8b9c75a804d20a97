"""Forked child processes, which end with their parent."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable

_SET_PARENT_DEATH_SIGNAL = 1  # prctl (uapi/linux/prctl.h)


def fork(run: Callable[[], object]) -> int:
    """Return the pid of a child that runs a function and exits."""
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        try:
            _die_with(parent)
            run()
        finally:
            os._exit(1)
    return pid


def end_child(pid: int) -> int:
    """Kill a child if it is running; return its exit status, negative for a signal."""
    found, status = os.waitpid(pid, os.WNOHANG)
    if not found:
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


def _die_with(parent: int) -> None:
    """Let the kernel kill this process when its parent dies."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)
