from __future__ import annotations

from pathlib import Path

import pytest

from commands import Command
from handbook import write_handbook
from ready_processes import ReadyProcesses


@pytest.fixture
def docstead(tmp_path: Path, ready: ReadyProcesses) -> Command:
    return Command(tmp_path, ready)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A small repository without diagnostics."""
    return write_handbook(tmp_path / "source")
