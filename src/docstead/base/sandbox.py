"""Sandbox for processes that handle untrusted files: call `confine` before reading them.

Three independent layers: no new privileges and no capabilities; Landlock, which leaves the given
paths and no network; seccomp, which leaves the system calls needed for reading, computing and
replying. None can be undone, and all apply to threads.
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
_CAPABILITIES = struct.Struct("=6I")  # effective, permitted, inheritable; two words of 32 bits each
_FILE_CAPABILITIES = 0b110  # root may have to read a package owned by another user
_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache")
_LANDLOCK_OF_ALL_THREADS = 8  # first ABI that can confine existing threads


class SandboxMode(StrEnum):
    """The setting `sandbox`."""

    REQUIRED = "required"  # fail if a layer is missing
    AUTO = "auto"  # use the layers that the machine supports
    OFF = "off"


EARLY_MODE = SandboxMode.AUTO  # of a worker that starts before the settings are read


class SandboxFailed(DocsteadError):
    """The sandbox that the settings require is unavailable."""


@dataclass(frozen=True, slots=True)
class SandboxPaths:
    """Accessible paths, including everything below folders."""

    read: tuple[Path, ...] = ()
    write: tuple[Path, ...] = ()  # also readable


@dataclass(frozen=True, slots=True)
class Confinement:
    """Layers that a machine supports, or that apply to a process."""

    landlock_abi: int = 0  # 0 for none
    seccomp: bool = False

    @property
    def is_complete(self) -> bool:
        return bool(self.landlock_abi) and self.seccomp

    def __str__(self) -> str:
        landlock = f"Landlock (ABI {self.landlock_abi})" if self.landlock_abi else "no Landlock"
        return f"{'seccomp' if self.seccomp else 'no seccomp'}, {landlock}"


def supported() -> Confinement:
    """Return the layers that this machine supports, without changing anything."""
    if sys.platform != "linux":
        return Confinement()
    machine = platform.machine()
    return Confinement(landlock_abi(machine), seccomp.has_seccomp(machine))


def confine(paths: SandboxPaths, mode: SandboxMode = SandboxMode.AUTO) -> Confinement:
    """Confine this process permanently, and return the layers that apply.

    Call before the process has threads. Open files and sockets stay open: close those that it must
    not have (`close_descriptors`).

    Raises:
        SandboxFailed: a required layer is missing, or there are threads.
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
    """Raise `SandboxFailed` if the mode requires layers that this machine lacks."""
    if mode == SandboxMode.REQUIRED:
        _require(supported())


def own_code() -> tuple[Path, ...]:
    """Return the paths of interpreter, installed packages and Docstead, including assets."""
    added = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    packages = (*site.getsitepackages(), site.getusersitepackages(), *added)
    folders = (Path(os.__file__).parent, *map(Path, packages), Path(__file__).parents[1])
    return (*folders, *map(Path, _LIBRARIES))


def close_descriptors(keep: Iterable[int]) -> None:
    """Close all open files and sockets except these and the standard streams."""
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
    """Report whether a step succeeded; containers may deny what the kernel supports."""
    with suppress(OSError):
        step()
        return True
    return False


def _give_up_privileges(machine: str) -> None:
    """Drop capabilities, and prevent executed programs from gaining privileges."""
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
