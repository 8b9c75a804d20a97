"""Processes of git within limits: memory, processor time, sizes of files, and of what they print.

A repository and its server decide what git allocates and prints: a delta of some bytes unpacks to
any size, and a server may send names of branches and messages without an end.
"""

from __future__ import annotations

import contextlib
import math
import os
import resource
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from docstead.base.units import GIB, MIB

MEMORY_BYTES = GIB
OUTPUT_BYTES = 256 * MIB
MESSAGE_BYTES = MIB
_BLOCK_BYTES = 1 << 16


class OutputTooLong(Exception):
    """Git printed more than it may."""


def limit_resources(
    process: subprocess.Popen[bytes], seconds: float, file_bytes: int | None
) -> None:
    """Set limits that the kernel enforces even if this process is killed before git ends."""
    if sys.platform != "linux":
        return
    limits = {
        resource.RLIMIT_CPU: math.ceil(seconds) * (os.cpu_count() or 1),
        resource.RLIMIT_DATA: MEMORY_BYTES,
    }
    if file_bytes is not None:
        limits[resource.RLIMIT_FSIZE] = file_bytes
    _limit_family(process.pid, limits)


def _limit_family(pid: int, limits: dict[int, int]) -> None:
    """Limit a process, and those that it started before it was limited."""
    for name, limit in limits.items():
        with contextlib.suppress(ProcessLookupError, PermissionError):  # ended; has a lower limit
            resource.prlimit(pid, name, (limit, limit))
    for child in _children(pid):
        _limit_family(child, limits)


def _children(pid: int) -> Iterator[int]:
    with contextlib.suppress(OSError), os.scandir(f"/proc/{pid}/task") as threads:
        for thread in threads:
            yield from map(int, Path(thread.path, "children").read_text().split())


@dataclass(slots=True)
class GitExchange:
    """Input and output of a process, each stream up to a limit."""

    process: subprocess.Popen[bytes]
    sent: memoryview
    output_bytes: int
    output: bytearray = field(default_factory=bytearray)
    messages: bytearray = field(default_factory=bytearray)

    def run(self, timeout_seconds: float) -> None:
        """Exchange everything and wait for the end of the process.

        Raises:
            OutputTooLong: a stream exceeds its limit.
            subprocess.TimeoutExpired: the process did not end in time.
        """
        deadline = time.monotonic() + timeout_seconds
        with selectors.DefaultSelector() as selector:
            self._register(selector)
            while selector.get_map():
                ready = selector.select(max(0.0, deadline - time.monotonic()))
                if not ready:
                    raise subprocess.TimeoutExpired(self.process.args, timeout_seconds)
                for key, _ in ready:
                    if not key.data(key.fd):
                        selector.unregister(key.fileobj)
                        key.fileobj.close()  # type: ignore[union-attr]
        self.process.wait(max(0.0, deadline - time.monotonic()))

    def _register(self, selector: selectors.BaseSelector) -> None:
        process = self.process
        if process.stdout is not None:
            selector.register(process.stdout, selectors.EVENT_READ, self._read_output)
        if process.stderr is not None:
            selector.register(process.stderr, selectors.EVENT_READ, self._read_messages)
        if process.stdin is not None:
            os.set_blocking(process.stdin.fileno(), False)
            selector.register(process.stdin, selectors.EVENT_WRITE, self._write)

    def _read_output(self, descriptor: int) -> bool:
        return _read(descriptor, self.output, self.output_bytes)

    def _read_messages(self, descriptor: int) -> bool:
        return _read(descriptor, self.messages, MESSAGE_BYTES)

    def _write(self, descriptor: int) -> bool:
        """Write a part; report whether there is more to write."""
        try:
            written = os.write(descriptor, self.sent[:_BLOCK_BYTES])
        except BrokenPipeError:
            return False
        self.sent = self.sent[written:]
        return bool(self.sent)


def _read(descriptor: int, kept: bytearray, limit_bytes: int) -> bool:
    """Read a part; report whether the stream goes on."""
    part = os.read(descriptor, _BLOCK_BYTES)
    kept += part
    if len(kept) > limit_bytes:
        raise OutputTooLong
    return bool(part)


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process with all that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()
    process.wait()
