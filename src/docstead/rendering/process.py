"""A worker process as seen by its host."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

from docstead.base.errors import DocsteadError
from docstead.base.machine import check_address_space
from docstead.markup.rendered import RenderedPage
from docstead.rendering.limits import EngineLimits, most_seconds
from docstead.rendering.protocol import (
    ChannelClosed,
    PageSource,
    RenderReply,
    RenderRequest,
    SiteSource,
    receive_reply,
    send,
)

# Modules must not be imported from the working directory, which may contain untrusted content.
_PROGRAM = (sys.executable, "-P", "-m", "docstead.rendering.worker")
_GRACE_SECONDS = 40.0  # for our own code: highlighting, diagrams, sections
_EXIT_SECONDS = 2.0
_ENVIRONMENT = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "SYSTEMROOT")


class EngineFailed(DocsteadError):
    """The rendering engine could not be started."""


class WorkerLost(Exception):
    """The worker died; the message gives the reason, as the end of a sentence."""


class WorkerProcess(Protocol):
    """The subset of `subprocess.Popen` that ends a worker."""

    @property
    def pid(self) -> int: ...
    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def kill(self) -> None: ...


class StartWorker(Protocol):
    """Starts a worker: `Worker` itself, or a request to another process."""

    def __call__(self, limits: EngineLimits, *, warms_up: bool) -> Worker: ...


class Worker:
    """Starts immediately, and renders after it has received its site. It must be closed.

    With `warms_up`, it prepares for its first page in the meantime.
    """

    def __init__(self, limits: EngineLimits, *, warms_up: bool = False) -> None:
        self._limits = limits
        self._channel, theirs = socket.socketpair()
        with theirs:
            self._process: WorkerProcess = subprocess.Popen(
                _command(theirs.fileno(), limits, warms_up=warms_up),
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
            )

    @classmethod
    def connected(
        cls, limits: EngineLimits, channel: socket.socket, process: WorkerProcess
    ) -> Worker:
        """Return a worker that another process has started, at the other end of the channel."""
        worker = cls.__new__(cls)
        worker._limits, worker._channel, worker._process = limits, channel, process
        return worker

    def release(self) -> int:
        """Return the channel's descriptor and give it up; the process can still be closed."""
        return self._channel.detach()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def begin(self, site: SiteSource) -> None:
        """Send the worker its only site, and wait until it is ready.

        Raises:
            EngineFailed: the engine is missing, or the machine is too slow for it.
            WorkerLost: this worker died; another one may work.
        """
        seconds = self._limits.start_seconds
        self._channel.settimeout(seconds)
        try:
            send(self._channel, site)
            answer = receive_reply(self._channel)
        except TimeoutError as error:
            self.close()
            raise EngineFailed(
                f"The rendering engine was not ready in {seconds:g} seconds; "
                "this machine has too much to do, or too little memory"
            ) from error
        except ChannelClosed:
            self.close()
            check_address_space()
            raise WorkerLost("it ended before it was ready") from None
        if answer.failure:
            self.close()
            raise EngineFailed(answer.failure)

    def render(self, pages: Sequence[PageSource]) -> tuple[RenderedPage, ...]:
        """Return the pages in order. Raises `WorkerLost`, after which the worker is unusable."""
        is_single = len(pages) == 1
        limits = self._limits.of_page(len(pages[0].body)) if is_single else self._limits
        seconds = limits.page_seconds if is_single else limits.batch_seconds
        patience = most_seconds(seconds) + _GRACE_SECONDS
        self._channel.settimeout(patience)
        try:
            send(self._channel, RenderRequest(tuple(pages), seconds, limits))
            answer = receive_reply(self._channel)
        except TimeoutError:
            raise WorkerLost(f"it did not end within {patience:g} seconds") from None
        except ChannelClosed:
            raise WorkerLost(
                "its process was killed, or took more memory than a page may have"
            ) from None
        return _pages_of(answer, pages)

    def disconnect(self) -> None:
        """Close the channel, after which the process exits."""
        self._channel.close()

    def close(self) -> None:
        """End the process, by force if it does not exit."""
        self.disconnect()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_EXIT_SECONDS)
            return
        self._process.kill()
        self._process.wait()

    def kill(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.wait()
        self._channel.close()


def _command(descriptor: int, limits: EngineLimits, *, warms_up: bool) -> list[str]:
    command = [*_PROGRAM, str(descriptor), limits.sandbox]
    return [*command, "warm-up"] if warms_up else command


def _pages_of(answer: RenderReply, asked: Sequence[PageSource]) -> tuple[RenderedPage, ...]:
    if answer.failure:
        raise WorkerLost(answer.failure)
    if [page.slug for page in answer.pages] != [page.slug for page in asked]:
        raise WorkerLost("it gave an unexpected answer")
    return answer.pages
