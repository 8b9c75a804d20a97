"""Limits of one builder."""

from __future__ import annotations

from dataclasses import dataclass

from docstead.base.sandbox import SandboxMode
from docstead.base.units import MIB

_MOST_FILES = 50_000  # that make a deadline longer


@dataclass(frozen=True, slots=True)
class BuilderLimits:
    """`seconds` are for a small repository; each file of a larger one adds to them."""

    seconds: float = 300.0
    seconds_per_file: float = 0.2
    memory_bytes: int = 2_048 * MIB  # beyond what a builder starts with
    file_bytes: int = 8_192 * MIB  # of one file that it writes
    message_bytes: int = 64 * MIB  # of one answer
    sandbox: SandboxMode = SandboxMode.AUTO

    def deadline(self, files: int) -> float:
        """Seconds for a task on so many files."""
        return self.seconds + min(files, _MOST_FILES) * self.seconds_per_file
