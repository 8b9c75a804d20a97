"""Values that the parts of publishing exchange."""

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
    """Contents of a checkout.

    `commit` is the git commit where the files are exactly that commit's, otherwise
    `content-` and a hash of all files. `files` are all that publishing looks at, by path;
    None where nobody has read them yet (see `folders.files_of`).
    """

    commit: str
    ref: str | None = None
    message: str = ""
    author: str | None = None
    files: Mapping[str, FileDigest] | None = None

    @classmethod
    def of_commit(cls, git: Git, commit: str, ref: str | None) -> Revision:
        # `cat-file` starts no other program, as `log` may.
        header, _, message = git.text("cat-file", "commit", commit).partition("\n\n")
        author = _AUTHOR.search(header)
        return cls(commit, ref, message.strip(), author["name"] if author else None)

    @property
    def is_content(self) -> bool:
        """Whether `commit` names the contents of the folder rather than a commit of git."""
        return self.commit.startswith(CONTENT)


@dataclass(frozen=True)
class Checkout:
    """A documentation repository on the disk.

    Its revision is found out when it is first asked for: every file is read for it, and pages
    can be rendered meanwhile. A caller that compares the files later asks
    before they are rendered.
    """

    path: Path
    find_revision: Callable[[], Revision]
    temporary: bool = False
    limits: TreeLimits = DEFAULT_TREE_LIMITS

    @cached_property
    def revision(self) -> Revision:
        return self.find_revision()

    def discard(self) -> None:
        """Remove the files that `checkout` wrote; a folder of its owner is not changed."""
        if self.temporary:
            shutil.rmtree(self.path, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class FileChanges:
    """Files of one edition against the edition before it, by path."""

    added: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
