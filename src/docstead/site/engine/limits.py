"""Limits of time and memory for the code of a page."""

from __future__ import annotations

from dataclasses import dataclass

from docstead.base.sandbox import SandboxMode
from docstead.base.units import MIB


@dataclass(frozen=True, slots=True)
class EngineLimits:
    """Two workers at their limits and the process that drives them stay below 1 GB."""

    page_seconds: float = 5.0  # for a page that is rendered by itself
    batch_pages: int = 16  # rendered in one call at most
    heap_bytes: int = 192 * MIB  # of JavaScript objects
    data_bytes: int = 256 * MIB  # that a process may take beyond what it starts with
    reply_bytes: int = 64 * MIB  # more for our own code, while it finishes what was rendered
    start_seconds: float = 60.0  # until a worker is ready, on a busy machine
    sandbox: SandboxMode = SandboxMode.AUTO  # around a worker

    @property
    def batch_seconds(self) -> float:
        """For a whole batch; when it takes longer its pages are tried one by one."""
        return 2 * self.page_seconds
