"""Checkout of a tree to disk, and snapshots of the disk as trees."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import dropwhile
from pathlib import Path

from docstead.agent.workspace.bare_repository import LINK, MODULE, BareRepository, TreeEntry
from docstead.agent.workspace.limits import WorkspaceLimits
from docstead.base.errors import SourceUnreadable
from docstead.base.units import MIB
from docstead.publishing.git import FETCH_SECONDS, LOCAL_SECONDS, Git, GitFailed
from docstead.repository.tree_limits import count_folders

_LINK_BYTES = 4096


@dataclass(frozen=True, slots=True)
class WorkTree:
    """A working folder for trees of a git directory.

    Submodules, and symbolic links that lead out of the folder, are not created; snapshots keep them
    unchanged.
    """

    store: BareRepository
    folder: Path
    index: Path

    def check_size(self, tree: str, limits: WorkspaceLimits) -> None:
        """Verify that a tree may be written to disk.

        Raises:
            SourceUnreadable: it exceeds a limit.
        """
        _check_size(self.store, tree, self.store.entries(tree), limits)

    def fill(self, tree: str, limits: WorkspaceLimits) -> None:
        """Write the files of a tree into the empty folder."""
        entries = self.store.entries(tree)
        _check_size(self.store, tree, entries, limits)
        self._clear_index()
        try:
            self._git("read-tree", tree)
        except GitFailed as error:
            raise SourceUnreadable(
                f"git refuses a path of the repository: {error.message}"
            ) from None
        files = [entry for entry in entries if entry.mode not in (LINK, MODULE)]
        self._git(
            "checkout-index", "--index", "--force", "--quiet", "-z", "--stdin",
            sent=b"".join(os.fsencode(entry.path) + b"\0" for entry in files),
            seconds=FETCH_SECONDS,
        )  # fmt: skip
        links = [entry for entry in entries if entry.mode == LINK]
        made = {entry.path for entry in links if self._link(entry)}
        self._leave_out(e.path for e in entries if e.mode in (LINK, MODULE) and e.path not in made)

    def left_out(self) -> tuple[str, ...]:
        """Return the submodules and links that were not created."""
        listed = self._git("ls-files", "-z", "-t").split(b"\0")
        return tuple(os.fsdecode(line[2:]) for line in listed if line.startswith(b"S "))

    def snapshot(self) -> str:
        """Return the tree of the folder's current contents."""
        self._git("add", "--all", "--force", "--", ".")
        return self._git("write-tree", "--missing-ok").decode().strip()

    def restore(self, tree: str) -> None:
        """Reset the folder to one of its snapshots."""
        (self.index.with_name(f"{self.index.name}.lock")).unlink(missing_ok=True)
        current = self.snapshot()
        if current != tree:
            self._git("read-tree", "-m", "-u", current, tree, seconds=FETCH_SECONDS)
        self._remove_links_out(tree)  # also after a crash between the two

    def _link(self, entry: TreeEntry) -> bool:
        """Create a symbolic link if it stays in the folder; report whether it was created."""
        target = self._target(entry)
        if not _stays_inside(entry.path, target):
            return False
        path = self.folder / entry.path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(target)
        except OSError:
            return False  # empty, or longer than the system allows
        return True

    def _remove_links_out(self, tree: str) -> None:
        """Remove links that git created from a newer tree and that lead out of the folder."""
        links = (entry for entry in self.store.entries(tree) if entry.mode == LINK)
        out = [each.path for each in links if not _stays_inside(each.path, self._target(each))]
        for path in out:
            if (self.folder / path).is_symlink():
                (self.folder / path).unlink()
        self._leave_out(out)

    def _target(self, link: TreeEntry) -> str:
        """Return the target of a link; "" if it is unknown or longer than a path can be."""
        arguments = ("cat-file", "blob", link.object_id)
        try:
            return os.fsdecode(self.store.git.run(*arguments, output_limit_bytes=_LINK_BYTES))
        except GitFailed:
            return ""

    def _leave_out(self, paths: Iterable[str]) -> None:
        listed = b"".join(os.fsencode(path) + b"\0" for path in paths)
        if listed:
            self._git("update-index", "-z", "--skip-worktree", "--stdin", sent=listed)

    def _clear_index(self) -> None:
        for path in (self.index, self.index.with_name(f"{self.index.name}.lock")):
            path.unlink(missing_ok=True)

    def _git(self, *arguments: str, sent: bytes = b"", seconds: float = LOCAL_SECONDS) -> bytes:
        git: Git = self.store.git
        variables = {
            "GIT_DIR": str(git.directory),
            "GIT_WORK_TREE": str(self.folder),
            "GIT_INDEX_FILE": str(self.index),
        }
        in_folder = Git(self.folder)
        return in_folder.run(*arguments, variables=variables, sent=sent, timeout_seconds=seconds)


def _stays_inside(path: str, target: str) -> bool:
    """Report whether a link stays within its folder, even if it leads to other links.

    `..` is allowed at the beginning only, where it leads up from real folders. After a name, which
    may be a link, it could lead anywhere.
    """
    names = [name for name in target.split("/") if name not in ("", ".")]
    down = list(dropwhile(lambda name: name == "..", names))
    top = posixpath.normpath(posixpath.join(posixpath.dirname(path), target)).split("/")[0]
    is_relative = target != "" and not target.startswith("/") and "\0" not in target
    return is_relative and ".." not in down and top not in ("..", ".git")


def _check_size(
    store: BareRepository, tree: str, entries: list[TreeEntry], limits: WorkspaceLimits
) -> None:
    if len(entries) > limits.tree_files:
        raise SourceUnreadable(
            f"the documentation has {len(entries):,} files; {limits.tree_files:,} are allowed"
        )
    folders = count_folders(entry.path for entry in entries)
    if folders > limits.tree_files:
        raise SourceUnreadable(
            f"the documentation has {folders:,} folders; {limits.tree_files:,} are allowed"
        )
    deepest = max((entry.path.count("/") for entry in entries), default=0)
    if deepest > limits.tree_depth:
        raise SourceUnreadable(
            f"folders are nested {deepest} deep; {limits.tree_depth} levels are allowed"
        )
    size = store.bytes_of(tree)
    if size > limits.tree_bytes:
        raise SourceUnreadable(
            f"the documentation's files have {size // MIB:,} MiB; "
            f"{limits.tree_bytes // MIB:,} MiB are allowed"
        )
