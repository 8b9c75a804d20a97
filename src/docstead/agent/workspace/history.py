"""Rebase and merge without a working tree, by merging trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docstead.agent.workspace.bare_repository import EMPTY_TREE, BareRepository
from docstead.publishing.git import GitFailed

if TYPE_CHECKING:
    from docstead.agent.workspace.workspace import Workspace

# Trailers that identify the commits of a job.
JOB_TRAILER, TURN_TRAILER, BASE_TRAILER = "Docstead-Job", "Docstead-Turn", "Docstead-Base"


class ConflictingPaths(Exception):
    """Both sides changed the same lines of `paths`."""

    def __init__(self, paths: tuple[str, ...]) -> None:
        self.paths = paths
        super().__init__(", ".join(paths))


def is_ancestor(store: BareRepository, older: str, newer: str) -> bool:
    """Report whether the available history leads from `newer` to `older`."""
    try:
        store.git.run("merge-base", "--is-ancestor", older, newer)
    except GitFailed:
        return False
    return True


def commits_between(store: BareRepository, older: str, newer: str) -> list[str]:
    """Return the commits after `older` up to `newer`, oldest first, by first parents."""
    output = store.git.text("rev-list", "--first-parent", "--reverse", newer, f"^{older}")
    return output.split()


def base_of(store: BareRepository, tip: str, job_id: str) -> str | None:
    """Return the base commit below a job's own commits, or None."""
    base, commit = None, store.commit_of(tip)
    while commit is not None:
        header = store.header(commit)
        if header.trailers.get(JOB_TRAILER) == job_id:
            if (taken := header.trailers.get(BASE_TRAILER)) and store.commit_of(taken):
                return taken
            base = header.parents[0] if header.parents else None
        commit = store.commit_of(header.parents[0]) if header.parents else None
    return base


def rebased(workspace: Workspace, commits: list[str], onto: str) -> str:
    """Repeat each commit's change on top of another commit.

    Raises:
        ConflictingPaths: there are conflicts.
    """
    store, tip = workspace.store, onto
    for commit in commits:
        header = store.header(commit)
        tree = _merged(workspace, header.parents[0], tip, commit)
        if tree != workspace.tree_at(tip):
            whole = store.grafted(store.header(tip).tree, workspace.remote.root, tree)
            tip = store.commit_tree(whole, (tip,), header.message, store.authorship(commit))
    return tip


def merged_with(workspace: Workspace, since: str, other: str, *, is_base: bool) -> str:
    """Merge another tip into the head; `since` is the merge base.

    Raises:
        ConflictingPaths: there are conflicts.
    """
    store, head = workspace.store, workspace.head
    tree = _merged(workspace, since, other, head)
    outside = merged_outside(workspace, since, other, head)
    whole = store.grafted(outside, workspace.remote.root, tree)
    trailers = {JOB_TRAILER: workspace.job_id}
    if turn := store.header(head).trailers.get(TURN_TRAILER):
        trailers[TURN_TRAILER] = turn
    if is_base:
        trailers[BASE_TRAILER] = other
    what = workspace.base_branch if is_base else "changes of others"
    lines = "".join(f"{name}: {value}\n" for name, value in trailers.items())
    message = f"Merge {what} into {workspace.branch}\n\n{lines}"
    return store.commit_tree(whole, (head, other), message, store.authorship(head))


def _merged(workspace: Workspace, base: str, ours: str, theirs: str) -> str:
    trees = (workspace.tree_at(commit) for commit in (base, ours, theirs))
    tree, conflicts = workspace.store.merged(*trees)
    if conflicts:
        raise ConflictingPaths(conflicts)
    return tree


def merged_outside(workspace: Workspace, base: str, ours: str, theirs: str) -> str:
    """Merge files outside the documentation, which only others change.

    Raises:
        ConflictingPaths: there are conflicts.
    """
    store, root = workspace.store, workspace.remote.root
    before, one, other = (
        store.grafted(store.header(commit).tree, root, EMPTY_TREE) if root else EMPTY_TREE
        for commit in (base, ours, theirs)
    )
    if other == before:
        return one
    if one == before:
        return other
    try:
        tree, conflicts = store.merged(before, one, other)
    except GitFailed:
        # The contents were never fetched, and both sides changed the same files.
        conflicts = ("files outside of the documentation",)
    if conflicts:
        raise ConflictingPaths(conflicts)
    return tree
