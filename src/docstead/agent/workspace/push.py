"""Push of a job's commits to a remote that may have changed in the meantime.

Pushes are never forced. Commits are rebased onto the remote's, otherwise merged with them,
otherwise kept on a separate branch while the push fails. Idempotent after a crash.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from docstead.agent.workspace import conflict_resolution
from docstead.agent.workspace.branch_merges import joined, take_in
from docstead.agent.workspace.history import (
    TURN_TRAILER,
    ConflictingPaths,
    commits_between,
    is_ancestor,
)
from docstead.agent.workspace.push_rejections import push_rejection
from docstead.agent.workspace.workspace import PUBLISHED, Workspace
from docstead.base.errors import Conflict
from docstead.publishing.git import FETCH_SECONDS, GitFailed

_TRIES = 5
_KEPT = "refs/docstead/kept"


@dataclass(frozen=True, slots=True)
class PushedCommit:
    """Pushed commit and its branch."""

    branch: str
    commit: str
    direct: bool = False  # whether `branch` is the base branch
    how: str = "pushed"  # pushed, rebased, merged, or unchanged if it already was there
    conflicts: tuple[str, ...] = ()  # files that conflict with the base
    base: str | None = None  # the conflicting commit of the base
    note: str = ""  # why the push differs from the request


class PushFailed(Conflict):
    """The work could not be pushed."""

    def __init__(self, message: str, *, conflicts: tuple[str, ...] = ()) -> None:
        self.conflicts = conflicts
        super().__init__(message)


class BranchDiverged(PushFailed):
    """The job's branch on the remote has conflicting commits of others."""

    def __init__(self, branch: str, conflicts: tuple[str, ...], theirs: str, kept_on: str) -> None:
        self.theirs = theirs  # head of the remote branch
        self.kept_on = kept_on  # the separate remote branch that has the work
        super().__init__(
            f"somebody has changed the same lines in {', '.join(conflicts)} on the branch "
            f"{branch!r}; the work is on {kept_on!r}",
            conflicts=conflicts,
        )


class BranchProtected(PushFailed):
    """The remote does not accept pushes to this branch."""


class MergeUnpublishable(PushFailed):
    """The merge with the base must not be pushed to it."""


class _RemoteMoved(Exception):
    """The remote branch has moved in the meantime."""


def _anything(_tree: str) -> bool:
    return True


def push(
    workspace: Workspace, *, direct: bool = False, is_fit: Callable[[str], bool] = _anything
) -> PushedCommit:
    """Push the branch's head to the job's branch or, if `direct`, to the base branch.

    If the base is protected, conflicts, or `is_fit` rejects the resulting tree, the job's branch is
    pushed instead, and `note` explains why.

    Raises:
        PushFailed: the push failed.
    """
    workspace.finish_move()
    conflict_resolution.give_up(workspace)
    if direct:
        try:
            return _insist(workspace, partial(_to_base, is_fit=is_fit))
        except (BranchProtected, MergeUnpublishable) as refusal:
            note = refusal.message
        except PushFailed as failure:
            if not failure.conflicts:
                raise
            note = failure.message
        return replace(_insist(workspace, _to_branch), note=note)
    return _insist(workspace, _to_branch)


def has_unpushed_work(workspace: Workspace) -> bool:
    """Report whether commits of earlier turns are missing on the remote, as after a failed push.

    Merges of a newer base are no work.
    """
    store, shared = workspace.store, workspace.shared
    if workspace.head == shared or not is_ancestor(store, shared, workspace.head):
        return False
    headers = map(store.header, commits_between(store, shared, workspace.head))
    return any(len(each.parents) == 1 and TURN_TRAILER in each.trailers for each in headers)


def _insist(workspace: Workspace, way: Callable[[Workspace], PushedCommit]) -> PushedCommit:
    for _ in range(_TRIES):
        try:
            return way(workspace)
        except _RemoteMoved:
            continue
    raise PushFailed(f"{workspace.remote.url}: the branch moved {_TRIES} times during a push")


def _to_branch(workspace: Workspace) -> PushedCommit:
    store, tips = workspace.store, workspace.tips()
    there, head = tips.get(workspace.branch), workspace.head
    done = PushedCommit(workspace.branch, head)
    if there is not None and is_ancestor(store, head, there):
        store.point(PUBLISHED, there)
        done = replace(done, how="unchanged")
        if there != head:
            return done
    elif there is not None and not is_ancestor(store, there, head):
        done = _onto_others(workspace, there)
    done = _with_base(workspace, done, tips.get(workspace.base_branch), is_shown=there is not None)
    if done.commit != there:
        _send(workspace, done.commit, workspace.branch)
    store.point(PUBLISHED, done.commit)
    _drop_kept(workspace)
    return done


def _with_base(
    workspace: Workspace, done: PushedCommit, base: str | None, *, is_shown: bool
) -> PushedCommit:
    """Merge the newest base if there are no conflicts."""
    if base is None:
        return replace(
            done, note=f"the branch {workspace.base_branch!r} no longer exists on the remote"
        )
    try:
        how = take_in(workspace, base, is_shown=is_shown)
    except ConflictingPaths as conflict:
        return replace(done, conflicts=conflict.paths, base=base)
    return replace(done, commit=workspace.head, how=how or done.how)


def _onto_others(workspace: Workspace, there: str) -> PushedCommit:
    """Rebase the local commits onto those that others have pushed."""
    own = commits_between(workspace.store, workspace.shared, workspace.head)
    try:
        moved, how = joined(workspace, own, workspace.shared, there, is_base=False)
    except ConflictingPaths as conflict:
        kept = _kept(workspace)
        raise BranchDiverged(workspace.branch, conflict.paths, there, kept) from None
    workspace.move_to(moved, workspace.base_commit)
    return PushedCommit(workspace.branch, moved, how=how)


def _kept(workspace: Workspace) -> str:
    """Push the commits to a separate branch and return its name."""
    head = workspace.head
    name = _name_of_kept(workspace, head)
    _send(workspace, head, name)
    if workspace.store.ref(_KEPT) != head:
        _drop_kept(workspace)
        workspace.store.point(_KEPT, head)
    return name


def _drop_kept(workspace: Workspace) -> None:
    """Delete the separate branch after its commits were pushed; the remote may keep it."""
    kept = workspace.store.ref(_KEPT)
    if kept is None or not is_ancestor(workspace.store, kept, workspace.head):
        return
    name = _name_of_kept(workspace, kept)
    with suppress(GitFailed):
        workspace.git().run(
            "push", "--porcelain", "--quiet", "--no-verify",
            f"--force-with-lease=refs/heads/{name}:{kept}", "--",
            workspace.remote.url, f":refs/heads/{name}",
            timeout_seconds=FETCH_SECONDS,
        )  # fmt: skip
    workspace.store.git.run("update-ref", "-d", _KEPT)


def _name_of_kept(workspace: Workspace, commit: str) -> str:
    return f"{workspace.branch}-{commit[:8]}"


def _to_base(workspace: Workspace, is_fit: Callable[[str], bool]) -> PushedCommit:
    store, head = workspace.store, workspace.head
    base = workspace.tips().get(workspace.base_branch)
    if base is None:
        raise PushFailed(f"the branch {workspace.base_branch!r} no longer exists on the remote")
    done = PushedCommit(workspace.base_branch, head, direct=True)
    if landed := _landed(workspace, base):
        return replace(done, commit=landed, how="unchanged")
    if not is_ancestor(store, base, head):
        since = workspace.base_commit
        own = commits_between(store, since, head)
        try:
            moved, how = joined(workspace, own, since, base, is_base=True)
        except ConflictingPaths as conflict:
            message = f"{workspace.base_branch!r} has changed in {', '.join(conflict.paths)}"
            raise PushFailed(message, conflicts=conflict.paths) from None
        workspace.move_to(moved, base)
        done = replace(done, commit=moved, how=how)
    if not is_fit(workspace.tree_at(done.commit)):
        raise MergeUnpublishable(
            f"the checks find errors in what {workspace.base_branch!r} would be with it"
        )
    _send(workspace, done.commit, workspace.base_branch)
    return done


def _landed(workspace: Workspace, base: str) -> str | None:
    """Return the commit of the base branch that already is this turn's work."""
    store, head = workspace.store, workspace.head
    if is_ancestor(store, head, base):
        return head
    turn = store.header(head).trailers.get(TURN_TRAILER)
    since = commits_between(store, workspace.base_commit, base)
    same = (each for each in since if store.header(each).trailers.get(TURN_TRAILER) == turn)
    return next(same, None) if turn else None


def _send(workspace: Workspace, commit: str, branch: str) -> None:
    try:
        _send_once(workspace, commit, branch)
    except GitFailed as error:
        if "shallow update not allowed" not in error.printed:
            raise _failure(workspace, branch, error) from None
        # The remote has removed the work's ancestors, so the full history is pushed.
        try:
            workspace.mirrors.unshallow(workspace.remote, workspace.directory / "git")
            _send_once(workspace, commit, branch)
        except GitFailed:
            message = f"the remote no longer has the commit {workspace.base_commit[:12]}"
            raise PushFailed(f"{message} that the work is based on") from None


def _send_once(workspace: Workspace, commit: str, branch: str) -> None:
    workspace.git().run(
        "push", "--porcelain", "--quiet", "--no-verify", "--no-recurse-submodules", "--",
        workspace.remote.url, f"{commit}:refs/heads/{branch}",
        timeout_seconds=FETCH_SECONDS,
    )  # fmt: skip


def _failure(workspace: Workspace, branch: str, error: GitFailed) -> Exception:
    rejection = push_rejection(error, workspace.remote, branch)
    if rejection.is_moved:
        return _RemoteMoved()
    return (BranchProtected if rejection.is_refused else PushFailed)(rejection.message)
