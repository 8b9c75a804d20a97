"""The commands of the program, each in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from ready_processes import ReadyProcesses

_SECONDS = 300
Ended = subprocess.CompletedProcess[str]


@dataclass(frozen=True)
class Command:
    """The command, each time in a process of its own, with a data folder for the test."""

    folder: Path
    ready: ReadyProcesses

    def __call__(self, *arguments: str | Path, **more: str) -> Ended:
        """In a process that begins with the program in its memory."""
        command = ("docstead.cli", *arguments)
        environment = self.environment | more
        return self.ready.run(command, environment, folder=self.folder, timeout=_SECONDS)

    def from_nothing(self, *arguments: str | Path) -> Ended:
        """By an interpreter that is started for it, with its own seed of hashes and two engines."""
        return subprocess.run(
            [sys.executable, "-m", "docstead.cli", *map(str, arguments)],
            cwd=self.folder,
            env=self.environment | {"DOCSTEAD_RENDER_WORKERS": "2"},
            capture_output=True,
            text=True,
            check=False,
            timeout=_SECONDS,
        )

    @property
    def environment(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith("DOCSTEAD_")}
        # Two engines are no quicker with two pages, and take twice as long to start.
        more = {"DOCSTEAD_DATA": str(self.folder / "data"), "DOCSTEAD_RENDER_WORKERS": "1"}
        return kept | more
