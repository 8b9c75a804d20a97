"""Git repositories for tests, without a working tree."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_PERSON = "Ada <ada@docs.test> 1700000000 +0000"
_SETTINGS = {"uploadpack.allowFilter": "true", "uploadpack.allowAnySHA1InWant": "true"}


@dataclass(frozen=True)
class Symlink:
    """A symbolic link."""

    target: str


@dataclass(frozen=True)
class Submodule:
    commit: str = "a" * 40


Content = str | bytes | Symlink | Submodule | None  # None deletes the path


def git(directory: Path, *arguments: str, sent: bytes = b"") -> str:
    variables = {
        "PATH": os.environ["PATH"], "HOME": str(directory), "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@docs.test",
        "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@docs.test",
    }  # fmt: skip
    done = subprocess.run(
        ["git", *arguments], cwd=directory, env=variables, input=sent, capture_output=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, (arguments, done.stderr.decode(errors="replace"))
    return done.stdout.decode(errors="surrogateescape").strip()


class GitRepository:
    """A bare repository to clone, fetch from and push to."""

    def __init__(self, path: Path) -> None:
        self.path = shutil.copytree(_empty_repository(), path)

    @property
    def url(self) -> str:
        return self.path.as_uri()

    def commit(
        self, files: Mapping[str, Content], *, branch: str = "main", message: str = "change"
    ) -> str:
        """Create a commit on a branch, which is created if it does not exist; return its id."""
        head = f"commit refs/heads/{branch}\nmark :1\ncommitter {_PERSON}\n"
        start = f"from refs/heads/{branch}^0\n" if self._has(branch) else ""
        changes = b"".join(_change(path, content) for path, content in files.items())
        parts = (head, _data(message.encode()), start)
        stream = "".join(parts).encode() + changes + b"\nget-mark :1\n"
        return git(self.path, "fast-import", "--quiet", "--force", sent=stream)

    def raw_commit(self, tree: str, *, branch: str = "main") -> str:
        """Create a commit of a tree that no git client would write; return its id."""
        made = git(self.path, "commit-tree", tree, sent=b"raw")
        git(self.path, "update-ref", f"refs/heads/{branch}", made)
        return made

    def raw_tree(self, *entries: tuple[str, str, str]) -> str:
        """Write a tree object of (mode, name, object id) without checks; return its id."""
        data = b"".join(
            f"{mode} ".encode() + os.fsencode(name) + b"\0" + bytes.fromhex(object_id)
            for mode, name, object_id in entries
        )
        return git(self.path, "hash-object", "-t", "tree", "-w", "--literally", "--stdin",
                   sent=data or b"")  # fmt: skip

    def blob(self, content: str | bytes) -> str:
        data = content if isinstance(content, bytes) else content.encode()
        return git(self.path, "hash-object", "-w", "--stdin", sent=data)

    def _has(self, branch: str) -> bool:
        """Report whether a branch exists, if possible without a process."""
        if (self.path / "packed-refs").exists():
            return branch in self.branches()
        return (self.path / "refs" / "heads" / branch).is_file()

    def branches(self) -> list[str]:
        output = git(self.path, "for-each-ref", "--format=%(refname:strip=2)", "refs/heads")
        return output.splitlines()

    def tip(self, branch: str = "main") -> str:
        return git(self.path, "rev-parse", f"refs/heads/{branch}")

    def delete(self, branch: str) -> None:
        git(self.path, "update-ref", "-d", f"refs/heads/{branch}")

    def files(self, branch: str = "main") -> dict[str, str]:
        """Return file contents by path."""
        names = git(self.path, "ls-tree", "-r", "-z", "--name-only", branch).split("\0")
        return {name: self.read(name, branch) for name in names if name}

    def read(self, path: str, branch: str = "main") -> str:
        done = subprocess.run(
            ["git", "cat-file", "blob", f"{branch}:{path}"], cwd=self.path, check=True,
            capture_output=True,
        )  # fmt: skip
        return done.stdout.decode()

    def log(self, branch: str = "main") -> list[str]:
        """Return commit messages, newest first."""
        output = git(self.path, "log", "--format=%B%x00", branch)
        return [message.strip() for message in output.split("\0") if message.strip()]

    def hook(self, name: str, script: str) -> None:
        path = self.path / "hooks" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def protect(self, branch: str = "main") -> None:
        """Protect a branch from pushes, as a forge does."""
        self.hook(
            "pre-receive",
            f'while read old new ref; do [ "$ref" = refs/heads/{branch} ] && '
            f'{{ echo "GH006: Protected branch update failed for $ref." >&2; exit 1; }}; done; '
            "exit 0",
        )


@cache
def _empty_repository() -> Path:
    """Return a bare repository to copy, which is faster than creating one."""
    path = Path(tempfile.mkdtemp(prefix="docstead-repository-"))
    path.chmod(0o755)
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    git(path, "init", "--quiet", "--bare", "--initial-branch=main", "--template=", ".")
    for name, value in _SETTINGS.items():
        git(path, "config", name, value)
    return path


def _data(data: bytes) -> str:
    return f"data {len(data)}\n{data.decode(errors='surrogateescape')}\n"


def _change(path: str, content: Content) -> bytes:
    name = _quoted(path)
    if content is None:
        return f"D {name}\n".encode()
    if isinstance(content, Submodule):
        return f"M 160000 {content.commit} {name}\n".encode()
    mode = "120000" if isinstance(content, Symlink) else "100644"
    text = content.target if isinstance(content, Symlink) else content
    data = text if isinstance(text, bytes) else text.encode()
    return f"M {mode} inline {name}\ndata {len(data)}\n".encode() + data + b"\n"


def _quoted(path: str) -> str:
    escaped = "".join(
        chr(byte) if 32 < byte < 127 and byte not in b'"\\' else f"\\{byte:03o}"
        for byte in os.fsencode(path)
    )
    return f'"{escaped}"'
