"""A newer base that disagrees with the branch, while somebody makes both agree.

The files show what both sides say, between git's marks. The next commit of the job is the
merge, if no mark is left in them.
"""

from __future__ import annotations

import re

from docstead.agent.workspace.history import merged_outside
from docstead.agent.workspace.workspace import BASE, HEAD, Workspace

_BEFORE = "refs/docstead/base-before"  # the base that branch and newer base have in common
_MARK = re.compile(rb"(?m)^(<{7}|>{7}) ")


def begin(workspace: Workspace, base: str) -> tuple[str, tuple[str, ...]]:
    """From now on the newer base counts; the tree that shows both sides, and where they disagree.

    Raises `Conflicting` for files beside the documentation, which a job never changes.
    """
    before, head = workspace.base_commit, workspace.head
    merged_outside(workspace, before, base, head)
    tree, paths = _both(workspace, before, base)
    _point(workspace, f"update {_BEFORE} {before}\nupdate {BASE} {base}\n")
    return tree, paths


def is_under_way(workspace: Workspace) -> bool:
    return workspace.store.commit_of(_BEFORE) is not None


def unsettled(workspace: Workspace) -> tuple[str, ...]:
    """The files that still have git's marks in them."""
    before = workspace.store.commit_of(_BEFORE)
    if before is None:
        return ()
    paths = _both(workspace, before, workspace.base_commit)[1]
    return tuple(path for path in paths if _MARK.search(_data(workspace, path)))


def outside(workspace: Workspace) -> str:
    """The tree of the merge, but for the documentation."""
    before = workspace.store.commit_of(_BEFORE) or workspace.base_commit
    return merged_outside(workspace, before, workspace.base_commit, workspace.head)


def finish(workspace: Workspace, commit: str) -> None:
    """The merge is made: it is the branch's head."""
    _point(workspace, f"update {HEAD} {commit}\ndelete {_BEFORE}\n")


def give_up(workspace: Workspace) -> None:
    """Back to the branch as it was, if anything was begun."""
    before = workspace.store.commit_of(_BEFORE)
    if before is not None:
        workspace.restore(workspace.tree_at(workspace.head))
        _point(workspace, f"update {BASE} {before}\ndelete {_BEFORE}\n")


def _both(workspace: Workspace, before: str, base: str) -> tuple[str, tuple[str, ...]]:
    trees = (workspace.tree_at(each) for each in (before, workspace.head, base))
    return workspace.store.merged(*trees)


def _data(workspace: Workspace, path: str) -> bytes:
    return workspace.files.read_listed(path) or b""


def _point(workspace: Workspace, changes: str) -> None:
    workspace.store.git.run("update-ref", "--no-deref", "--stdin", sent=changes.encode())
