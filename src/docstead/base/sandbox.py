"""Sandbox of a process that works on files of others: call `confine` before it reads the first one.

Three independent layers: no new privileges and no capabilities; Landlock, which
leaves the paths that are given and no network; seccomp, which leaves the system calls that
reading, computing and answering need. None can be undone, and threads have them too.
"""

from __future__ import annotations

import ctypes
import os
import platform
import site
import struct
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from docstead.base import seccomp
from docstead.base.errors import DocsteadError
from docstead.base.kernel import call
from docstead.base.landlock import landlock_abi, restrict
from docstead.base.syscalls import CONFINING, numbers

_SET_NO_NEW_PRIVILEGES = 38  # prctl (uapi/linux/prctl.h)
_CAPABILITY_VERSION = 0x20080522  # uapi/linux/capability.h
_CAPABILITIES = struct.Struct("=6I")  # effective, permitted, inheritable; twice 32 of them
_FILE_CAPABILITIES = 0b110  # root may have to read a package that another user owns
_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache")
_LANDLOCK_OF_ALL_THREADS = 8  # the ABI that can confine threads that exist already


class SandboxMode(StrEnum):
    """The setting `sandbox`."""

    REQUIRED = "required"  # work on files of others fails where a layer is missing
    AUTO = "auto"  # the layers that the machine has
    OFF = "off"


class SandboxFailed(DocsteadError):
    """The sandbox that the settings require is not available."""


@dataclass(frozen=True, slots=True)
class SandboxPaths:
    """Paths that a process keeps; folders with all that is below them."""

    read: tuple[Path, ...] = ()
    write: tuple[Path, ...] = ()  # readable too


@dataclass(frozen=True, slots=True)
class Confinement:
    """The layers that a machine has, or that a process is held by."""

    landlock_abi: int = 0  # 0 is none
    seccomp: bool = False

    @property
    def is_complete(self) -> bool:
        return bool(self.landlock_abi) and self.seccomp

    def __str__(self) -> str:
        landlock = f"Landlock (ABI {self.landlock_abi})" if self.landlock_abi else "no Landlock"
        return f"{'seccomp' if self.seccomp else 'no seccomp'}, {landlock}"


def supported() -> Confinement:
    """The layers that this machine has. Changes nothing."""
    if sys.platform != "linux":
        return Confinement()
    machine = platform.machine()
    return Confinement(landlock_abi(machine), seccomp.has_seccomp(machine))


def confine(paths: SandboxPaths, mode: SandboxMode = SandboxMode.AUTO) -> Confinement:
    """Confine this process permanently, and return the layers that hold it.

    To be called before the process has threads. Files and sockets that are open stay so:
    close those that it should not have (`close_descriptors`).

    Raises:
        SandboxFailed: a layer is missing and the mode requires it, or there are threads.
    """
    if mode == SandboxMode.OFF:
        return Confinement()
    available = supported()
    if mode == SandboxMode.REQUIRED:
        _require(available)
    held = _enter_sandbox(paths, available) if available != Confinement() else available
    if mode == SandboxMode.REQUIRED:
        _require(held)
    return held


def require_sandbox(mode: SandboxMode) -> None:
    """Raise `SandboxFailed` where the mode requires what this machine lacks."""
    if mode == SandboxMode.REQUIRED:
        _require(supported())


def own_code() -> tuple[Path, ...]:
    """Paths of the interpreter, of the installed packages and of this one, assets included."""
    added = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    packages = (*site.getsitepackages(), site.getusersitepackages(), *added)
    folders = (Path(os.__file__).parent, *map(Path, packages), Path(__file__).parents[1])
    return (*folders, *map(Path, _LIBRARIES))


def close_descriptors(keep: Iterable[int]) -> None:
    """Close all open files and sockets but the given ones and the three standard streams."""
    following = 3
    for descriptor in sorted(set(keep)):
        os.closerange(following, descriptor)
        following = max(following, descriptor + 1)
    os.closerange(following, os.sysconf("SC_OPEN_MAX"))


def _require(layers: Confinement) -> None:
    if not layers.is_complete:
        raise SandboxFailed(
            f"the setting `sandbox` is `required`, but this machine has {layers}: "
            "use a Linux kernel from 5.13 on with Landlock, or set it to `auto`"
        )


def _enter_sandbox(paths: SandboxPaths, available: Confinement) -> Confinement:
    machine = platform.machine()
    abi = available.landlock_abi
    if abi and abi < _LANDLOCK_OF_ALL_THREADS and _thread_count() > 1:
        raise SandboxFailed("a process can only be confined before it has threads")
    _give_up_privileges(machine)
    has_landlock = abi and _done(lambda: restrict(machine, abi, paths.read, paths.write))
    has_seccomp = available.seccomp and _done(
        lambda: seccomp.install(machine, writes=bool(paths.write))
    )
    return Confinement(abi if has_landlock else 0, has_seccomp)


def _done(step: Callable[[], None]) -> bool:
    """Whether a step succeeded; a container may refuse what its kernel can do."""
    with suppress(OSError):
        step()
        return True
    return False


def _give_up_privileges(machine: str) -> None:
    """Nothing that is executed gains rights, and a process of root keeps few."""
    with suppress(OSError, KeyError):
        syscalls = numbers(CONFINING, machine)
        call(syscalls["prctl"], _SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
        held = ctypes.create_string_buffer(_CAPABILITIES.size)
        call(syscalls["capget"], header, held)
        _, permitted, *_ = _CAPABILITIES.unpack(held.raw)
        kept = permitted & _FILE_CAPABILITIES
        call(syscalls["capset"], header, _CAPABILITIES.pack(kept, kept, 0, 0, 0, 0))


def _thread_count() -> int:
    tasks = Path("/proc/self/task")
    return len(list(tasks.iterdir())) if tasks.exists() else 1
