"""Temporary files of the tests in memory, if the machine has enough.

SQLite waits for the disk at each commit and when a file is closed, and most tests have a new
database. No test data has to survive a restart of the machine.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

_MEMORY = Path("/dev/shm")
_PREFIX = "ds-"  # short: the path of a socket has at most 107 characters
_NEEDED_BYTES = 8 << 30  # several times what the whole suite writes
_KIB = 1 << 10
_CONTAINER_LIMITS = ("memory.max", "memory/memory.limit_in_bytes")  # both versions


def use_memory() -> None:
    """Let this process and what it starts write temporary files to memory.

    Does nothing if a variable already names a folder for temporary files.
    """
    _remove_ended_runs()
    if "TMPDIR" not in os.environ and _has_space():
        folder = tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=_MEMORY)
        Path(folder).chmod(0o755)  # the user of PostgreSQL needs access
        os.environ["TMPDIR"] = folder
        tempfile.tempdir = None  # is read again


def release_memory() -> None:
    """Remove the folder of this process."""
    for folder in _MEMORY.glob(f"{_PREFIX}{os.getpid()}-*"):
        shutil.rmtree(folder, ignore_errors=True)


def _remove_ended_runs() -> None:
    """Remove folders left by failed runs, so that only the last one is in memory."""
    for folder in _MEMORY.glob(f"{_PREFIX}*"):
        process = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if not Path("/proc", process).exists():
            shutil.rmtree(folder, ignore_errors=True)


def _has_space() -> bool:
    if not _MEMORY.is_dir():
        return False
    found = os.statvfs(_MEMORY)
    free = min(found.f_bavail * found.f_frsize, _available_bytes(), _container_bytes())
    return free >= _NEEDED_BYTES and not found.f_flag & os.ST_NOEXEC


def _available_bytes() -> int:
    found = re.search(r"^MemAvailable: +(\d+) kB", _text(Path("/proc/meminfo")), re.MULTILINE)
    return int(found[1]) * _KIB if found else 0


def _container_bytes() -> int:
    """Return the memory limit of the container."""
    limits = (_text(Path("/sys/fs/cgroup", each)).strip() for each in _CONTAINER_LIMITS)
    return min((int(each) for each in limits if each.isdecimal()), default=_NEEDED_BYTES)


def _text(path: Path) -> str:
    with suppress(OSError):
        return path.read_text()
    return ""
