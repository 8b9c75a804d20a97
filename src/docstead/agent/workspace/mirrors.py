"""Mirrors of repositories, which make clones of later jobs cheap.

A mirror belongs to one project. Jobs hard-link its objects, so a mirror can be deleted at any time.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from docstead.agent.workspace.bare_repository import BareRepository, create
from docstead.agent.workspace.limits import WorkspaceLimits
from docstead.agent.workspace.remote import GitRemote
from docstead.base.errors import SourceUnreadable
from docstead.base.files import files_below
from docstead.publishing.git import FETCH_SECONDS, Git, GitFailed
from docstead.publishing.sources import locked

_PACKS = 40  # a mirror with more packs is recreated
_DEFAULT = re.compile(r"^ref: refs/heads/(\S+)\tHEAD$", re.MULTILINE)
_FETCH = ("fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head")


@dataclass(frozen=True, slots=True)
class BranchTips:
    """Heads of a remote: the base branch, and the job's branch if it exists."""

    base_branch: str
    base: str
    job: str | None


class GitMirrors:
    def __init__(self, directory: Path, limits: WorkspaceLimits) -> None:
        self._directory = directory
        self.limits = limits

    def clone(
        self, remote: GitRemote, project: str, branch: str | None, target: Path
    ) -> BranchTips:
        """Clone a remote's branches into the git directory `target`.

        Raises:
            SourceUnreadable: the remote cannot be cloned; the message explains why.
        """
        self._directory.mkdir(parents=True, exist_ok=True)
        name = hashlib.sha256(f"{project}\0{remote.url}\0{remote.root}".encode()).hexdigest()
        mirror = self._directory / f"{name[:24]}.git"
        with locked(mirror.with_suffix(".lock")):
            try:
                tips = self._fetched(mirror, remote, branch)
            except GitFailed as error:
                raise remote.explained(error) from error
            shutil.rmtree(target, ignore_errors=True)
            create(target, partial_of=remote.url if _is_partial(mirror) else None)
            _link_objects(mirror, target)
        return tips

    def git(self, remote: GitRemote, directory: Path) -> Git:
        return remote.git(directory, self.limits)

    def unshallow(self, remote: GitRemote, directory: Path) -> None:
        """Fetch the history before a job's commits, if it is still available."""
        git = self.git(remote, directory)
        oldest = (directory / "shallow").read_text().split()
        git.run(*_FETCH, "--unshallow", "--", remote.url, *oldest, timeout_seconds=FETCH_SECONDS)

    def refresh(
        self, remote: GitRemote, directory: Path, branches: Sequence[str]
    ) -> dict[str, str]:
        """Fetch branches into a job's git directory; return the heads of those that exist."""
        git = remote.git(directory, self.limits)
        try:
            heads = _heads(git, remote, branches)
            depth = self.limits.history_commits
            return {
                branch: self._known(git, tip) or self._fetch(git, remote, branch, depth)
                for branch, tip in heads.items()
            }
        except GitFailed as error:
            raise remote.explained(error) from error

    def _fetched(self, mirror: Path, remote: GitRemote, branch: str | None) -> BranchTips:
        try:
            return self._fetched_once(mirror, remote, branch)
        except GitFailed as error:
            # A killed git leaves locks, servers may reject partial clones, and files may be
            # damaged: clone again.
            is_in_order = ".lock'" not in error.printed and not _is_partial(mirror)
            if is_in_order and remote.git(mirror, self.limits).is_sound():
                raise
        shutil.rmtree(mirror)
        create(mirror)
        return self._fetched_once(mirror, remote, branch)

    def _fetched_once(self, mirror: Path, remote: GitRemote, branch: str | None) -> BranchTips:
        if not (mirror / "HEAD").exists() or _packs(mirror) > _PACKS:
            shutil.rmtree(mirror, ignore_errors=True)
            create(mirror, partial_of=remote.url if remote.root else None)
        git = remote.git(mirror, self.limits)
        base_branch = remote.ref or _default_branch(git, remote)
        heads = _heads(git, remote, [base_branch, *([branch] if branch else [])])
        if base_branch not in heads:
            raise SourceUnreadable(_no_branch(git, remote, base_branch))
        base = self._known(git, heads[base_branch]) or self._fetch(git, remote, base_branch, 1)
        job = None
        if branch in heads:
            job = self._fetch(git, remote, branch, self.limits.history_commits)
        for tip in filter(None, (base, job)):
            self._bring_files(git, remote, tip)
        return BranchTips(base_branch, base, job)

    def _known(self, git: Git, commit: str) -> str | None:
        return BareRepository(git).commit_of(commit)

    def _fetch(self, git: Git, remote: GitRemote, branch: str, depth: int) -> str:
        ref = f"refs/docstead/{hashlib.sha256(branch.encode()).hexdigest()[:24]}"
        partial = _is_partial(git.directory)
        git.run(
            *_FETCH, f"--depth={depth}", *(["--filter=blob:none"] if partial else []),
            "origin" if partial else remote.url, f"+refs/heads/{branch}:{ref}",
            timeout_seconds=FETCH_SECONDS,
        )  # fmt: skip
        commit = git.text("rev-parse", "--verify", f"{ref}^{{commit}}").strip()
        if partial:
            self._bring_files(git, remote, commit)
        return commit

    def _bring_files(self, git: Git, remote: GitRemote, commit: str) -> None:
        """Fetch the files of the documentation into a partial clone."""
        store = BareRepository(git)
        tree = store.tree_of(commit, remote.root)
        if tree is None or not _is_partial(git.directory):
            return
        output = git.text("rev-list", "--objects", "--no-object-names", "--missing=print", tree)
        missing = [line[1:] for line in output.splitlines() if line.startswith("?")]
        if missing:
            git.run(
                # Without negotiation, because the server would assume that we have the files.
                "-c", "fetch.negotiationAlgorithm=noop",
                *_FETCH, "--filter=blob:none", "--stdin", "origin",
                sent=("\n".join(missing) + "\n").encode(), timeout_seconds=FETCH_SECONDS,
            )  # fmt: skip


def _heads(git: Git, remote: GitRemote, branches: Sequence[str]) -> dict[str, str]:
    names = [f"refs/heads/{branch}" for branch in branches]
    output = git.text("ls-remote", "--", remote.url, *names, timeout_seconds=FETCH_SECONDS)
    pairs = (line.split("\t", 1) for line in output.splitlines() if "\t" in line)
    return {ref.removeprefix("refs/heads/"): tip for tip, ref in pairs if ref in names}


def _default_branch(git: Git, remote: GitRemote) -> str:
    output = git.text(
        "ls-remote", "--symref", "--", remote.url, "HEAD", timeout_seconds=FETCH_SECONDS
    )
    if found := _DEFAULT.search(output):
        return found[1]
    raise SourceUnreadable(_no_branch(git, remote, "HEAD"))


def _no_branch(git: Git, remote: GitRemote, branch: str) -> str:
    output = git.text("ls-remote", "--", remote.url, timeout_seconds=FETCH_SECONDS)
    if not output.strip():
        return f"{remote.url}: the repository is empty; commit a docs.json to it first"
    if branch == "HEAD":
        return f"{remote.url}: it has no default branch; name one in the project's settings"
    if f"refs/tags/{branch}" in output:
        return f"{remote.url}: {branch!r} is a tag; the agent's work needs a branch"
    return f"{remote.url}: there is no branch {branch!r}"


def _is_partial(directory: Path) -> bool:
    config = directory / "config"
    return config.is_file() and "partialClone" in config.read_text()


def _packs(directory: Path) -> int:
    return sum(1 for _ in (directory / "objects" / "pack").glob("*.pack"))


def _link_objects(mirror: Path, target: Path) -> None:
    for path in _object_files(mirror / "objects"):
        copy = target / path.relative_to(mirror)
        copy.parent.mkdir(parents=True, exist_ok=True)
        os.link(path, copy)
    if (mirror / "shallow").exists():
        shutil.copyfile(mirror / "shallow", target / "shallow")


def _object_files(objects: Path) -> Iterator[Path]:
    for path, entry in files_below(objects, skip=("info",), ignore_errors=True):
        if not entry.name.startswith("tmp_"):
            yield objects / path
