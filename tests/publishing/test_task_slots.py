"""The order in which builders run."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from docstead.publishing.builders.task_slots import LARGE, TaskSlots

SECONDS = 120


class Tasks:
    """Tasks that run until they are ended, each in a thread of its own."""

    def __init__(self, turns: TaskSlots) -> None:
        self.begun: list[str] = []
        self._turns = turns
        self._ends: dict[str, threading.Event] = {}
        self._threads: list[threading.Thread] = []
        self._changed = threading.Condition()

    def start(self, name: str, files: int = 1) -> None:
        """Ask for a turn, and return when the task waits or runs."""
        asked = threading.Event()
        self._ends[name] = threading.Event()
        thread = threading.Thread(target=self._run, args=(name, files, asked), daemon=True)
        self._threads.append(thread)
        waiting = len(self._turns._waiting) + len(self._turns._running)
        thread.start()
        while len(self._turns._waiting) + len(self._turns._running) <= waiting:
            asked.wait(0.001)

    def end(self, name: str) -> None:
        self._ends[name].set()

    def begins(self, *names: str) -> bool:
        """Wait until these tasks have begun, and report whether no other has."""
        with self._changed:
            self._changed.wait_for(lambda: len(self.begun) >= len(names), SECONDS)
            return self.begun == list(names)

    def end_all(self) -> None:
        for event in self._ends.values():
            event.set()
        for thread in self._threads:
            thread.join(SECONDS)

    def _run(self, name: str, files: int, asked: threading.Event) -> None:
        with self._turns.turn(files):
            with self._changed:
                self.begun.append(name)
                self._changed.notify_all()
            asked.set()
            self._ends[name].wait(SECONDS)


@pytest.fixture
def tasks() -> Iterator[Tasks]:
    tasks = Tasks(TaskSlots(seconds=SECONDS))
    yield tasks
    tasks.end_all()


def test_a_small_task_never_waits_for_a_large_one(tasks: Tasks) -> None:
    tasks.start("large", LARGE)
    tasks.start("large 2", LARGE)
    tasks.start("large 3", LARGE)
    tasks.start("small")
    assert tasks.begins("large", "small")
    tasks.start("small 2")
    tasks.end("small")
    assert tasks.begins("large", "small", "small 2")


def test_each_size_is_oldest_first(tasks: Tasks) -> None:
    for number in range(4):
        tasks.start(f"small {number}")
    for number in range(2):
        tasks.end(f"small {number}")
        assert tasks.begins(*(f"small {each}" for each in range(number + 3)))


def test_large_tasks_are_not_starved_by_small_ones(tasks: Tasks) -> None:
    for name in ("small 1", "small 2"):
        tasks.start(name)
    tasks.start("large", LARGE)
    tasks.start("small 3")
    tasks.end("small 1")
    assert tasks.begins("small 1", "small 2", "large")
    tasks.end("small 2")
    assert tasks.begins("small 1", "small 2", "large", "small 3")


def test_a_task_that_takes_longer_than_its_size_explains_keeps_no_slot() -> None:
    tasks = Tasks(TaskSlots(seconds=0.05))
    for name in ("one", "two", "three", "four"):
        tasks.start(name)
    assert tasks.begins("one", "two", "three", "four")
    tasks.end_all()
