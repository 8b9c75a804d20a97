"""Git trees that take longer to walk than anybody waits."""

from __future__ import annotations

from pathlib import Path

import pytest

from docstead.publishing.git import Git, GitFailed

LEVELS = 12  # of ten folders each: a million million, in 13 objects


def test_a_walk_over_folders_without_files_ends(tmp_path: Path) -> None:
    git = Git(tmp_path)
    git.run("init", "-q", "--bare")
    tree = git.text("hash-object", "-w", "-t", "tree", "/dev/null").strip()
    for _ in range(LEVELS):
        rows = "".join(f"040000 tree {tree}\td{number}\n" for number in range(10))
        tree = git.run("mktree", sent=rows.encode()).decode().strip()
    with pytest.raises(GitFailed, match="took over"):
        git.run("ls-tree", "-r", "-l", "-z", tree, timeout_seconds=1, output_limit_bytes=1 << 20)
