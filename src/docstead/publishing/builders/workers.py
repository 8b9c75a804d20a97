"""V8 workers of a builder: started and ended by the host, used by the builder.

A sandboxed process may neither start nor end other processes.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress

from docstead.publishing.builders.messages import ConnectionClosed
from docstead.rendering import EngineLimits, StandbyWorker
from docstead.rendering.process import StartWorker, Worker


def lent_worker(limits: EngineLimits, descriptor: int, end: Callable[[], None]) -> Worker:
    """Return the builder's view of a worker; `end` asks the host to kill it."""
    return Worker.connected(limits, socket.socket(fileno=descriptor), _LentWorker(end))


class _LentWorker:
    """A worker process as seen by the builder."""

    pid = 0

    def __init__(self, end: Callable[[], None]) -> None:
        self._end = end

    def poll(self) -> int | None:
        return None

    def wait(self, timeout: float | None = None) -> int:  # noqa: ARG002 - as Popen has it
        """Return 0, because the host waits for the process."""
        return 0

    def kill(self) -> None:
        with suppress(ConnectionClosed):
            self._end()


class Lender:
    """Starts workers for one builder on the host, and ends all of them."""

    def __init__(
        self,
        limits: EngineLimits,
        most: int,
        waiting: StandbyWorker,
        start: StartWorker = Worker,
    ) -> None:
        self._limits = limits
        self._most = most
        self._waiting = waiting
        self._start = start
        self._ready: list[Worker] = []
        self._lent: dict[int, Worker] = {}
        self._number = 0

    @property
    def ready(self) -> tuple[Worker, ...]:
        """Workers that have not been requested yet."""
        return tuple(self._ready)

    @property
    def lent(self) -> tuple[Worker, ...]:
        """Workers in use by the builder."""
        return tuple(self._lent.values())

    def prepare(self, count: int) -> None:
        """Start this many workers ahead of time."""
        self._ready += [self._started(warms_up=False) for _ in range(count)]

    def lend(self, *, warms_up: bool) -> tuple[int, int]:
        """Return the number of another worker and the descriptor of its channel."""
        self._remove_surplus()
        worker = self._ready.pop() if self._ready else self._started(warms_up=warms_up)
        self._number += 1
        self._lent[self._number] = worker
        return self._number, worker.release()

    def end(self, number: int) -> None:
        worker = self._lent.pop(number, None)
        if worker is not None:
            worker.kill()

    def close(self, *, kindly: bool) -> None:
        """End all workers; with `kindly` they may exit on their own."""
        while self._ready:
            self._ready.pop().kill()
        workers, self._lent = list(self._lent.values()), {}
        for worker in workers:
            (worker.close if kindly else worker.kill)()

    def _started(self, *, warms_up: bool) -> Worker:
        return self._waiting.take() or self._start(self._limits, warms_up=warms_up)

    def _remove_surplus(self) -> None:
        """Forget ended workers, and end the oldest if there are too many."""
        self._lent = {n: w for n, w in self._lent.items() if w.is_alive}
        for number in list(self._lent)[: max(0, len(self._lent) - self._most)]:
            self.end(number)
