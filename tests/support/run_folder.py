"""Folder for what all processes of a test run share, such as servers."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

RUN_VARIABLE = "DOCSTEAD_TEST_RUN"  # begins with the id of the process that started the run


def run_folder() -> Path:
    folder = Path(tempfile.gettempdir()) / f"docstead-tests-{os.environ[RUN_VARIABLE]}"
    folder.mkdir(mode=0o755, exist_ok=True)
    return folder


def run_process() -> str:
    """Return the id of the process that started the run."""
    return os.environ[RUN_VARIABLE].partition("-")[0]


@contextmanager
def locked(lock: Path) -> Iterator[None]:
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
