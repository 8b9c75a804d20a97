"""Process in which pages are rendered.

    python -m docstead.rendering.worker FD required|auto|off [warm-up]

It may also be forked from a process that has imported this module. It enters its sandbox, prepares
itself, receives one site and then batches of pages, and exits with its host. With `warm-up`, it
renders a built-in page if it has to wait for the site.
"""

from __future__ import annotations

import os
import re
import resource
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn

from docstead.base.errors import DocsteadError
from docstead.base.heap import tune_gc
from docstead.base.sandbox import (
    Confinement,
    SandboxMode,
    SandboxPaths,
    close_descriptors,
    confine,
    own_code,
)
from docstead.markup.diagrams import DiagramRenderer
from docstead.markup.grammars import SiteGrammars
from docstead.rendering.finish import Finisher
from docstead.rendering.isolate import Isolate, IsolateAborted
from docstead.rendering.limits import EngineLimits
from docstead.rendering.protocol import (
    ChannelClosed,
    RenderReply,
    RenderRequest,
    SiteSource,
    is_readable,
    receive,
    reply,
)
from docstead.rendering.version import EngineOutdated
from docstead.rendering.warm_up import check_engine, warm_up

_STATUS = Path("/proc/self/status")
_SHOWN_CHARACTERS = 200
_DATA_SIZE = re.compile(rb"^VmData:\s+(\d+) kB$", re.MULTILINE)


def main(descriptor: int, mode: SandboxMode, *, warms_up: bool) -> None:
    """Serve the host at the other end of a socket until it closes the connection."""
    channel = socket.socket(fileno=descriptor)
    memory = ProcessMemory()
    close_descriptors((descriptor, memory.descriptor))
    confine_worker(mode)
    try:
        with Isolate() as isolate:
            _work(channel, isolate, memory, warms_up=warms_up)
    except DocsteadError as error:
        _refuse(channel, error)


def _work(
    channel: socket.socket, isolate: Isolate, memory: ProcessMemory, *, warms_up: bool
) -> None:
    try:
        if warms_up:
            (check_engine if is_readable(channel) else warm_up)(isolate)
        tune_gc()
        serve(channel, isolate, memory)
    except ChannelClosed:
        os._exit(0)  # the host waits for this, and freeing a context takes a while
    except IsolateAborted:
        os._exit(1)  # while warming up; the host starts another one


def _refuse(channel: socket.socket, error: DocsteadError) -> NoReturn:
    """Answer the host's first request with an error, and exit."""
    with suppress(ChannelClosed):
        receive(channel)
        reply(channel, RenderReply(failure=error.message))
    os._exit(1)


def confine_worker(mode: SandboxMode = SandboxMode.AUTO) -> Confinement:
    """Restrict this process to reading our own code and assets.

    No file may be written, and a crash leaves no core dump.
    """
    for limit in (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE):
        resource.setrlimit(limit, (0, 0))
    return confine(SandboxPaths(read=own_code()), mode)


def serve(channel: socket.socket, isolate: Isolate, memory: ProcessMemory) -> None:
    site: SiteSource = receive(channel)
    isolate.describe(site)
    memory.limit(site.limits)
    reply(channel, RenderReply())
    with SiteGrammars(site.grammars) as grammars, DiagramRenderer(site.font) as diagrams:
        finisher = Finisher(
            site.icon_library,
            api=site.api,
            grammars=grammars,
            words=site.words,
            diagrams=diagrams,
            snippets=site.modules,
        )
        _serve_batches(channel, isolate, memory, site, finisher)


def _serve_batches(
    channel: socket.socket,
    isolate: Isolate,
    memory: ProcessMemory,
    site: SiteSource,
    finisher: Finisher,
) -> None:
    for request in _requests(channel):
        pages = tuple(map(site.whole, request.pages))
        isolate.limit(request.limits.heap_bytes)
        memory.allow(request.limits)
        try:
            isolate.render(pages, request.seconds)
            finisher.begin_batch()
            with memory.reserve():
                results = isolate.results(pages, request.seconds)
                reply(channel, RenderReply(tuple(map(finisher.finish, pages, results))))
        except (IsolateAborted, MemoryError) as error:
            # The compiler was interrupted, so closing its context may hang.
            reply(channel, RenderReply(failure=str(error) or "it took too much memory"))
            os._exit(1)
        except ChannelClosed:
            raise
        except Exception as error:
            reply(channel, RenderReply(failure=_failure_of(error)))
            os._exit(1)
        isolate.collect_garbage()


def _failure_of(error: Exception) -> str:
    """Return an error that no page has caused, as the end of a sentence."""
    if isinstance(error, EngineOutdated):
        return f"its results could not be read. {error.message}"
    return f"Docstead failed on it ({type(error).__name__}: {str(error)[:_SHOWN_CHARACTERS]})"


def _requests(channel: socket.socket) -> Iterator[RenderRequest]:
    while True:
        yield receive(channel)


class ProcessMemory:
    """Memory of this process, from a kernel file that was opened before confinement."""

    def __init__(self) -> None:
        self._status = _STATUS.open("rb", buffering=0) if _STATUS.exists() else None
        self._used: int | None = None  # before the first page; None if unknown
        self._limits: EngineLimits | None = None
        self._most = 0

    @property
    def descriptor(self) -> int:
        return self._status.fileno() if self._status else 0

    def limit(self, limits: EngineLimits) -> None:
        """Limit memory permanently to the maximum of the largest page.

        V8 limits its heap, but not buffers that code of pages allocates.
        """
        if self._status is None:
            return
        found = _DATA_SIZE.search(self._status.read())
        self._used = int(found[1]) * 1024 if found else 0
        self._most = self._used + limits.most_data_bytes
        self.allow(limits)

    def allow(self, limits: EngineLimits) -> None:
        """Apply these limits to the following pages."""
        self._limits = limits
        self._set(limits.data_bytes)

    def _set(self, more_bytes: int) -> None:
        if self._used is not None:
            resource.setrlimit(resource.RLIMIT_DATA, (self._used + more_bytes, self._most))

    @contextmanager
    def reserve(self) -> Iterator[None]:
        """Allow our own code the reserve, while no code of pages runs.

        C libraries abort the process if pages have left them no memory.
        """
        if self._limits is None:
            yield
            return
        self._set(self._limits.data_bytes + self._limits.reply_bytes)
        try:
            yield
        finally:
            self._set(self._limits.data_bytes)


if __name__ == "__main__":
    main(int(sys.argv[1]), SandboxMode(sys.argv[2]), warms_up="warm-up" in sys.argv)
