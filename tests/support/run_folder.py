"""Folder for what all processes of a test run share, such as servers."""

from __future__ import annotations

import fcntl
import os
import shlex
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

RUN_VARIABLE = "DOCSTEAD_TEST_RUN"  # begins with the id of the process that started the run


def run_folder() -> Path:
    folder = Path(tempfile.gettempdir()) / f"docstead-tests-{os.environ[RUN_VARIABLE]}"
    folder.mkdir(mode=0o755, exist_ok=True)
    return folder


def start_for_run(
    script: str,
    log: Path,
    *,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> None:
    """Start a shell script that must end after the process `$run`, which started the run."""
    run = os.environ[RUN_VARIABLE].partition("-")[0]
    subprocess.run(
        ["sh", "-c", f"(run={run}; {script}) >{shlex.quote(str(log))} 2>&1 </dev/null &"],
        env={**os.environ, **(environment or {})},
        start_new_session=True,
        cwd=folder,
        check=True,
    )


@contextmanager
def locked(lock: Path) -> Iterator[None]:
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
