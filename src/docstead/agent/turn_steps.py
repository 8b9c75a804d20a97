"""Recorded steps and waits of a turn."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from docstead.agent.cancellation import CallWatch
from docstead.agent.records import AgentRecords
from docstead.agent.step_outcomes import RetryAt
from docstead.agent.turn_progress import TurnProgress
from docstead.agent.values import Turn
from docstead.jobs import JobContext
from docstead.jobs.outage_retries import KeepTrying

T = TypeVar("T")

TOO_LONG = "the forge requires a longer wait than a turn allows"


class TurnSteps:
    """Steps and waits of one turn. `now` returns the time, and is called as a step."""

    def __init__(
        self,
        context: JobContext,
        turn: Turn,
        *,
        records: AgentRecords,
        now: Callable[[], float],
        waiting_seconds: float,
    ) -> None:
        self._context = context
        self._turn_id = turn.id
        self._records = records
        self._now = now
        self._waiting_seconds = waiting_seconds

    @property
    def keep_trying(self) -> KeepTrying:
        return self._context.keep_trying

    def is_cancelled(self) -> bool:
        """Whether the turn was cancelled."""
        return self._records.is_cancelled(self._turn_id)

    def watch(self) -> CallWatch:
        """Return the watch of a model call, which ends it when the turn is cancelled."""
        return CallWatch(self._context, self.is_cancelled)

    def run(self, name: str, function: Callable[[], T]) -> T:
        """Run a step once, and return its recorded result."""
        return self._context.step(name, function)

    def run_with_retries(
        self, name_of: Callable[[int], str], function: Callable[[int], T], progress: TurnProgress
    ) -> T:
        """Run a step until it asks for no retry; return a RetryAt that would take too long.

        The name and the function of a step depend on the number of former tries.
        """
        for tries in itertools.count():
            outcome = self.run(name_of(tries), partial(function, tries))
            if not isinstance(outcome, RetryAt) or not self.wait(outcome.moment, progress):
                return outcome
        raise AssertionError("the longest wait has passed")

    def wait(self, until: float, progress: TurnProgress) -> bool:
        """Wait and return True, or return False if the total wait would be too long."""
        progress.waits += 1
        begun = self.run(f"wait {progress.waits}", self._now)
        progress.waited_seconds += max(0.0, until - begun)
        if progress.waited_seconds > self._waiting_seconds:
            return False
        self.pause(f"waited {progress.waits}", until, self.is_cancelled)
        return True

    def pause(self, name: str, until: float, is_over: Callable[[], bool]) -> None:
        """Wait for a moment, or until `is_over`."""
        self._context.pause(name, until, is_over)


def numbered(step: str, tries: int) -> str:
    """Return the name of a step that may be repeated."""
    return step if tries == 0 else f"{step} {tries + 1}"
