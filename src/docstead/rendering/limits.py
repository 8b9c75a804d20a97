"""Limits of time and memory for the code of a page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from docstead.base.sandbox import SandboxMode
from docstead.base.units import MIB

#: Longer pages are rendered by themselves and one at a time.
LARGE_CHARACTERS = 256 * 1024
_CHARACTERS_OF_STEP = 128 * 1024  # each after the first adds `page_seconds` and `_STEP_BYTES`
_MOST_STEPS = 3.0
_STEP_BYTES = 48 * MIB
_WAITING = 6.0  # times its processor time that a page may take in all


@dataclass(frozen=True, slots=True)
class EngineLimits:
    """Limits of a worker.

    Two workers at their limits and the process that drives them stay below 1 GB, and below
    1.2 GB while one of them renders a large page.
    """

    page_seconds: float = 5.0  # of the processor, for a page that is rendered by itself
    batch_pages: int = 16  # rendered in one call at most
    heap_bytes: int = 192 * MIB  # of JavaScript objects
    data_bytes: int = 256 * MIB  # that a process may take beyond what it starts with
    reply_bytes: int = 64 * MIB  # more for our own code, while it finishes what was rendered
    start_seconds: float = 240.0  # until a worker is ready: a busy machine may take minutes
    sandbox: SandboxMode = SandboxMode.AUTO  # around a worker

    @property
    def batch_seconds(self) -> float:
        """For a whole batch; when it takes longer its pages are tried one by one."""
        return 2 * self.page_seconds

    def of_page(self, characters: int) -> Self:
        """Return the limits for a page of this length, up to four times the time."""
        steps = min(_MOST_STEPS, max(0.0, characters / _CHARACTERS_OF_STEP - 1))
        more = int(steps * _STEP_BYTES)
        return replace(
            self,
            page_seconds=self.page_seconds * (1 + steps),
            heap_bytes=self.heap_bytes + more,
            data_bytes=self.data_bytes + more,
        )

    @property
    def most_data_bytes(self) -> int:
        """The data of a worker with the largest page, and the reserve of our own code."""
        return self.data_bytes + int(_MOST_STEPS * _STEP_BYTES) + self.reply_bytes


def most_seconds(seconds: float) -> float:
    """Return how long work of so many processor seconds may take on a machine with more to do."""
    return _WAITING * seconds
