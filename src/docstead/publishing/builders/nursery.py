"""The warm parent of builders: `python -P -m docstead.publishing.builders.nursery FD MODULE…`.

It imports the modules of the tasks, then forks a builder for each request, has a single
thread, and never reads a file of a repository. It compiles the templates of pages when no
request waits: builders forked later have them. It ends its builders when its host asks, or
hangs up, however the host ended.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import mimetypes
import os
import select
import signal
import socket
import struct
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from docstead.publishing.builders.process import serve
from docstead.site.engine import engine_version
from docstead.site.engine.version import EngineNotBuilt
from docstead.site.shell.markup import compile_templates

REQUEST = struct.Struct("!cq")  # FORK with a descriptor, or END with a pid
REPLY = struct.Struct("!q")
FORK, END = b"F", b"E"

_NEW_OBJECTS = 20_000
_SET_PARENT_DEATH_SIGNAL = 1  # prctl (uapi/linux/prctl.h)


def main(descriptor: int, modules: Sequence[str]) -> NoReturn:
    """Serve the host at the other end of a socket until it hangs up."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # the host decides when builders end
    for name in modules:
        importlib.import_module(name)
    mimetypes.init()  # reads files of the system, which builders cannot
    with suppress(EngineNotBuilt):  # builders report it
        engine_version()
    gc.collect()
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS, *gc.get_threshold()[1:])
    connection = socket.socket(fileno=descriptor)
    builders: set[int] = set()
    with suppress(OSError, struct.error):
        answer_requests(connection, builders)
    for pid in builders:
        end_builder(pid)
    os._exit(0)


def answer_requests(connection: socket.socket, builders: set[int]) -> None:
    """Fork builders and end them, until the host hangs up; that raises `struct.error`."""
    are_compiled = False
    while True:
        if not are_compiled and not _is_asked(connection):
            compile_templates()
            gc.freeze()
            are_compiled = True
        data, descriptors, _, _ = socket.recv_fds(connection, REQUEST.size, 1)
        kind, pid = REQUEST.unpack(data)
        if kind == FORK:
            (theirs,) = descriptors
            pid = fork_builder(theirs)
            os.close(theirs)
            builders.add(pid)
            connection.sendall(REPLY.pack(pid))
        else:
            status = end_builder(pid) if pid in builders else 0
            builders.discard(pid)
            connection.sendall(REPLY.pack(status))


def _is_asked(connection: socket.socket) -> bool:
    """Whether a request waits."""
    return bool(select.select([connection], [], [], 0)[0])


def fork_builder(descriptor: int) -> int:
    """The pid of a new builder, which talks at this descriptor."""
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        try:
            _die_with(parent)
            serve(socket.socket(fileno=descriptor))
        finally:
            os._exit(1)
    return pid


def _die_with(parent: int) -> None:
    """End with the nursery, even where that is killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)


def end_builder(pid: int) -> int:
    """Kill a builder if it still runs; its exit status, negative for a signal."""
    found, status = os.waitpid(pid, os.WNOHANG)
    if not found:
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
