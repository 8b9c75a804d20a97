"""The two sides of a change, in a local bare repository with their full history."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from docstead.agent.reviews.records import Review
from docstead.agent.workspace.bare_repository import EMPTY_TREE, BareRepository, create
from docstead.agent.workspace.diffs import FileChange, FileDiff, changes_between, diffs_between
from docstead.agent.workspace.limits import WorkspaceLimits
from docstead.agent.workspace.remote import GitRemote
from docstead.agent.workspace.signing import SigningKey
from docstead.base.errors import Conflict, SourceUnreadable
from docstead.base.units import MIB
from docstead.publishing.git import FETCH_SECONDS, GitFailed
from docstead.publishing.sources import locked

_DIFF_BYTES = 32 * MIB
_REFS = "refs/docstead/changes"


class BranchGone(Conflict):
    """A branch of the change no longer exists on the remote."""


@dataclass(frozen=True, slots=True)
class ChangeCommit:
    """A commit of a change, for lists."""

    id: str
    author: str
    created_at: datetime
    subject: str


@dataclass(frozen=True, slots=True)
class ChangeRevisions:
    """`tip` is the head of the base branch, `fork` the merge base, `head` the change's own tip."""

    store: BareRepository
    root: str  # path of the documentation in the repository
    tip: str
    fork: str | None  # None for unrelated histories
    head: str

    @property
    def is_merged(self) -> bool:
        return self.fork == self.head

    @property
    def is_forward(self) -> bool:
        """Whether the merge is a fast-forward."""
        return self.fork == self.tip

    def commits(self) -> tuple[ChangeCommit, ...]:
        """Return up to 250 commits of the change, newest first."""
        since = f"{self.fork}..{self.head}" if self.fork else self.head
        format_ = "--format=%H%x00%an%x00%ct%x00%s"
        text = self.store.git.text("log", "--no-show-signature", "--max-count=250", format_, since)
        return tuple(_commit(line) for line in text.splitlines() if line)

    def changes(self) -> tuple[FileChange, ...]:
        """Return the files that the change touches, without later changes of the base branch."""
        return changes_between(self.store, self.fork or EMPTY_TREE, self.head)

    def files(self, since: str | None = None, until: str | None = None) -> tuple[FileDiff, ...]:
        """Return the diffs of the change, or between two of its commits.

        Raises:
            SourceUnreadable: the diffs are too long.
        """
        before, after = since or self.fork or EMPTY_TREE, until or self.head
        try:
            return diffs_between(self.store, before, after, limit_bytes=_DIFF_BYTES)
        except GitFailed as error:
            raise SourceUnreadable("the diff is too long to be shown") from error

    def line(self, path: str, number: int, side: str) -> str:
        """Return the text of a line before or after the change; "" if there is none."""
        commit = self.fork if side == "before" else self.head
        try:
            text = self.store.git.run("cat-file", "blob", f"{commit}:{path}").decode(
                errors="replace"
            )
        except GitFailed:
            return ""
        return "".join(text.split("\n")[number - 1 : number])

    def fork_tree(self) -> str:
        return self._documentation(self.fork)

    def head_tree(self) -> str:
        return self._documentation(self.head)

    def _documentation(self, commit: str | None) -> str:
        found = self.store.tree_of(commit, self.root) if commit else None
        return found or EMPTY_TREE


class ReviewClones:
    """Local bare repositories of reviewed repositories, one per project."""

    def __init__(self, folder: Path, signing: SigningKey | None = None) -> None:
        self._folder = folder
        self._signing = signing
        self._limits = WorkspaceLimits()

    def revisions(self, review: Review, remote: GitRemote) -> ChangeRevisions:
        """Return the current sides of a change, or the recorded ones if it has ended.

        Raises:
            BranchGone: a branch no longer exists.
            SourceUnreadable: the remote cannot be read; the message explains why.
        """
        with self.opened(review, remote) as store:
            tips = _ended(store, review) or fetched(store, review, remote)
            return revisions_of(store, remote, *tips)

    @contextmanager
    def opened(self, review: Review, remote: GitRemote) -> Iterator[BareRepository]:
        """Yield the repository, locked against other processes."""
        name = f"{review.project_id}\0{remote.url}"
        directory = self._folder / f"{hashlib.sha256(name.encode()).hexdigest()[:24]}.git"
        self._folder.mkdir(parents=True, exist_ok=True)
        with locked(directory.with_suffix(".lock")):
            if not (directory / "config").exists():
                shutil.rmtree(directory, ignore_errors=True)
                create(directory)
            _unlock(directory)
            yield BareRepository(remote.git(directory, self._limits), self._signing)


def _unlock(directory: Path) -> None:
    """Remove lock files of killed git processes, while holding the lock."""
    for left in (*directory.glob("*.lock"), *(directory / "refs").rglob("*.lock")):
        left.unlink(missing_ok=True)


def _commit(line: str) -> ChangeCommit:
    commit, author, seconds, subject = line.split("\0", 3)
    return ChangeCommit(commit, author, datetime.fromtimestamp(int(seconds), UTC), subject)


def revisions_of(store: BareRepository, remote: GitRemote, tip: str, head: str) -> ChangeRevisions:
    try:
        fork = store.git.text("merge-base", tip, head).strip()
    except GitFailed:
        fork = None
    return ChangeRevisions(store, remote.root, tip, fork, head)


def fetched(store: BareRepository, review: Review, remote: GitRemote) -> tuple[str, str]:
    """Fetch both branches, and return the heads of the base branch and of the change."""
    names = {review.base: f"{_REFS}/base", review.branch: f"{_REFS}/{review.id}"}
    try:
        heads = heads_of(store, remote, tuple(names))
        missing = next((name for name in names if name not in heads), None)
        if missing is not None:
            raise BranchGone(f"the branch {missing!r} no longer exists on the remote")
        if not all(store.commit_of(tip) for tip in heads.values()):
            _fetch(store, remote, names)
    except GitFailed as error:
        raise remote.explained(error) from error
    return heads[review.base], heads[review.branch]


def heads_of(store: BareRepository, remote: GitRemote, branches: Collection[str]) -> dict[str, str]:
    """Return the commits of existing branches on the remote."""
    refs = [f"refs/heads/{branch}" for branch in branches]
    output = store.git.text("ls-remote", "--", remote.url, *refs, timeout_seconds=FETCH_SECONDS)
    lines = [line.split("\t", 1) for line in output.splitlines() if "\t" in line]
    return {ref.removeprefix("refs/heads/"): tip for tip, ref in lines if ref in refs}


def _fetch(store: BareRepository, remote: GitRemote, names: Mapping[str, str]) -> None:
    store.git.run(
        "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head",
        "--", remote.url, *(f"+refs/heads/{branch}:{ref}" for branch, ref in names.items()),
        timeout_seconds=FETCH_SECONDS,
    )  # fmt: skip


def _ended(store: BareRepository, review: Review) -> tuple[str, str] | None:
    """Return the recorded heads of an ended change, if they are available locally."""
    tips = (review.base_commit, review.head_commit)
    if None in tips or not all(store.commit_of(tip or "") for tip in tips):
        return None
    return review.base_commit or "", review.head_commit or ""
