from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[[dict[str, str]], None]


class GitRepository:
    """A repository in a folder, made with the git of this machine."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch=main")

    @property
    def address(self) -> str:
        return self.path.as_uri()

    def git(self, *arguments: str) -> str:
        identity = ("-c", "user.name=Ada Writer", "-c", "user.email=ada@example.com")
        command = ["git", *identity, *arguments]
        done = subprocess.run(command, cwd=self.path, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            path = self.path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def commit(self, files: dict[str, str], message: str = "Change") -> str:
        self.write(files)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    return GitRepository(tmp_path / "repository")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "workspace"
