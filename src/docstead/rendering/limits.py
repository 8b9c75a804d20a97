"""Time and memory limits for the code of pages."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from docstead.base.sandbox import SandboxMode
from docstead.base.units import MIB

#: Longer pages are rendered individually, one at a time.
LARGE_CHARACTERS = 256 * 1024
_CHARACTERS_OF_STEP = 128 * 1024  # each further step adds `page_seconds` and `_STEP_BYTES`
_MOST_STEPS = 3.0
_STEP_BYTES = 48 * MIB
_WAITING = 6.0  # factor from processor time to wall-clock time


@dataclass(frozen=True, slots=True)
class EngineLimits:
    """Limits of a worker.

    Two workers at their limits and their host use less than 1 GB, and less than 1.2 GB while one of
    them renders a large page.
    """

    page_seconds: float = 5.0  # processor time of a page rendered individually
    batch_pages: int = 32  # maximum pages per call
    heap_bytes: int = 192 * MIB  # of JavaScript objects
    data_bytes: int = 256 * MIB  # beyond the memory at start
    reply_bytes: int = 64 * MIB  # additional memory for our code while it finishes pages
    start_seconds: float = 240.0  # until a worker is ready: a busy machine may take minutes
    sandbox: SandboxMode = SandboxMode.AUTO  # sandbox of workers

    @property
    def batch_seconds(self) -> float:
        """Processor time of a batch; if it is exceeded, its pages are retried one by one."""
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
        """Memory of a worker with the largest page, including the reserve of our code."""
        return self.data_bytes + int(_MOST_STEPS * _STEP_BYTES) + self.reply_bytes


def most_seconds(seconds: float) -> float:
    """Return the wall-clock limit for this processor time on a busy machine."""
    return _WAITING * seconds
