"""Warm parent process of builders and V8 workers.

    python -P -m docstead.publishing.builders.fork_server FD MODULE...

It imports the modules of tasks and V8 workers and forks a process per request. It has a single
thread and never reads files of a repository. While idle, it compiles page templates and builds the
lexers of common languages for processes forked later. It ends its children on request, or when the
connection to its host closes for any reason.
"""

from __future__ import annotations

import gc
import importlib
import mimetypes
import os
import signal
import socket
import struct
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from docstead.base.forking import end_child, fork
from docstead.base.sandbox import SandboxMode
from docstead.publishing.builders.process import serve
from docstead.rendering import engine_version
from docstead.rendering.protocol import is_readable
from docstead.rendering.version import EngineNotBuilt

# BUILDER with a descriptor, a worker with one and its index in MODES, others with a pid.
REQUEST = struct.Struct("!cq")
BUILDER, WORKER, REHEARSING_WORKER, POLL, END = b"B", b"W", b"R", b"P", b"E"
MODES = tuple(SandboxMode)
REPLY = struct.Struct("!q")  # pid of the new process, or exit status of a process
RUNNING = 1 << 32  # no process ends with this status

_WORKER = "docstead.rendering.worker"  # before the first is forked, if there is time
_NEW_OBJECTS = 20_000


def main(descriptor: int, modules: Sequence[str], *, prepares: bool = True) -> NoReturn:
    """Serve the host at the other end of a socket until it closes the connection.

    A process that `prepares` computes the engine's version, and compiles templates and builds
    lexers while it is idle.
    """
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # the host decides when builders end
    for name in modules:
        importlib.import_module(name)
    mimetypes.init()  # reads system files, which builders cannot access
    if prepares:
        importlib.import_module(_WORKER)
        with suppress(EngineNotBuilt):  # builders report the error
            engine_version()
        gc.collect()
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS, *gc.get_threshold()[1:])
    connection = socket.socket(fileno=descriptor)
    children: set[int] = set()
    with suppress(OSError, struct.error):
        answer_requests(connection, children, prepares=prepares)
    for pid in children:
        end_child(pid)
    os._exit(0)


def answer_requests(
    connection: socket.socket, children: set[int], *, prepares: bool = True
) -> None:
    """Fork and end processes until the host closes the connection, which raises `struct.error`."""
    is_prepared = not prepares
    while True:
        if not is_prepared and not is_readable(connection):
            _prepare_forks()
            is_prepared = True
        data, descriptors, _, _ = socket.recv_fds(connection, REQUEST.size, 1)
        kind, number = REQUEST.unpack(data)
        if descriptors:
            answer = _forked(kind, number, descriptors[0])
            children.add(answer)
        else:
            answer = _status(kind, number) if number in children else 0
            if answer != RUNNING:
                children.discard(number)
        connection.sendall(REPLY.pack(answer))


def _prepare_forks() -> None:
    from docstead.rendering.warm_up import build_lexers
    from docstead.theme.markup import compile_templates

    compile_templates()
    build_lexers()
    gc.freeze()


def _forked(kind: bytes, mode: int, descriptor: int) -> int:
    try:
        if kind == BUILDER:
            return fork_builder(descriptor)
        warms_up = kind == REHEARSING_WORKER
        return fork(lambda: _become_worker(descriptor, MODES[mode], warms_up=warms_up))
    finally:
        os.close(descriptor)


def fork_builder(descriptor: int) -> int:
    """Return the pid of a new builder connected to this descriptor."""
    return fork(lambda: serve(socket.socket(fileno=descriptor)))


def _become_worker(descriptor: int, mode: SandboxMode, *, warms_up: bool) -> None:
    from docstead.rendering.worker import main as work

    work(descriptor, mode, warms_up=warms_up)


def _status(kind: bytes, pid: int) -> int:
    """Return a child's exit status, negative for a signal, or `RUNNING`."""
    if kind == END:
        return end_child(pid)
    found, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if found else RUNNING


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
