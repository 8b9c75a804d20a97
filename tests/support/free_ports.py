"""Ports that stay free between being chosen and being used.

The kernel may assign ports of its ephemeral range to other connections at any time, so these
are below it. Each test process has its own range.
"""

from __future__ import annotations

import itertools
import os
import secrets
import socket

_FIRST, _COUNT, _PROCESSES = 12_000, 20_000, 8
_SHARE = _COUNT // _PROCESSES
_PROCESS = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % _PROCESSES
_NUMBERS = itertools.count(secrets.randbelow(_SHARE))


def free_port() -> int:
    """Return a port of this machine's loopback IP addresses, never the same one soon again."""
    for _ in range(_SHARE):
        port = _FIRST + _PROCESS * _SHARE + next(_NUMBERS) % _SHARE
        if _is_free(port):
            return port
    raise OSError("no port is free")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("", port))
        except OSError:
            return False
    return True
