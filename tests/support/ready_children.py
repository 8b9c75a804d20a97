"""Processes that the program starts, forked instead of imported once more.

A process of `ready_parent` starts the fork server of its builders and V8 workers as any other:
with `subprocess.Popen` and a module. This one forks them from the same parent. With the variable
`OWN_CHILDREN` they are real children, which import everything.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from ready_processes import ReadyProcess, ReadyProcesses, shared_processes

OWN_CHILDREN = "OWN_CHILDREN"
_START = [sys.executable, "-P", "-m"]
_MODULES = ("docstead.publishing.builders.fork_server", "docstead.rendering.worker")


def fork_from(socket_path: str) -> None:
    """Let this process fork what it starts from the parent that listens at this path."""
    subprocess.Popen = _popen_from(ReadyProcesses(Path(socket_path)))


@contextmanager
def forked_children() -> Iterator[None]:
    """Fork what this process starts in the block from the shared parent."""
    with patch.object(subprocess, "Popen", _popen_from(shared_processes())):
        yield


def _popen_from(ready: ReadyProcesses) -> type[subprocess.Popen[Any]]:
    class _Popen(subprocess.Popen[Any]):
        def __new__(cls, args: Any, *_: Any, **options: Any) -> Any:
            if list(args[:3]) == _START and args[3] in _MODULES:
                return _forked(ready, list(args[3:]), **options)
            return super().__new__(cls)

    return _Popen


def _forked(
    ready: ReadyProcesses,
    command: list[str],
    *,
    pass_fds: list[int],
    env: dict[str, str],
    **streams: int,
) -> ReadyProcess:
    assert set(streams.values()) == {subprocess.DEVNULL}
    return ready.start_connected(command, env, pass_fds[0])
