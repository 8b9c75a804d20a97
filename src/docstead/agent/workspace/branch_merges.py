"""Merges of remote commits into a job's clone: its own branch, or a newer base.

Unpublished branches are rebased onto a newer base; published ones are never rewritten and get a
merge commit.
"""

from __future__ import annotations

from contextlib import suppress

from docstead.agent.workspace import conflict_resolution
from docstead.agent.workspace.history import (
    JOB_TRAILER,
    ConflictingPaths,
    base_of,
    commits_between,
    is_ancestor,
    merged_with,
    rebased,
)
from docstead.agent.workspace.workspace import PUBLISHED, Workspace


def follow(workspace: Workspace) -> tuple[str, ...]:
    """Merge commits of others, unless there are uncommitted changes.

    A conflicting base is not merged; its conflicting files are returned.
    """
    workspace.finish_move()
    conflict_resolution.give_up(workspace)
    head = workspace.head
    if workspace.snapshot() != workspace.tree_at(head):
        return ()
    tips = workspace.tips()
    there, base = tips.get(workspace.branch), tips.get(workspace.base_branch)
    if there is not None and there != head and _may_follow(workspace, there):
        known = base_of(workspace.store, there, workspace.job_id)
        workspace.move_to(there, known or workspace.base_commit)
        workspace.store.point(PUBLISHED, there)
    try:
        if base is not None:
            take_in(workspace, base, is_shown=there is not None)
    except ConflictingPaths as conflict:
        return conflict.paths
    return ()


def take_in(workspace: Workspace, base: str, *, is_shown: bool) -> str | None:
    """Integrate a newer base: `rebased` or `merged`; None if the branch already contains it.

    Raises:
        ConflictingPaths: there are conflicts; nothing was changed.
    """
    store, head = workspace.store, workspace.head
    if base == workspace.base_commit:
        return None
    if is_ancestor(store, base, head):
        workspace.move_to(head, base)
        return None
    has_all = is_ancestor(store, head, base) or (not is_shown and _has_work(workspace, base))
    if head == workspace.base_commit or has_all:
        workspace.move_to(base, base)
        return "rebased"
    own = commits_between(store, workspace.base_commit, head)
    if is_shown or not _are_own(workspace, own):
        moved, how = merged_with(workspace, workspace.base_commit, base, is_base=True), "merged"
    else:
        moved, how = joined(workspace, own, workspace.base_commit, base, is_base=True)
    workspace.move_to(moved, base)
    return how


def joined(
    workspace: Workspace, own: list[str], since: str, onto: str, *, is_base: bool
) -> tuple[str, str]:
    """Rebase the commits after `since` onto another tip, or merge all of them with it."""
    headers = [workspace.store.header(each) for each in own]
    if all(len(header.parents) == 1 for header in headers):
        with suppress(ConflictingPaths):
            return rebased(workspace, own, onto), "rebased"
    return merged_with(workspace, since, onto, is_base=is_base), "merged"


def _are_own(workspace: Workspace, commits: list[str]) -> bool:
    headers = (workspace.store.header(each) for each in commits)
    return all(header.trailers.get(JOB_TRAILER) == workspace.job_id for header in headers)


def _has_work(workspace: Workspace, base: str) -> bool:
    """Report whether a newer base already contains the branch's work."""
    trees = (workspace.tree_at(c) for c in (workspace.base_commit, base, workspace.head))
    tree, conflicts = workspace.store.merged(*trees)
    return not conflicts and tree == workspace.tree_at(base)


def _may_follow(workspace: Workspace, there: str) -> bool:
    """Report whether the remote branch still contains all local commits."""
    head = workspace.head
    return head == workspace.published or is_ancestor(workspace.store, head, there)
