"""Commits put on top of others without a working tree, by merging trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docstead.agent.workspace.store import Store
from docstead.publishing.git import GitFailed

if TYPE_CHECKING:
    from docstead.agent.workspace.workspace import Workspace


class Conflicting(Exception):
    """Both sides changed the same lines of `paths`."""

    def __init__(self, paths: tuple[str, ...]) -> None:
        self.paths = paths
        super().__init__(", ".join(paths))


def is_ancestor(store: Store, older: str, newer: str) -> bool:
    """Whether the history that is here leads from `newer` to `older`."""
    try:
        store.git.run("merge-base", "--is-ancestor", older, newer)
    except GitFailed:
        return False
    return True


def commits_between(store: Store, older: str, newer: str) -> list[str]:
    """The commits after `older` up to `newer`, oldest first, by first parents."""
    told = store.git.text("rev-list", "--first-parent", "--reverse", newer, f"^{older}")
    return told.split()


def base_of(store: Store, tip: str, job_id: str) -> str | None:
    """The commit below a job's own commits; None where the branch shows none of them."""
    base, commit = None, store.commit_of(tip)
    while commit is not None:
        header = store.header(commit)
        if header.trailers.get("Docstead-Job") == job_id:
            if len(header.parents) > 1:
                return header.parents[1]
            base = header.parents[0] if header.parents else None
        commit = store.commit_of(header.parents[0]) if header.parents else None
    return base


def replayed_on(workspace: Workspace, commits: list[str], onto: str) -> str:
    """Each commit's change again, on top of another commit. Raises `Conflicting`."""
    store, tip = workspace.store, onto
    for commit in commits:
        header = store.header(commit)
        tree = _merged(workspace, header.parents[0], tip, commit)
        if tree != workspace.tree_at(tip):
            whole = store.grafted(store.header(tip).tree, workspace.remote.root, tree)
            tip = store.commit_tree(whole, (tip,), header.message, store.authorship(commit))
    return tip


def merged_with(workspace: Workspace, base: str, other: str) -> str:
    """A commit of the head and another tip that both grew from `base`. Raises `Conflicting`."""
    store, head = workspace.store, workspace.head
    header = store.header(head)
    tree = _merged(workspace, base, other, head)
    whole = store.grafted(store.header(other).tree, workspace.remote.root, tree)
    trailers = header.message.rstrip().rpartition("\n\n")[2]
    message = f"Merge {workspace.base_branch} into {workspace.branch}\n\n{trailers}\n"
    return store.commit_tree(whole, (head, other), message, store.authorship(head))


def _merged(workspace: Workspace, base: str, ours: str, theirs: str) -> str:
    trees = (workspace.tree_at(commit) for commit in (base, ours, theirs))
    tree, conflicts = workspace.store.merged(*trees)
    if conflicts:
        raise Conflicting(conflicts)
    return tree
