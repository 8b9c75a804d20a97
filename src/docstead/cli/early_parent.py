"""Processes of a command that are forked before its modules are imported and its settings read.

After an edit they are even forked before the command's options are read, first the V8 worker, which
takes longest. It and the parent of the builder import their modules while the command imports its
own.
"""

from __future__ import annotations

import gc
import os
import re
import signal
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from docstead.base.dataclass_code import compiled_methods
from docstead.base.forking import fork

if TYPE_CHECKING:
    from docstead.publishing.builders.forking import CommandForkServer

# Imported by the warm parent. Builds import the loader when they begin.
TASKS = ("docstead.publishing.build_tasks", "docstead.loading.loader")
_LAST = "*/last.json"  # below the folder of a cache
_SECRET = re.compile(r"SECRET|TOKEN|PASSWORD|KEY|CREDENTIAL|DATABASE_URL")  # variable names


class Invocation(NamedTuple):
    """Arguments of the command, and the parent of its processes if that has begun."""

    arguments: Sequence[str] = ()
    parent: CommandForkServer | None = None


def begun_parent(arguments: Sequence[str]) -> CommandForkServer | None:
    """Return a parent process that has begun, for an export of a folder after an edit.

    Returns None for other arguments, and if the environment contains secrets. Interruptions must be
    deferred.
    """
    if _has_secrets() or not _is_edited(arguments):
        return None
    compiled_methods().use()
    worker = forked_worker()
    from docstead.publishing.builders.forking import CommandForkServer

    parent = CommandForkServer(TASKS)
    parent.take_worker(*worker)
    gc.enable()  # in the process, but not during the imports of this one
    parent.begin(prepares=False)
    gc.disable()
    return parent


def forked_worker() -> tuple[socket.socket, int]:
    """Fork a V8 worker, which prepares itself; return its channel and its pid."""
    ours, theirs = socket.socketpair()
    with theirs:
        return ours, fork(partial(_become_worker, theirs.fileno()))


def _become_worker(descriptor: int) -> None:
    from docstead.base.sandbox import EARLY_MODE
    from docstead.rendering.worker import main

    gc.enable()
    main(descriptor, EARLY_MODE, warms_up=True)


def _is_edited(arguments: Sequence[str]) -> bool:
    """Report whether a folder seems to have changed since its last export."""
    cache = cache_of(arguments)
    if cache is None or not any(cache.glob(_LAST)):
        return False
    return not seems_unchanged(arguments[1], cache)


def cache_of(arguments: Sequence[str]) -> Path | None:
    """Return the cache of an export, if its arguments begin with the source."""
    caches = [Path(value) for option, value in pairwise(arguments) if option == "--cache"]
    names_source = len(arguments) > 1 and not arguments[1].startswith("-")
    if arguments[:1] == ["export"] and names_source and len(caches) == 1:
        return caches[0]
    return None


def _has_secrets() -> bool:
    return any(map(_SECRET.search, os.environ))


@contextmanager
def interruption_deferred() -> Iterator[None]:
    """Raise an interruption at the end, where nothing swallows it.

    Hooks of a fork print it and go on, and some C modules ignore it while they are imported.
    """
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


@contextmanager
def early_parent(begun: CommandForkServer | None = None) -> Iterator[CommandForkServer | None]:
    """Yield a parent process for builders and workers: one that has `begun`, or one that has not.

    Yields None if the environment contains secrets, which a fork would copy.
    """
    if _has_secrets():
        yield None
        return
    from docstead.publishing.builders.forking import CommandForkServer

    parent = begun or CommandForkServer(TASKS)
    try:
        yield parent
    finally:
        parent.close()


def seems_unchanged(source: str, cache: Path | None) -> bool:
    """Report whether nothing in a folder is newer than the last export with this cache.

    A quick guess, so that no worker starts in vain; the export compares everything.
    """
    if cache is None:
        return False
    try:
        last_ns = max(path.stat().st_mtime_ns for path in cache.glob(_LAST))
        return _newest_ns(source, last_ns) < last_ns
    except (OSError, ValueError):  # not a folder, or the first export
        return False


def _newest_ns(folder: str, last_ns: int) -> int:
    """Return the newest time in a folder, or one that is not before `last_ns`."""
    newest = Path(folder).stat().st_mtime_ns
    with os.scandir(folder) as entries:
        for entry in entries:
            if newest >= last_ns:
                break
            if entry.is_dir(follow_symlinks=False):
                newest = max(newest, _newest_ns(entry.path, last_ns))
            else:
                newest = max(newest, entry.stat(follow_symlinks=False).st_mtime_ns)
    return newest
