"""Builder process: `serve` runs in a newly forked process and never returns.

It enters its sandbox first and then runs the host's tasks one by one.
"""

from __future__ import annotations

import os
import resource
import signal
import socket
import sys
import tempfile
import threading
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from docstead.base.decoders import msgpack_decoder
from docstead.base.errors import DocsteadError
from docstead.base.machine import DiskFull, is_full_disk
from docstead.base.sandbox import SandboxPaths, close_descriptors, confine, own_code
from docstead.publishing.builders.errors import as_error
from docstead.publishing.builders.loss import OUT_OF_MEMORY
from docstead.publishing.builders.messages import (
    START,
    TO_BUILDER,
    BuilderConnection,
    BuilderStart,
    ConnectionClosed,
    HostReply,
    HostRequest,
    RunTask,
    TaskError,
    TaskResult,
    raw,
)
from docstead.publishing.builders.task import find_task
from docstead.publishing.builders.workers import lent_worker
from docstead.rendering import EngineLimits, RenderingEngine
from docstead.rendering.process import EngineFailed, Worker

_DETAIL_CHARACTERS = 8_000
_OPEN_FILES = 512
_TURN_SECONDS = 0.0005  # until a thread gives way to those that send pages to waiting workers


def serve(connection: socket.socket) -> NoReturn:
    """Enter the sandbox and run the host's tasks until it closes the connection."""
    status = 1
    with suppress(ConnectionClosed, KeyboardInterrupt):
        channel = BuilderConnection(connection)
        start = START.decode(channel.receive())
        _prepare(start, connection.fileno())
        try:
            _TaskLoop(channel, Path(start.folders.scratch)).work()
        except MemoryError:
            status = OUT_OF_MEMORY
    os._exit(status)


def _prepare(start: BuilderStart, descriptor: int) -> None:
    _be_silent()
    sys.setswitchinterval(_TURN_SECONDS)
    code = own_code()  # configured by environment variables
    close_descriptors([descriptor])
    os.environ.clear()
    os.chdir(start.folders.scratch)
    tempfile.tempdir = start.folders.scratch
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, start.file_bytes)
    _limit(resource.RLIMIT_NOFILE, _OPEN_FILES)
    if sys.platform == "linux":  # other systems interpret the limit differently
        _limit(resource.RLIMIT_DATA, _data_bytes() + start.memory_bytes)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # exceeding it raises OSError
    folders = start.folders
    paths = SandboxPaths(
        read=(*code, *map(Path, folders.read)),
        write=(Path(folders.scratch), *map(Path, folders.write)),
    )
    confine(paths, start.sandbox)


def _be_silent() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)


def _limit(kind: int, value: int) -> None:
    with suppress(ValueError, OSError):
        _, hard = resource.getrlimit(kind)
        most = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (most, most))


def _data_bytes() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmData:"):
            return int(line.split()[1]) * 1024
    return 0


class _TaskLoop:
    """Runs tasks and provides their `TaskContext`."""

    def __init__(self, channel: BuilderConnection, scratch: Path) -> None:
        self.kept: dict[str, Any] = {}
        self.scratch = scratch
        self._channel = channel
        self._lock = threading.Lock()  # engines request workers from their own threads

    def work(self) -> None:
        while True:
            data, _ = self._channel.receive_with_descriptors()
            message = TO_BUILDER.decode(data)
            if isinstance(message, RunTask):
                self._send(self._outcome(message))

    def _outcome(self, run: RunTask) -> TaskResult | TaskError:
        try:
            task = find_task(run.task)
            result = task.function(task.arguments.decode(run.argument), self)
            return TaskResult(raw(result))
        except (ConnectionClosed, MemoryError):
            raise
        except DocsteadError as error:
            return TaskError(type(error).__name__, error.message)
        except Exception as error:
            if is_full_disk(error):
                message = f"{self.scratch}: no space is left on this disk; free some space"
                return TaskError(DiskFull.__name__, message)
            trace = traceback.format_exc()[-_DETAIL_CHARACTERS:]
            return TaskError("", f"{type(error).__name__}", trace)

    def ask(self, name: str, argument: object, kind: Any) -> Any:
        return msgpack_decoder(kind).decode(self._asked(name, argument)[0].value)

    def note(self, name: str, argument: object) -> None:
        self._send(HostRequest(name, raw(argument), is_note=True))

    def engine(self, workers: int) -> RenderingEngine:
        return RenderingEngine(workers, start=self._worker)

    def _worker(self, limits: EngineLimits, *, warms_up: bool) -> Worker:
        answer, descriptors = self._asked("worker", warms_up)
        if not descriptors:
            raise EngineFailed
        number = msgpack_decoder(int).decode(answer.value)
        return lent_worker(limits, descriptors[0], lambda: self.note("end worker", number))

    def _asked(self, name: str, argument: object) -> tuple[HostReply, list[int]]:
        with self._lock:
            self._channel.send(HostRequest(name, raw(argument)))
            data, descriptors = self._channel.receive_with_descriptors()
        answer = TO_BUILDER.decode(data)
        if not isinstance(answer, HostReply):
            raise ConnectionClosed
        if answer.error:
            raise as_error(answer.error, answer.message)
        return answer, descriptors

    def _send(self, message: object) -> None:
        with self._lock:
            self._channel.send(message)
