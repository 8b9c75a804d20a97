"""Resource limits of a builder."""

from __future__ import annotations

from dataclasses import dataclass

from docstead.base.sandbox import SandboxMode
from docstead.base.units import MIB

_MOST_FILES = 50_000  # by which a deadline grows


@dataclass(frozen=True, slots=True)
class BuilderLimits:
    """Resource limits. `seconds` is for a small repository; each file adds to it."""

    seconds: float = 300.0
    seconds_per_file: float = 0.2
    memory_bytes: int = 2_048 * MIB  # in addition to the memory at start
    file_bytes: int = 8_192 * MIB  # of each file that it writes
    message_bytes: int = 64 * MIB  # of each reply
    sandbox: SandboxMode = SandboxMode.AUTO

    def deadline(self, files: int) -> float:
        """Return the seconds allowed for a task on this many files."""
        return self.seconds + min(files, _MOST_FILES) * self.seconds_per_file
