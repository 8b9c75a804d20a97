"""Runs a command of the product on a machine that lacks something.

`broken_machine.py [OPTION=VALUE]... -- ARGUMENTS`, with the options of `_LACKS`. A disk of its own
needs a mount namespace; `has_mounts` says whether this machine allows one.
"""

from __future__ import annotations

import ctypes
import os
import resource
import runpy
import sys
from pathlib import Path

_NEW_MOUNTS, _NEW_USER = 0x00020000, 0x10000000
_PRIVATE, _RECURSIVE, _BIND, _REMOUNT, _READ_ONLY = 1 << 18, 1 << 14, 1 << 12, 1 << 5, 1
_libc = ctypes.CDLL(None, use_errno=True)


def has_mounts() -> bool:
    """Report whether a process of this user may mount folders for itself."""
    if (child := os.fork()) == 0:
        try:
            _own_mounts()
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def _own_mounts() -> None:
    user, group = os.getuid(), os.getgid()
    _check(_libc.unshare(_NEW_USER | _NEW_MOUNTS))
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    _mount("none", "/", "", _PRIVATE | _RECURSIVE)


def _mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    parts = (source.encode(), target.encode(), kind.encode() or None)
    _check(_libc.mount(*parts, ctypes.c_ulong(flags), options.encode() or None))


def _check(result: int) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _small_disk(value: str) -> None:
    """Mount a disk of limited size: `SIZE:FOLDER`."""
    size, _, folder = value.partition(":")
    _own_mounts()
    _mount("tmpfs", folder, "tmpfs", 0, f"size={size}")


def _read_only(folder: str) -> None:
    _own_mounts()
    _mount(folder, folder, "", _BIND)
    _mount("none", folder, "", _REMOUNT | _BIND | _READ_ONLY)


def _limit(kind: int, value: str) -> None:
    resource.setrlimit(kind, (int(value), int(value)))


_LACKS = {
    "small-disk": _small_disk,
    "read-only": _read_only,
    "open-files": lambda value: _limit(resource.RLIMIT_NOFILE, value),
    "address-space": lambda value: _limit(resource.RLIMIT_AS, value),
}


def main(arguments: list[str]) -> None:
    end = arguments.index("--")
    for option in arguments[:end]:
        name, _, value = option.partition("=")
        _LACKS[name](value)
    sys.argv = ["docstead", *arguments[end + 1 :]]
    runpy.run_module("docstead.cli", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1:])
