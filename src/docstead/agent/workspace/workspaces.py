"""Workspaces of a node: open, continue, clean up."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Collection
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from docstead.agent.workspace.bare_repository import BareRepository
from docstead.agent.workspace.files import WorkspaceFiles
from docstead.agent.workspace.history import base_of
from docstead.agent.workspace.limits import WorkspaceLimits
from docstead.agent.workspace.mirrors import BranchTips, GitMirrors
from docstead.agent.workspace.names import check_branch
from docstead.agent.workspace.remote import GitCredentials, GitRemote
from docstead.agent.workspace.signing import SigningKey
from docstead.agent.workspace.trees import WorkTree
from docstead.agent.workspace.workspace import BASE, HEAD, PUBLISHED, Workspace
from docstead.base.errors import InvalidRequest, SourceUnreadable
from docstead.base.files import files_below
from docstead.base.units import DAY_SECONDS
from docstead.publishing.git import Git
from docstead.publishing.git_network import GitNetwork
from docstead.publishing.sources import DocumentationSource

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
_STATE = "workspace.json"
_VERSION = "version"  # of clones of additional repositories


@dataclass(frozen=True, slots=True)
class _StoredState:
    """Written last: a folder without it is incomplete and is recreated."""

    address: str
    root: str
    branch: str
    base_branch: str


class WorkspaceManager:
    """Mirrors and job clones below the folder `cache`.

    `network` is what git may contact for read-only repositories; those that jobs work on were
    configured by the operator. Commits are signed with `signing`.
    """

    def __init__(
        self,
        cache: Path,
        limits: WorkspaceLimits | None = None,
        network: GitNetwork | None = None,
        signing: SigningKey | None = None,
    ) -> None:
        self._signing = signing
        self._limits = limits or WorkspaceLimits()
        self._network = network or GitNetwork()
        self._jobs = cache / "jobs"
        self.mirrors = GitMirrors(cache / "mirrors", self._limits)

    def open(
        self,
        job_id: str,
        source: DocumentationSource,
        branch: str,
        *,
        project: str,
        credentials: GitCredentials | None = None,
    ) -> Workspace:
        """Return the job's clone as it was left, or a new one.

        A new one continues the job's branch if the remote has it.

        Raises:
            SourceUnreadable: the remote is unreadable, empty or too large.
            SigningFailed: commits cannot be signed.
        """
        if self._signing is not None:
            self._signing.check()
        remote = GitRemote.of(source, credentials, self._network.named_by_operator)
        directory = self._directory(job_id)
        state = _read_state(directory)
        if state is None or (state.address, state.root, state.branch) != (
            remote.url, remote.root, branch,
        ):  # fmt: skip
            state = self._create(directory, remote, check_branch(branch), project)
        workspace = Workspace(
            job_id,
            directory,
            remote,
            state.branch,
            state.base_branch,
            self.mirrors,
            self._signing,
        )
        for lock in (directory / "git").rglob("*.lock"):
            lock.unlink(missing_ok=True)  # left by a killed git
        workspace.finish_move()
        return workspace

    def reference(
        self,
        job_id: str,
        name: str,
        source: DocumentationSource,
        *,
        project: str,
        version: str = "",
        credentials: GitCredentials | None = None,
    ) -> WorkspaceFiles:
        """Return a read-only clone of another repository. Each `version` is another clone.

        Raises:
            SourceUnreadable: it cannot be read or is not allowed.
        """
        remote = GitRemote.of(source, credentials, self._network)
        directory = self._directory(job_id) / "references" / _checked(name)
        state = directory / _VERSION
        if not state.exists() or state.read_text() != version:
            shutil.rmtree(directory, ignore_errors=True)
            self._clone(directory, remote, None, project)
            state.write_text(version)
        return WorkspaceFiles(directory / "tree")

    def remove(self, job_id: str) -> None:
        """Delete a job's clone; its branch on the remote stays."""
        shutil.rmtree(self._directory(job_id), ignore_errors=True)

    def sweep(self, keep: Collection[str], older_than_seconds: float = 7 * DAY_SECONDS) -> int:
        """Delete clones that were not used for long; return their number. `keep` are job ids.

        If the others take too many bytes, the least recently used are deleted, too.
        """
        oldest = time.time() - older_than_seconds
        found = list(self._jobs.iterdir()) if self._jobs.is_dir() else []
        clones = sorted(found, key=_last_use, reverse=True)
        left_bytes, count = self._limits.clones_bytes, 0
        for path in clones:
            left_bytes -= _size(path)
            if path.name not in keep and (_last_use(path) < oldest or left_bytes < 0):
                shutil.rmtree(path, ignore_errors=True)
                count += 1
        return count

    def _directory(self, job_id: str) -> Path:
        return self._jobs / _checked(job_id)

    def _create(
        self, directory: Path, remote: GitRemote, branch: str, project: str
    ) -> _StoredState:
        tips, store = self._clone(directory, remote, branch, project)
        head, base = tips.base, tips.base
        if tips.job is not None:
            head, base = tips.job, base_of(store, tips.job, directory.name) or tips.base
            store.point(PUBLISHED, tips.job)
        store.point(HEAD, head)
        store.point(BASE, base)
        state = _StoredState(remote.url, remote.root, branch, tips.base_branch)
        (directory / _STATE).write_text(json.dumps(asdict(state)))
        return state

    def _clone(
        self, directory: Path, remote: GitRemote, branch: str | None, project: str
    ) -> tuple[BranchTips, BareRepository]:
        shutil.rmtree(directory, ignore_errors=True)
        (directory / "tree").mkdir(parents=True)
        tips = self.mirrors.clone(remote, project, branch, directory / "git")
        store = BareRepository(Git(directory / "git"))
        tip = tips.job or tips.base
        tree = store.tree_of(tip, remote.root)
        if tree is None:
            raise SourceUnreadable(
                f"{remote.url}: there is no folder {remote.root!r} at commit {tip[:12]}"
            )
        index = directory / "git" / "docs.index"
        WorkTree(store, directory / "tree", index).fill(tree, self._limits)
        return tips, store


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise InvalidRequest(f"{name!r} cannot name a folder")
    return name


def _read_state(directory: Path) -> _StoredState | None:
    try:
        return _StoredState(**json.loads((directory / _STATE).read_text()))
    except (OSError, ValueError, TypeError):
        return None


def _last_use(directory: Path) -> float:
    index = directory / "git" / "docs.index"
    return (index if index.exists() else directory).stat().st_mtime


def _size(directory: Path) -> int:
    """Return the bytes of a folder's files, without those that vanish meanwhile."""
    total = 0
    for _, entry in files_below(directory, ignore_errors=True):
        with suppress(FileNotFoundError):
            total += entry.stat(follow_symlinks=False).st_size
    return total
