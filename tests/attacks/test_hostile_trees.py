"""Git trees that take longer to walk than anybody waits."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from docstead.publishing.git import Git, GitFailed

LEVELS = 12  # of ten folders each: a million million, in 13 objects


@pytest.fixture
def endless_tree(tmp_path: Path) -> str:
    git = Git(tmp_path)
    git.run("init", "-q", "--bare")
    tree = git.text("hash-object", "-w", "-t", "tree", "/dev/null").strip()
    for _ in range(LEVELS):
        rows = "".join(f"040000 tree {tree}\td{number}\n" for number in range(10))
        tree = git.run("mktree", sent=rows.encode()).decode().strip()
    return tree


def test_a_walk_over_folders_without_files_ends(tmp_path: Path, endless_tree: str) -> None:
    git = Git(tmp_path)
    with pytest.raises(GitFailed, match="took over"):
        git.run(
            "ls-tree", "-r", "-l", "-z", endless_tree, timeout_seconds=1, output_limit_bytes=1 << 20
        )


@pytest.mark.deep
def test_such_a_walk_ends_if_the_service_was_killed_meanwhile(
    tmp_path: Path, endless_tree: str
) -> None:
    walk = f"Git(Path({str(tmp_path)!r})).run('ls-tree', '-r', {endless_tree!r}, timeout_seconds=2)"
    kill = "Timer(.5, os.kill, (os.getpid(), 9)).start()"
    imports = "import os; from pathlib import Path; from threading import Timer"
    program = f"{imports}; from docstead.publishing.git import Git; {kill}; {walk}"
    assert (
        subprocess.run([sys.executable, "-c", program], check=False).returncode == -signal.SIGKILL
    )
    left = _processes_in(tmp_path)
    assert left
    try:
        deadline = time.monotonic() + 60
        while _processes_in(tmp_path):
            assert time.monotonic() < deadline
            time.sleep(0.2)
    finally:
        for process in _processes_in(tmp_path):
            os.kill(process, signal.SIGKILL)


def _processes_in(folder: Path) -> list[int]:
    """The ids of processes whose working directory is `folder`."""
    found = []
    for each in Path("/proc").glob("[0-9]*/cwd"):
        with suppress(OSError):
            if each.readlink() == folder:
                found.append(int(each.parent.name))
    return found
