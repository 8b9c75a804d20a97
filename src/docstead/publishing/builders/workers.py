"""V8 workers of a builder: the host starts and ends them, the builder talks to them.

A confined process can start no other, and may end none.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress

from docstead.publishing.builders.messages import ConnectionClosed
from docstead.rendering import EngineLimits, StandbyWorker
from docstead.rendering.process import StartWorker, Worker


def lent_worker(limits: EngineLimits, descriptor: int, end: Callable[[], None]) -> Worker:
    """The builder's view of a worker; `end` asks the host to kill it."""
    return Worker.connected(limits, socket.socket(fileno=descriptor), _LentWorker(end))


class _LentWorker:
    """The process of a worker, of which only the host knows more."""

    pid = 0

    def __init__(self, end: Callable[[], None]) -> None:
        self._end = end

    def poll(self) -> int | None:
        return None

    def wait(self, timeout: float | None = None) -> int:  # noqa: ARG002 - as Popen has it
        """The host sees to its end; nothing waits for it here."""
        return 0

    def kill(self) -> None:
        with suppress(ConnectionClosed):
            self._end()


class Lender:
    """The host's side: starts workers for one builder, and ends every one of them."""

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
        """The workers that nobody has asked for yet."""
        return tuple(self._ready)

    @property
    def lent(self) -> tuple[Worker, ...]:
        """The workers that the builder has."""
        return tuple(self._lent.values())

    def prepare(self, count: int) -> None:
        """Start so many workers before they are asked for."""
        self._ready += [self._started(warms_up=False) for _ in range(count)]

    def lend(self, *, warms_up: bool) -> tuple[int, int]:
        """The number of another worker, and the descriptor of its channel."""
        self._make_room()
        worker = self._ready.pop() if self._ready else self._started(warms_up=warms_up)
        self._number += 1
        self._lent[self._number] = worker
        return self._number, worker.release()

    def end(self, number: int) -> None:
        worker = self._lent.pop(number, None)
        if worker is not None:
            worker.kill()

    def close(self, *, kindly: bool) -> None:
        """End all; with `kindly` they have a moment to exit on their own."""
        while self._ready:
            self._ready.pop().kill()
        workers, self._lent = list(self._lent.values()), {}
        for worker in workers:
            (worker.close if kindly else worker.kill)()

    def _started(self, *, warms_up: bool) -> Worker:
        return self._waiting.take() or self._start(self._limits, warms_up=warms_up)

    def _make_room(self) -> None:
        """Forget workers that have ended, and end the oldest of too many."""
        self._lent = {n: w for n, w in self._lent.items() if w.is_alive}
        for number in list(self._lent)[: max(0, len(self._lent) - self._most)]:
            self.end(number)
