"""Values shared by the modules of publishing."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from docstead.publishing.git import Git
from docstead.repository.tree_limits import DEFAULT_TREE_LIMITS, TreeLimits

CONTENT = "content-"
_AUTHOR = re.compile(r"^author (?P<name>.*?) <[^>]*> \d+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FileDigest:
    sha256: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Revision:
    """Revision of a checkout.

    `commit` is the git commit if the files match it exactly, otherwise `content-` and a hash of all
    files. `files` are the digests of all files that publishing reads, by path; None if they have
    not been read yet (see `folders.files_of`).
    """

    commit: str
    ref: str | None = None
    message: str = ""
    author: str | None = None
    files: Mapping[str, FileDigest] | None = None

    @classmethod
    def of_commit(cls, git: Git, commit: str, ref: str | None) -> Revision:
        # `cat-file` starts no other programs, unlike `log`.
        header, _, message = git.text("cat-file", "commit", commit).partition("\n\n")
        author = _AUTHOR.search(header)
        return cls(commit, ref, message.strip(), author["name"] if author else None)

    @property
    def is_content(self) -> bool:
        """Whether `commit` is a content hash rather than a git commit."""
        return self.commit.startswith(CONTENT)


@dataclass(frozen=True)
class GitCheckout:
    """A documentation repository on disk.

    Its revision is determined on first use by reading every file, which may happen while pages are
    rendered. Callers that compare the files later request it before rendering.
    """

    path: Path
    find_revision: Callable[[], Revision]
    temporary: bool = False
    limits: TreeLimits = DEFAULT_TREE_LIMITS

    @cached_property
    def revision(self) -> Revision:
        return self.find_revision()

    def discard(self) -> None:
        """Delete the files that `checkout` wrote; a user's folder is not changed."""
        if self.temporary:
            shutil.rmtree(self.path, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class FileChanges:
    """Changed files of an edition compared with the previous one, by path."""

    added: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
