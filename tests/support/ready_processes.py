"""Real processes of this program that do not need to import it.

Importing the program takes a second, which is most of the time of a short command. One
parent process imports it once for all processes of a test run and forks; each fork has its own
memory, environment, folder and streams, and can be killed. Only the hash seed is the same in all
of them: tests of independence from it start an interpreter.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO

from run_folder import locked, run_folder, start_for_run

_MODULES = (
    *(f"docstead.cli.{name}" for name in ("ask", "check", "commands", "host", "keys", "offline")),
    *(f"docstead.cli.{name}" for name in ("publish", "search", "serve", "sign_in")),
    "docstead.cli.demo",
    "docstead.jobs.library",
    "alembic.ddl.postgresql",
    "anyio._backends._asyncio",
    "dbos",
    "uvicorn.lifespan.on",
    "psycopg",
    "py_mini_racer",
    "tantivy",
)
_START_SECONDS = 600  # a busy machine compiles everything for minutes
_PARENT = Path(__file__).with_name("ready_parent.py")


class ReadyProcess:
    """A process with the part of `subprocess.Popen` that tests use."""

    def __init__(self, connection: socket.socket, stdin: IO[str], stdout: IO[str]) -> None:
        self.stdin, self.stdout = stdin, stdout
        self.returncode: int | None = None
        self._connection = connection
        self._replies = connection.makefile("r")
        self.pid = int(self._replies.readline())

    def poll(self) -> int | None:
        if self.returncode is None and select.select([self._connection], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            if not select.select([self._connection], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
            self.returncode = int(self._replies.readline())
            self._replies.close()
            self._connection.close()
        return self.returncode

    def send_signal(self, how: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, how)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def communicate(self, timeout: float | None = None) -> tuple[str, None]:
        """End its input, and wait; return the rest of its output."""
        if not self.stdin.closed:
            self.stdin.close()
        self.wait(timeout)
        printed = "" if self.stdout.closed else self.stdout.read()
        self.stdout.close()
        return printed, None


@dataclass(frozen=True)
class ReadyProcesses:
    """Starter of processes: a module, or a file that ends in `.py`, and its arguments."""

    _socket_path: Path

    def start(
        self, command: Sequence[object], environment: Mapping[str, str] | None = None
    ) -> ReadyProcess:
        """Start a process with piped input and output."""
        stdin, our_stdin = os.pipe()
        our_stdout, stdout = os.pipe()
        connection = self._fork(command, (stdin, stdout, 2), environment, Path.cwd())
        os.close(stdin)
        os.close(stdout)
        return ReadyProcess(connection, os.fdopen(our_stdin, "w"), os.fdopen(our_stdout))

    def start_logged(
        self, command: Sequence[object], environment: Mapping[str, str], log: IO[bytes]
    ) -> ReadyProcess:
        """Start a process that reads nothing and prints everything to a file."""
        with Path(os.devnull).open("w+") as nothing:
            streams = (nothing.fileno(), log.fileno(), log.fileno())
            connection = self._fork(command, streams, environment, Path.cwd())
            return ReadyProcess(connection, nothing, nothing)

    def start_connected(
        self, command: Sequence[object], environment: Mapping[str, str], descriptor: int
    ) -> ReadyProcess:
        """Start a process without streams that has a descriptor under the same number."""
        with Path(os.devnull).open("w+") as nothing:
            streams = (*(nothing.fileno(),) * 3, descriptor)
            connection = self._fork(command, streams, environment, Path.cwd())
            return ReadyProcess(connection, nothing, nothing)

    def run(
        self,
        command: Sequence[object],
        environment: Mapping[str, str],
        *,
        folder: Path,
        timeout: float,
    ) -> subprocess.CompletedProcess[str]:
        """Run a process to completion; return its output."""
        with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
            with Path(os.devnull).open("w+") as nothing:
                streams = (nothing.fileno(), output.fileno(), errors.fileno())
                connection = self._fork(command, streams, environment, folder)
                process = ReadyProcess(connection, nothing, output)
                try:
                    status = process.wait(timeout)
                finally:
                    process.kill()
                    process.wait()
            output.seek(0)
            errors.seek(0)
            return subprocess.CompletedProcess(command, status, output.read(), errors.read())

    def _fork(
        self,
        command: Sequence[object],
        streams: tuple[int, ...],
        environment: Mapping[str, str] | None,
        folder: Path,
    ) -> socket.socket:
        request = {
            "command": [str(part) for part in command],
            "descriptors": [0, 1, 2, *streams[3:]],
            "environment": dict(os.environ if environment is None else environment),
            "folder": str(folder),
        }
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(str(self._socket_path))
        socket.send_fds(connection, [b" "], streams)
        connection.sendall(json.dumps(request).encode() + b"\n")
        return connection


@cache
def shared_processes() -> ReadyProcesses:
    """Return the shared starter of this test process.

    Processes of a distributed run have the same parent, which ends with the run.
    """
    if is_distributed():
        return _processes_of_run()
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(ready_processes())


def is_distributed() -> bool:
    """Report whether this is one of several test processes."""
    return "PYTEST_XDIST_WORKER" in os.environ


def _processes_of_run() -> ReadyProcesses:
    socket_path = run_folder() / "ready"
    with locked(run_folder() / "ready.lock"):
        if not socket_path.exists():
            _start_parent_of_run(socket_path)
    return ReadyProcesses(socket_path)


def _start_parent_of_run(socket_path: Path) -> None:
    printed = socket_path.with_suffix(".log")
    command = shlex.join([sys.executable, str(_PARENT), str(socket_path), *_MODULES])
    start_for_run(f"(while kill -0 $run; do sleep 2; done) | exec {command}", printed)
    deadline = time.monotonic() + _START_SECONDS
    while "ready" not in (printed.read_text() if printed.exists() else ""):
        assert time.monotonic() < deadline, printed.read_text()
        time.sleep(0.05)


@contextmanager
def ready_processes() -> Iterator[ReadyProcesses]:
    """Yield a starter; its parent process lives until the end of the block or of this process."""
    with tempfile.TemporaryDirectory() as folder:
        socket_path = Path(folder) / "socket"
        parent = subprocess.Popen(
            [sys.executable, str(_PARENT), str(socket_path), *_MODULES],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert parent.stdout is not None
            assert parent.stdout.readline() == "ready\n"
            yield ReadyProcesses(socket_path)
        finally:
            parent.communicate(timeout=120)
