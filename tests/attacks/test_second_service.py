"""A second service on one data folder, or a damaged one, ended with a trace and status 3."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from docstead.jobs import Jobs
from free_ports import free_port
from ready_processes import ReadyProcesses


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


def test_a_second_service_ends_with_a_sentence(data: Path, ready: ReadyProcesses) -> None:
    first = Jobs(f"sqlite:///{data}/docstead.sqlite", node_id="first")
    first.launch()
    try:
        said = _ended(data, ready)
    finally:
        first.close()
    assert f"{data}/docstead-jobs.sqlite.lock: another service uses this data folder" in said
    assert "DOCSTEAD_DATA" in said


@pytest.mark.parametrize("name", ["docstead.sqlite", "docstead-jobs.sqlite"])
@pytest.mark.parametrize("content", [b"no database " * 1000, None])
def test_a_damaged_database_ends_the_start_with_a_sentence(
    data: Path, ready: ReadyProcesses, name: str, content: bytes | None
) -> None:
    if content is None:  # nobody can read it
        (data / name).mkdir()
    else:
        (data / name).write_bytes(content)
    said = _ended(data, ready)
    assert f"{data}/{name}: " in said
    assert ("put a backup in its place" if content else "let the user of this process") in said


def _ended(data: Path, ready: ReadyProcesses) -> str:
    """Return the message of a service that could not start."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DOCSTEAD_")}
    settings = {**kept, "DOCSTEAD_DATA": str(data), "DOCSTEAD_PORT": str(free_port())}
    ended = ready.run(["docstead.cli", "serve"], settings, folder=data.parent, timeout=120)
    said = ended.stdout + ended.stderr
    assert ended.returncode == 1, said
    assert "Traceback" not in said
    return said
