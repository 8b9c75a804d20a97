"""seccomp filter that allows the system calls of `base.syscalls` only, some by argument.

Source: the kernel's `Documentation/userspace-api/seccomp_filter.rst`.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from docstead.base import syscalls
from docstead.base.kernel import call

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # uapi/linux/audit.h
_SET_MODE_FILTER, _GET_ACTION_AVAIL, _ALL_THREADS = 1, 2, 1
_KILL_PROCESS, _ERRNO, _ALLOW = 0x80000000, 0x00050000, 0x7FFF0000
_DENY, _UNKNOWN = _ERRNO | errno.EPERM, _ERRNO | errno.ENOSYS
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16

# classic BPF (uapi/linux/bpf_common.h)
_LOAD, _RETURN, _AND = 0x20, 0x06, 0x54
_IF_EQUAL, _IF_GREATER = 0x15, 0x25
_IF_OTHER = 0x115  # not an instruction: _IF_EQUAL with swapped branches

_CLONE_THREAD = 0x00010000
_CLONE_NAMESPACES = 0x7E020080  # new user, process, network, mount ... namespaces
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_TERMINAL, _NO_BLOCKING, _CLOSE_ON_EXEC, _READABLE = 0x5401, 0x5421, 0x5451, 0x541B
_IOCTLS = (_TERMINAL, _NO_BLOCKING, _CLOSE_ON_EXEC, _READABLE)
_FCNTLS = (*range(8), 36, 37, 38, 1030, 1032, 1033, 1034)  # none that affects another process
_UNIX, _STREAM = 1, 1  # family and type of a socket
_PRCTLS = (15, 16, 0x53564D41)  # names of threads and memory regions


@dataclass(frozen=True, slots=True)
class _FilterStep:
    """One instruction; `skip` is the number of instructions to skip if a test fails."""

    code: int
    value: int
    skip: int = 0

    def packed(self) -> bytes:
        if self.code == _IF_OTHER:
            return struct.pack("=HBBI", _IF_EQUAL, self.skip, 0, self.value)
        return struct.pack("=HBBI", self.code, 0, self.skip, self.value)


_Steps = tuple[_FilterStep, ...]


def has_seccomp(machine: str) -> bool:
    """Report whether the kernel supports filters, and this architecture has a table."""
    if machine not in _ARCHITECTURES:
        return False
    number = syscalls.numbers(syscalls.CONFINING, machine)["seccomp"]
    try:
        call(number, _GET_ACTION_AVAIL, 0, struct.pack("=I", _ERRNO))
    except OSError:
        return False
    return True


def install(machine: str, *, writes: bool) -> None:
    """Deny all other calls in all threads from now on; `no_new_privs` must be set.

    Without `writes`, files can be opened for reading only. Raises `OSError`.
    """
    program = b"".join(step.packed() for step in _program(machine, writes=writes))
    code = ctypes.create_string_buffer(program)
    header = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    number = syscalls.numbers(syscalls.CONFINING, machine)["seccomp"]
    if call(number, _SET_MODE_FILTER, _ALL_THREADS, header):
        raise OSError(errno.EBUSY, "a thread has a seccomp filter of its own")


def _program(machine: str, *, writes: bool) -> Iterator[_FilterStep]:
    yield _FilterStep(_LOAD, _ARCHITECTURE_AT)
    yield from _where(_IF_OTHER, _ARCHITECTURES[machine], _always(_KILL_PROCESS))
    yield _FilterStep(_LOAD, _NUMBER_AT)
    yield from _where(_IF_GREATER, syscalls.HIGHEST_KNOWN, _always(_UNKNOWN))
    for number in _allowed(machine, writes=writes):
        yield from _where(_IF_EQUAL, number, _always(_ALLOW))
    filtered = syscalls.numbers(syscalls.FILTERED_BY_ARGUMENT, machine)
    for name, steps in _by_argument(writes=writes).items():
        if name in filtered:
            yield from _where(_IF_EQUAL, filtered[name], steps)
    yield _FilterStep(_RETURN, _DENY)


def _allowed(machine: str, *, writes: bool) -> Iterator[int]:
    groups = [
        syscalls.FILES,
        syscalls.CONNECTED_SOCKETS,
        syscalls.MEMORY,
        syscalls.THREADS,
        syscalls.TIME,
        syscalls.SIGNALS,
        syscalls.IDENTITY,
    ]
    if writes:
        groups += (syscalls.CHANGES_OF_FOLDERS, syscalls.RECEIVED_DESCRIPTORS)
    for group in groups:
        yield from syscalls.numbers(group, machine).values()


def _by_argument(*, writes: bool) -> Mapping[str, _Steps]:
    """Return the checks of calls that are decided by argument."""
    me = os.getpid()
    return {
        "clone": _with_bits(0, _CLONE_THREAD | _CLONE_NAMESPACES, _CLONE_THREAD),
        "clone3": _always(_UNKNOWN),  # flags are in memory, so libraries fall back to `clone`
        "open": _always(_ALLOW) if writes else _with_bits(1, _WRITING, 0),
        "openat": _always(_ALLOW) if writes else _with_bits(2, _WRITING, 0),
        "ioctl": _one_of(1, _IOCTLS),
        "fcntl": _one_of(1, _FCNTLS),
        "prctl": _one_of(0, _PRCTLS),
        # Needed by event loops. Other types could send to any socket on the machine.
        "socketpair": (*_where_not(0, _UNIX), *_with_bits(1, 0xF, _STREAM)),
        "prlimit64": _one_of(0, (0, me)),
        "kill": _one_of(0, (me,)),
        "tgkill": _one_of(0, (me,)),
    }


def _where(test: int, value: int, steps: _Steps) -> _Steps:
    return (_FilterStep(test, value, skip=len(steps)), *steps)


def _always(action: int) -> _Steps:
    return (_FilterStep(_RETURN, action),)


def _one_of(argument: int, values: Sequence[int]) -> _Steps:
    """Allow the call if the low half of an argument is one of these values."""
    steps: list[_FilterStep] = [_load(argument)]
    for value in values:
        steps += _where(_IF_EQUAL, value, _always(_ALLOW))
    return (*steps, _FilterStep(_RETURN, _DENY))


def _with_bits(argument: int, mask: int, bits: int) -> _Steps:
    """Allow the call if the masked bits of an argument equal `bits`."""
    allow = _where(_IF_EQUAL, bits, _always(_ALLOW))
    return (_load(argument), _FilterStep(_AND, mask), *allow, _FilterStep(_RETURN, _DENY))


def _where_not(argument: int, value: int) -> _Steps:
    """Deny the call unless the low half of an argument is this value."""
    return (_load(argument), *_where(_IF_OTHER, value, _always(_DENY)))


def _load(argument: int) -> _FilterStep:
    """Load the low half of an argument, which suffices for these calls (little-endian)."""
    return _FilterStep(_LOAD, _ARGUMENTS_AT + 8 * argument)
