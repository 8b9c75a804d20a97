from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from ready_processes import ReadyProcesses

_SECONDS = 120
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


@pytest.fixture
def docstead(tmp_path: Path, ready: ReadyProcesses) -> Command:
    return Command(tmp_path, ready)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A small repository without a fault."""
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "docs.json").write_text(
        json.dumps(
            {
                "name": "Handbook",
                "theme": "mint",
                "colors": {"primary": "#0F766E"},
                "navigation": {"pages": ["index", "guides/keys"]},
            }
        )
    )
    (folder / "index.mdx").write_text("---\ntitle: Welcome\n---\n\nSee [keys](/guides/keys).\n")
    (folder / "guides").mkdir()
    (folder / "guides" / "keys.mdx").write_text(
        "---\ntitle: Keys\n---\n\n## Rotate a key\n\n"
        "To rotate a key, make a new key and revoke the old one.\n"
    )
    return folder
