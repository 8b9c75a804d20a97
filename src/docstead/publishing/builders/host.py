"""Host of builders: starts and ends them and answers their requests.

A builder that dies is replaced and its task retried once. A builder that is likely to be needed
again is kept alive for a while with its caches.
"""

from __future__ import annotations

import logging
import resource
import shutil
import socket
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from docstead.base.decoders import msgpack_decoder
from docstead.base.errors import DocsteadError, Unavailable
from docstead.base.sandbox import require_sandbox
from docstead.base.units import DAY_SECONDS
from docstead.publishing.builders import loss
from docstead.publishing.builders.errors import as_error, name_of
from docstead.publishing.builders.forking import ForkServer, WarmParent
from docstead.publishing.builders.limits import BuilderLimits
from docstead.publishing.builders.loss import BuilderLost
from docstead.publishing.builders.messages import (
    TO_HOST,
    BuilderConnection,
    BuilderFolders,
    BuilderStart,
    ConnectionClosed,
    HostReply,
    HostRequest,
    RunTask,
    TaskError,
    raw,
)
from docstead.publishing.builders.task import BuilderTask
from docstead.publishing.builders.task_slots import TaskSlots
from docstead.publishing.builders.workers import Lender
from docstead.rendering import EngineLimits, StandbyWorker

A = TypeVar("A")
R = TypeVar("R")

_SEND_SECONDS = 60.0
_MORE_WORKERS = 2  # more would not render at the same time

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HostCall:
    """An operation of the host that tasks can request; `kind` is the type of its argument."""

    kind: Any
    function: Callable[[Any], object]


HostCalls = Mapping[str, HostCall]


class BuilderPool:
    """All builders of this process, forked from one warm parent. It must be closed.

    `standby_worker` is a V8 worker that the next builder gets, once prepared.
    """

    def __init__(
        self,
        folder: Path,
        *,
        modules: tuple[str, ...] = (),
        parent: WarmParent | None = None,
        limits: BuilderLimits | None = None,
        engine_limits: EngineLimits | None = None,
        workers: int = 2,
    ) -> None:
        """Create the pool; `folder` is for scratch files, `modules` are those of the tasks.

        A given `parent` is not closed with the pool.
        """
        self.limits = limits or BuilderLimits()
        self.workers = workers
        self._folder = folder
        self._parent = parent or ForkServer(modules)
        self._is_shared = parent is not None
        self._engine_limits = engine_limits or EngineLimits()
        self.standby_worker = StandbyWorker(self._engine_limits, start=self._parent.start_worker)
        self._turns = TaskSlots()

    def prepare(self) -> None:
        """Start the warm parent ahead of the first builder, because it takes a while."""
        self._parent.prepare()

    @contextmanager
    def builder(self, *read: Path, write: tuple[Path, ...] = ()) -> Iterator[Builder]:
        """Yield a builder with access to these files and folders only."""
        builder = self.start(*read, write=write)
        try:
            yield builder
        finally:
            builder.close()

    def start(self, *read: Path, write: tuple[Path, ...] = ()) -> Builder:
        """Start a builder like `builder`; the caller closes it.

        Raises:
            SandboxFailed: the limits require a sandbox that this machine does not support.
        """
        require_sandbox(self.limits.sandbox)
        self._folder.mkdir(parents=True, exist_ok=True)
        self._sweep()
        folder = Path(tempfile.mkdtemp(prefix="builder-", dir=self._folder)).resolve()
        inbox, outbox = folder / "in", folder / "out"
        for each in (inbox, outbox, *write):
            each.mkdir(parents=True, exist_ok=True)
        folders = BuilderFolders(
            tuple(str(each.resolve()) for each in (*read, inbox)),
            tuple(str(each.resolve()) for each in (*write, outbox)),
            str(folder / "scratch"),
        )
        lender = Lender(
            self._engine_limits,
            self.workers + _MORE_WORKERS,
            self.standby_worker,
            self._parent.start_worker,
        )
        means = _BuilderResources(self.limits, self._parent, lender, self._turns)
        return Builder(folder, folders, means)

    def _sweep(self) -> None:
        """Remove folders of killed processes."""
        oldest = time.time() - DAY_SECONDS
        for path in self._folder.glob("builder-*"):
            with suppress(OSError):
                if path.stat().st_mtime < oldest:
                    shutil.rmtree(path, ignore_errors=True)

    def close(self) -> None:
        self.standby_worker.close()
        if not self._is_shared:
            self._parent.close()


@dataclass(frozen=True, slots=True)
class _BuilderResources:
    """Resources of the service that builders use."""

    limits: BuilderLimits
    parent: WarmParent
    lender: Lender
    turns: TaskSlots


class Builder:
    """A process that runs tasks on one deployment's files, started on first use."""

    def __init__(self, folder: Path, folders: BuilderFolders, means: _BuilderResources) -> None:
        """Use `BuilderPool.start`. The builder reads `inbox` and writes `outbox`."""
        self.inbox, self.outbox = folder / "in", folder / "out"
        self._folder = folder
        self._folders = folders
        self._limits = means.limits
        self._parent = means.parent
        self._lender = means.lender
        self._turns = means.turns
        self._channel: BuilderConnection | None = None
        self._pid = 0

    @property
    def pid(self) -> int | None:
        """Process id, or None if no process is running."""
        return self._pid if self._channel else None

    @property
    def is_alive(self) -> bool:
        """Whether a process is running that can accept another task."""
        return self._channel is not None and not self._channel.is_closed

    @property
    def memory_bytes(self) -> int:
        """Resident memory of the process in bytes; 0 if unknown."""
        with suppress(OSError, ValueError):
            statm = Path(f"/proc/{self._pid}/statm").read_text()
            return int(statm.split()[1]) * resource.getpagesize()
        return 0

    def begin(self, *, workers: int = 0) -> None:
        """Start the process and this many V8 workers before the first task."""
        self._lender.prepare(workers)
        self._started()

    def run(
        self,
        task: BuilderTask[A, R],
        argument: A,
        calls: HostCalls | None = None,
        *,
        files: int = 0,
    ) -> R:
        """Run a task on this many `files` and return its result, retrying once if the process dies.

        Raises:
            BuilderLost: both attempts died; the message explains the second.
            DocsteadError: the task or a host call raised it.
        """
        with self._turns.turn(files):
            try:
                return self._once(task, argument, calls or {}, files)
            except BuilderLost as lost:
                _log.warning("retrying %s: %s", task.name, lost.message)
            return self._once(task, argument, calls or {}, files)

    def close(self) -> None:
        """End the process and remove its folders."""
        self._end()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _once(self, task: BuilderTask[A, R], argument: A, calls: HostCalls, files: int) -> R:
        seconds = self._limits.deadline(files)
        try:
            value = self._result(self._started(), task, argument, calls, seconds)
            result = task.results.decode(value)
        except TimeoutError:
            self._end()
            raise loss.past_deadline(seconds) from None
        except ConnectionClosed:
            raise loss.ended(self._end(), self._limits.memory_bytes) from None
        except msgspec.MsgspecError:
            self._end()
            raise loss.broken_answer() from None
        except DocsteadError:
            self._lender.close(kindly=False)
            raise
        except BaseException:
            self._end()
            raise
        self._lender.close(kindly=True)
        return result

    def _result(
        self,
        channel: BuilderConnection,
        task: BuilderTask[A, R],
        argument: A,
        calls: HostCalls,
        seconds: float,
    ) -> msgspec.Raw:
        run = RunTask(task.name, raw(argument))
        channel.send(run, seconds=_SEND_SECONDS)
        left = seconds
        while True:
            begun = time.monotonic()
            message = TO_HOST.decode(channel.receive(left))
            left -= time.monotonic() - begun  # time spent in host calls does not count
            if isinstance(message, HostRequest):
                self._do(channel, message, calls)
            elif isinstance(message, TaskError):
                raise self._failure(message)
            else:
                value: msgspec.Raw = message.value
                return value

    def _failure(self, failed: TaskError) -> DocsteadError:
        if not failed.error:
            _log.error("a builder failed: %s\n%s", failed.message, failed.detail)
            return DocsteadError(f"reading the repository failed unexpectedly: {failed.message}")
        return as_error(failed.error, failed.message)

    def _do(self, channel: BuilderConnection, ask: HostRequest, calls: HostCalls) -> None:
        if ask.name == "worker":
            self._lend(channel, warms_up=msgpack_decoder(bool).decode(ask.argument))
        elif ask.name == "end worker":
            self._lender.end(msgpack_decoder(int).decode(ask.argument))
        elif ask.is_note:
            _called(calls, ask)
        else:
            channel.send(_answered(calls, ask), seconds=_SEND_SECONDS)

    def _lend(self, channel: BuilderConnection, *, warms_up: bool) -> None:
        number, descriptor = self._lender.lend(warms_up=warms_up)
        with socket.socket(fileno=descriptor):  # closes the descriptor
            answer = HostReply(raw(number))
            channel.send(answer, (descriptor,), seconds=_SEND_SECONDS)

    def _started(self) -> BuilderConnection:
        if self._channel is None:
            shutil.rmtree(self._folders.scratch, ignore_errors=True)
            Path(self._folders.scratch).mkdir()
            ours, theirs = socket.socketpair()
            with theirs:
                try:
                    self._pid = self._parent.fork(theirs.fileno())
                except Unavailable:
                    ours.close()
                    raise
            self._channel = BuilderConnection(ours, most_bytes=self._limits.message_bytes)
            limits = self._limits
            start = BuilderStart(
                self._folders, limits.memory_bytes, limits.file_bytes, limits.sandbox
            )
            self._channel.send(start, seconds=_SEND_SECONDS)
        return self._channel

    def _end(self) -> int:
        """End the process and its workers; return its exit status."""
        self._lender.close(kindly=False)
        if self._channel is None:
            return 0
        channel, self._channel = self._channel, None
        channel.close()
        return self._parent.end(self._pid)


def _answered(calls: HostCalls, ask: HostRequest) -> HostReply:
    try:
        value = _called(calls, ask)
    except DocsteadError as error:
        return HostReply(error=name_of(error), message=error.message)
    return HostReply(raw(value))


def _called(calls: HostCalls, ask: HostRequest) -> object:
    call = calls.get(ask.name)
    if call is None:
        raise ConnectionClosed
    return call.function(msgpack_decoder(call.kind).decode(ask.argument))
