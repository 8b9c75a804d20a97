"""Commands of the program, each in a separate process."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from migrated_data import data_with_tables
from ready_processes import ReadyProcesses

_SECONDS = 300
_WITH_DATABASE = ("deployments", "keys", "organizations", "publish")
_OWN_DATA = {"DOCSTEAD_DATA", "DOCSTEAD_DATABASE_URL"}
Ended = subprocess.CompletedProcess[str]


@dataclass(frozen=True)
class Command:
    """Runner of commands with a data folder per test, each in a new process.

    Commands that need a database find one with tables, unless they are to create it (`migrates`).
    """

    folder: Path
    ready: ReadyProcesses
    migrates: bool = False

    def __call__(self, *arguments: str | Path, **more: str) -> Ended:
        """Run the command in a process that has already imported the program."""
        if not self.migrates and arguments[0] in _WITH_DATABASE and not more.keys() & _OWN_DATA:
            data_with_tables(self.folder / "data")
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
        more |= {"DOCSTEAD_SEARCH_BY_MEANING": "false"}  # a service would load the model of vectors
        return kept | more
