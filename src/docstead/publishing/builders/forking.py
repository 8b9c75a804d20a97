"""Client of the fork server: a process that is started on demand and replaced if it dies."""

from __future__ import annotations

import mimetypes
import os
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from typing import NoReturn, Protocol

from docstead.base.errors import Unavailable
from docstead.base.forking import end_child
from docstead.base.sandbox import EARLY_MODE, close_descriptors
from docstead.publishing.builders.fork_server import (
    BUILDER,
    END,
    MODES,
    POLL,
    REHEARSING_WORKER,
    REPLY,
    REQUEST,
    RUNNING,
    WORKER,
    fork_builder,
    main,
)
from docstead.rendering import EngineLimits
from docstead.rendering.process import Worker

# Modules must not be imported from the working directory, which may contain untrusted content.
_PROGRAM = (sys.executable, "-P", "-m", "docstead.publishing.builders.fork_server")
_ENVIRONMENT = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TMPDIR")


class WarmParent(Protocol):
    """Interface for starting builders and V8 workers, and ending builders."""

    def prepare(self) -> None: ...
    def fork(self, descriptor: int) -> int: ...
    def end(self, pid: int) -> int: ...
    def start_worker(self, limits: EngineLimits, *, warms_up: bool) -> Worker: ...
    def close(self) -> None: ...


class OwnProcess:
    """Forks builders from this process: for commands that build once and hold no secrets."""

    def __init__(self) -> None:
        self._builders: set[int] = set()

    def prepare(self) -> None:
        mimetypes.init()  # reads system files, which builders cannot access

    def fork(self, descriptor: int) -> int:
        """Return the pid of a builder connected to this descriptor."""
        self.prepare()
        pid = fork_builder(descriptor)
        self._builders.add(pid)
        return pid

    def end(self, pid: int) -> int:
        """Kill a builder and return its exit status."""
        self._builders.discard(pid)
        return end_child(pid)

    def poll(self, pid: int) -> int | None:
        """Return the exit status of a child, or None while it runs."""
        found, status = os.waitpid(pid, os.WNOHANG)
        return os.waitstatus_to_exitcode(status) if found else None

    def start_worker(self, limits: EngineLimits, *, warms_up: bool) -> Worker:
        """Return a worker in a new process, because V8 and this process may have threads."""
        return Worker(limits, warms_up=warms_up)

    def close(self) -> None:
        while self._builders:
            end_child(self._builders.pop())


class _ChildProcess(Protocol):
    @property
    def pid(self) -> int: ...
    def poll(self) -> int | None: ...
    def wait(self) -> int | None: ...


class ForkServer:
    """Thread-safe client that forks and ends builders and V8 workers. It must be closed."""

    def __init__(self, modules: tuple[str, ...]) -> None:
        self._modules = modules
        self._process: _ChildProcess | None = None
        self._connection: socket.socket | None = None
        self._lock = threading.Lock()

    @property
    def pid(self) -> int | None:
        """Process id of the fork server, or None if it is not running."""
        return self._process.pid if self._process else None

    def prepare(self) -> None:
        with self._lock:
            self._connected()

    def fork(self, descriptor: int) -> int:
        """Return the pid of a builder connected to this descriptor.

        Raises:
            Unavailable: no process could be started.
        """
        return self._forked(REQUEST.pack(BUILDER, 0), descriptor)

    def start_worker(self, limits: EngineLimits, *, warms_up: bool) -> Worker:
        """Return a forked V8 worker.

        Raises:
            Unavailable: no process could be started.
        """
        kind = REHEARSING_WORKER if warms_up else WORKER
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                request = REQUEST.pack(kind, MODES.index(limits.sandbox))
                pid = self._forked(request, theirs.fileno())
            except Unavailable:
                ours.close()
                raise
        return Worker.connected(limits, ours, _ForkedWorker(self, pid))

    def end(self, pid: int) -> int:
        """Kill a child and return its exit status; 0 if it ended with its fork server."""
        return self._asked(END, pid)

    def poll(self, pid: int) -> int | None:
        """Return the exit status of a child and forget it, or None while it runs."""
        status = self._asked(POLL, pid)
        return None if status == RUNNING else status

    def _forked(self, request: bytes, descriptor: int) -> int:
        with self._lock:
            for _ in range(2):
                connection = self._connected()
                with suppress(OSError):
                    socket.send_fds(connection, [request], [descriptor])
                    if reply := _received(connection):
                        return int(REPLY.unpack(reply)[0])
                self._stop()
        raise Unavailable(
            "no build process could be started, because the machine has too little memory or too "
            "many processes, or somebody killed it: try again"
        )

    def _asked(self, kind: bytes, pid: int) -> int:
        with self._lock, suppress(OSError):
            if self._connection is not None:
                self._connection.sendall(REQUEST.pack(kind, pid))
                if reply := _received(self._connection):
                    return int(REPLY.unpack(reply)[0])
                self._stop()
        return 0

    def close(self) -> None:
        with self._lock:
            self._stop()

    def _connected(self) -> socket.socket:
        if self._process is not None and self._process.poll() is not None:
            self._stop()
        if self._connection is None:
            self._connection, theirs = socket.socketpair()
            with theirs:
                self._process = subprocess.Popen(
                    [*_PROGRAM, str(theirs.fileno()), *self._modules],
                    pass_fds=[theirs.fileno()],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
                )
        return self._connection

    def _stop(self) -> None:
        """End the fork server and with it all builders."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._process is not None:
            self._process.wait()
            self._process = None


class _ForkedWorker:
    """A forked worker process (`WorkerProcess`)."""

    def __init__(self, parent: ForkServer | OwnProcess, pid: int) -> None:
        self.pid = pid
        self._parent = parent
        self._status: int | None = None

    def poll(self) -> int | None:
        if self._status is None:
            self._status = self._parent.poll(self.pid)
        return self._status

    def wait(self, timeout: float | None = None) -> int:  # noqa: ARG002 - as Popen has it
        """Kill the worker, which has nothing to finish."""
        if self._status is None:
            self._status = self._parent.end(self.pid)
        return self._status

    def kill(self) -> None:
        self.wait()


class CommandForkServer(ForkServer):
    """Fork server forked from a command that has already imported the modules.

    `begin` must precede reading the settings, so that builders do not inherit secrets. If it dies,
    a separate process replaces it.
    """

    _early_worker: tuple[socket.socket, int] | None = None

    def take_worker(self, channel: socket.socket, pid: int) -> None:
        """Use a V8 worker that the command has forked as the first one."""
        self._early_worker = channel, pid

    def start_worker(self, limits: EngineLimits, *, warms_up: bool) -> Worker:
        if self._early_worker is not None and limits.sandbox is EARLY_MODE:
            (channel, pid), self._early_worker = self._early_worker, None
            return Worker.connected(limits, channel, _ForkedWorker(OwnProcess(), pid))
        return super().start_worker(limits, warms_up=warms_up)

    def close(self) -> None:
        if self._early_worker is not None:
            self._early_worker[0].close()
            end_child(self._early_worker[1])
            self._early_worker = None
        super().close()

    def begin(self, *, prepares: bool = True) -> None:
        """Fork the process, before any threads start; see `fork_server.main` for `prepares`."""
        ours, theirs = socket.socketpair()
        with theirs:
            pid = os.fork()
            if pid == 0:
                _become_fork_server(theirs.fileno(), self._modules, prepares=prepares)
        self._connection, self._process = ours, _ForkedProcess(pid)


class _ForkedProcess:
    """A forked process with the subset of `subprocess.Popen` that a fork server needs."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._status: int | None = None

    def poll(self) -> int | None:
        return self._status if self._status is not None else self._waited(os.WNOHANG)

    def wait(self) -> int | None:
        return self._status if self._status is not None else self._waited(0)

    def _waited(self, options: int) -> int | None:
        found, status = os.waitpid(self.pid, options)
        self._status = os.waitstatus_to_exitcode(status) if found else None
        return self._status


def _become_fork_server(descriptor: int, modules: tuple[str, ...], *, prepares: bool) -> NoReturn:
    try:
        close_descriptors([descriptor])
        for name in os.environ.keys() - set(_ENVIRONMENT):
            del os.environ[name]
        main(descriptor, modules, prepares=prepares)
    finally:
        os._exit(1)


def _received(connection: socket.socket) -> bytes:
    data = b""
    while len(data) < REPLY.size:
        part = connection.recv(REPLY.size - len(data))
        if not part:
            return b""
        data += part
    return data
