"""Commands of the program, each in a separate process."""

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
    """Runner of commands with a data folder per test, each in a new process."""

    folder: Path
    ready: ReadyProcesses

    def __call__(self, *arguments: str | Path, **more: str) -> Ended:
        """Run the command in a process that has already imported the program."""
        command = ("docstead.cli", *arguments)
        environment = self.environment | more
        return self.ready.run(command, environment, folder=self.folder, timeout=_SECONDS)

    def from_nothing(self, *arguments: str | Path) -> Ended:
        """Run the command in a new interpreter, with its own hash seed and two engines."""
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
        # Two engines are no faster for two pages, and take twice as long to start.
        more = {"DOCSTEAD_DATA": str(self.folder / "data"), "DOCSTEAD_RENDER_WORKERS": "1"}
        return kept | more
