"""A process that keeps the program's modules in memory and forks processes that run it.

`ready_parent.py SOCKET MODULE...`: for each connection it forks a supervisor, which forks the
process, sends its id, waits for it and sends its exit status. It lives until its standard
input ends. See `ready_processes` for the client, and `ready_children` for the processes that
the program starts itself.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from docstead.rendering.warm_up import build_lexers
from docstead.theme.markup import compile_templates
from ready_children import OWN_CHILDREN, fork_from

_MOST_STREAMS = 4
_ABOVE_ALL = 200  # no descriptor of a process that starts others is as high


def main(socket_path: str, modules: list[str]) -> None:
    for name in modules:
        importlib.import_module(name)
    compile_templates()
    build_lexers()
    # A thread would not survive a fork, and its locks would be held forever.
    threads = [each.name for each in Path("/proc/self/task").iterdir()]
    assert len(threads) == 1, "a module has started a thread"
    gc.collect()
    gc.freeze()
    request = _next_process(socket_path)
    if request is not None:
        _become(request, socket_path)


def _next_process(socket_path: str) -> dict[str, Any] | None:
    """Return the command of this new process."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(socket_path)
        listener.listen()
        print("ready", flush=True)
        while True:
            readable, _, _ = select.select([listener, 0], [], [])
            _forget_ended()
            if 0 in readable:
                return None
            connection, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                return _kept(connection)
            connection.close()


def _forget_ended() -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _kept(connection: socket.socket) -> dict[str, Any]:
    """Return in the process that is to run, whose supervisor ends with it."""
    _, streams, _, _ = socket.recv_fds(connection, 1, _MOST_STREAMS)
    with connection.makefile("r") as lines:
        request: dict[str, Any] = json.loads(lines.readline())
    if child := os.fork():
        for stream in (0, 1, *streams):  # whoever waits for their end would wait for this one, too
            os.close(stream)
        with suppress(OSError):  # the client may be gone
            connection.sendall(f"{child}\n".encode())
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            connection.sendall(f"{status}\n".encode())
        os._exit(0)
    connection.close()
    _arrange(streams, request["descriptors"])
    return request


def _arrange(streams: list[int], numbers: list[int]) -> None:
    """Give the received descriptors these numbers, some of which others of them may have."""
    above = [fcntl.fcntl(stream, fcntl.F_DUPFD, _ABOVE_ALL) for stream in streams]
    for stream in streams:
        os.close(stream)
    for stream, number in zip(above, numbers, strict=True):
        os.dup2(stream, number)
        os.close(stream)


def _become(request: dict[str, Any], socket_path: str) -> None:
    os.environ.clear()
    os.environ.update(request["environment"])
    if OWN_CHILDREN not in os.environ:
        fork_from(socket_path)
    os.chdir(request["folder"])
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where tests run detached
    program, *arguments = request["command"]
    sys.argv = [program, *arguments]
    if Path(program).suffix == ".py":
        runpy.run_path(program, run_name="__main__")
    else:
        runpy.run_module(program, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
