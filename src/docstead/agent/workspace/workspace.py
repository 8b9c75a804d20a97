"""A job's clone: its files, branch and changes."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from docstead.agent.workspace.bare_repository import BareRepository
from docstead.agent.workspace.diffs import FileChange, FileDiff, changes_between, diffs_between
from docstead.agent.workspace.files import WorkspaceFiles
from docstead.agent.workspace.limits import WorkspaceLimits
from docstead.agent.workspace.mirrors import GitMirrors
from docstead.agent.workspace.remote import GitRemote
from docstead.agent.workspace.signing import SigningKey
from docstead.agent.workspace.tree_edits import NotPlain, TreeEdits
from docstead.agent.workspace.trees import WorkTree
from docstead.base.errors import SourceUnreadable
from docstead.publishing.git import Git

HEAD, BASE, PUBLISHED = "refs/docstead/head", "refs/docstead/base", "refs/docstead/published"
NEXT, NEXT_BASE = "refs/docstead/next", "refs/docstead/next-base"


@dataclass(frozen=True)
class Workspace:
    """`root` is the documentation's folder on disk; git's files are stored elsewhere."""

    job_id: str
    directory: Path
    remote: GitRemote = field(repr=False)
    branch: str
    base_branch: str
    mirrors: GitMirrors = field(repr=False)
    signing: SigningKey | None = None  # of its commits

    @property
    def root(self) -> Path:
        return self.directory / "tree"

    @cached_property
    def files(self) -> WorkspaceFiles:
        return WorkspaceFiles(self.root, self.work_tree.left_out())

    @cached_property
    def store(self) -> BareRepository:
        return BareRepository(Git(self.directory / "git"), self.signing)

    @cached_property
    def work_tree(self) -> WorkTree:
        return WorkTree(self.store, self.root, self.directory / "git" / "docs.index")

    @cached_property
    def _edits(self) -> TreeEdits:
        return TreeEdits(self.store, self.root)

    @property
    def base_commit(self) -> str:
        """Commit of the base branch that the job's branch is based on."""
        return self._commit(BASE)

    @property
    def head(self) -> str:
        """Head of the job's branch, or the base commit if there are no commits yet."""
        return self._commit(HEAD)

    @property
    def published(self) -> str | None:
        """Last known commit of the job's branch on the remote."""
        return self.store.ref(PUBLISHED)

    @property
    def shared(self) -> str:
        """Last commit known to be both local and on the remote."""
        return self.published or self.base_commit

    @property
    def base_tree(self) -> str:
        """Tree of the documentation at the base."""
        return self.tree_at(self.base_commit)

    def tree_at(self, commit: str) -> str:
        """Return the documentation's tree at a commit."""
        tree = self.store.tree_of(commit, self.remote.root)
        if tree is None:
            where = f"folder {self.remote.root!r}" if self.remote.root else "tree"
            raise SourceUnreadable(
                f"{self.remote.url}: there is no {where} at commit {commit[:12]}"
            )
        return tree

    def snapshot(self) -> str:
        """Return the documentation's tree as it is on disk."""
        return self.work_tree.snapshot()

    def snapshot_since(self, tree: str, paths: Collection[str]) -> str:
        """Return the snapshot after a change of these paths since the snapshot `tree`."""
        try:
            return self._edits.changed(tree, paths)
        except NotPlain:
            return self.snapshot()

    def restore(self, tree: str) -> None:
        """Reset the documentation to a snapshot."""
        self.work_tree.restore(tree)

    def changed_files(self, tree: str | None = None) -> tuple[FileChange, ...]:
        """Return the changed files since the base, committed or not.

        `tree` is the current snapshot, if known.
        """
        return changes_between(self.store, self.base_tree, tree or self.snapshot())

    def renames(self) -> dict[str, str]:
        """Return new paths of files moved since the base, by old path."""
        return {each.old_path: each.path for each in self.changed_files() if each.old_path}

    def write_base(self, folder: Path) -> None:
        """Write the documentation at the base to an empty folder."""
        index = folder.with_suffix(".index")
        WorkTree(self.store, folder, index).fill(self.base_tree, WorkspaceLimits())
        index.unlink(missing_ok=True)

    @contextmanager
    def base(self) -> Iterator[Path]:
        """Yield a temporary folder with the documentation at the base."""
        folder = self.directory / "base"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        try:
            self.write_base(folder)
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def diff(self, tree: str | None = None) -> tuple[FileDiff, ...]:
        """Return unified diffs against the base; `tree` is the current snapshot, if known."""
        return diffs_between(self.store, self.base_tree, tree or self.snapshot())

    def git(self) -> Git:
        """Return a git runner for the clone that may contact the remote."""
        return self.mirrors.git(self.remote, self.directory / "git")

    def tips(self) -> dict[str, str]:
        """Fetch the job's branch and the base branch; return their heads."""
        branches = (self.branch, self.base_branch)
        return self.mirrors.refresh(self.remote, self.directory / "git", branches)

    def move_to(self, commit: str, base: str) -> None:
        """Make `commit` the branch's head and check it out; completed later after a crash.

        Raises:
            SourceUnreadable: its files exceed the limits.
        """
        self.work_tree.check_size(self.tree_at(commit), self.mirrors.limits)
        self.store.point(NEXT_BASE, base)
        self.store.point(NEXT, commit)
        self.finish_move()

    def finish_move(self) -> None:
        """Complete a `move_to` that a crash has interrupted."""
        commit, base = self.store.ref(NEXT), self.store.ref(NEXT_BASE)
        if commit is None or base is None:
            return
        self.restore(self.tree_at(commit))
        changes = f"update {HEAD} {commit}\nupdate {BASE} {base}\ndelete {NEXT}\n"
        self.store.git.run("update-ref", "--no-deref", "--stdin", sent=changes.encode())

    def _commit(self, ref: str) -> str:
        commit = self.store.ref(ref)
        if commit is None:
            raise SourceUnreadable(f"the job's clone is damaged: {ref} is missing")
        return commit
