"""Landlock: irrevocably restricts files, TCP, signals and abstract sockets of a process.

Source: the kernel's `Documentation/userspace-api/landlock.rst` and `uapi/linux/landlock.h`.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable
from pathlib import Path

from docstead.base.kernel import call
from docstead.base.syscalls import CONFINING, numbers

_VERSION = 1  # flag of landlock_create_ruleset
_PATH_BENEATH = 1  # type of rule
_ALL_THREADS = 1 << 3  # flag of landlock_restrict_self, from ABI 8

# File access rights by bit; each group with the ABI that added its last one.
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_REG = 1 << 4, 1 << 5, 1 << 7, 1 << 8
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_OF_A_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_READ = _READ_FILE | _READ_DIR
# Without links, devices, sockets and pipes: another process may open what is left behind.
_WRITE = _READ | _WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG
_WRITE |= _REFER | _TRUNCATE

_NETWORK_ABI, _TCP = 4, 0b11  # bind and connect
_SCOPE_ABI, _SCOPES = 6, 0b11  # abstract Unix sockets and signals
_ALL_THREADS_ABI = 8


def landlock_abi(machine: str) -> int:
    """Return the kernel's Landlock ABI version; 0 if it is unavailable."""
    try:
        return call(numbers(CONFINING, machine)["landlock_create_ruleset"], None, 0, _VERSION)
    except (KeyError, OSError):
        return 0


def restrict(machine: str, abi: int, read: Iterable[Path], write: Iterable[Path]) -> None:
    """Restrict this process, before it has threads, to files below the given paths.

    Inaccessible paths are skipped. Raises `OSError`.
    """
    syscalls = numbers(CONFINING, machine)
    ruleset = _create_ruleset(syscalls["landlock_create_ruleset"], abi)
    try:
        for rights, paths in ((_READ, read), (_WRITE, write)):
            for path in paths:
                _allow(syscalls["landlock_add_rule"], ruleset, path, rights & _handled(abi))
        flags = _ALL_THREADS if abi >= _ALL_THREADS_ABI else 0
        call(syscalls["landlock_restrict_self"], ruleset, flags)
    finally:
        os.close(ruleset)


def _handled(abi: int) -> int:
    """Return all file access rights of an ABI, which are denied without a rule."""
    return (1 << max(bits for since, bits in _FILE_RIGHTS.items() if since <= abi)) - 1


def _create_ruleset(number: int, abi: int) -> int:
    fields = [_handled(abi)]
    if abi >= _NETWORK_ABI:
        fields.append(_TCP)
    if abi >= _SCOPE_ABI:
        fields.append(_SCOPES)
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    return call(number, attributes, len(attributes), 0)


def _allow(number: int, ruleset: int, path: Path, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return
    try:
        if not path.is_dir():
            rights &= _OF_A_FILE
        rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, descriptor))
        call(number, ruleset, _PATH_BENEATH, rule, 0)
    finally:
        os.close(descriptor)
