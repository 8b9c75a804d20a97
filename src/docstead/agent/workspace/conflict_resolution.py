"""Commits of others that disagree with the branch, while somebody makes both agree.

They are a newer base, or what was pushed to the job's own branch. The files show what both
sides say, between git's marks. The next commit of the job is the merge, if no mark is left
in them.
"""

from __future__ import annotations

import re

from docstead.agent.workspace.history import merged_outside
from docstead.agent.workspace.workspace import BASE, HEAD, PUBLISHED, Workspace

_BEFORE = "refs/docstead/base-before"  # what both sides have in common
_OTHERS = "refs/docstead/others"  # the other side, where it is not the base
_MARK = re.compile(rb"(?m)^(<{7}|>{7}) ")


def begin(workspace: Workspace, other: str, *, is_base: bool = True) -> tuple[str, tuple[str, ...]]:
    """The tree that shows both sides, and where they disagree; a newer base counts from now on.

    Raises `Conflicting` for files outside of the documentation, which a job never changes.
    """
    before = workspace.base_commit if is_base else workspace.shared
    merged_outside(workspace, before, other, workspace.head)
    tree, paths = _both(workspace, before, other)
    _point(
        workspace, f"update {_BEFORE} {before}", f"update {BASE if is_base else _OTHERS} {other}"
    )
    return tree, paths


def is_under_way(workspace: Workspace) -> bool:
    return workspace.store.ref(_BEFORE) is not None


def is_with_base(workspace: Workspace) -> bool:
    return workspace.store.ref(_OTHERS) is None


def other_side(workspace: Workspace) -> str:
    """The commit that is being merged into the branch."""
    return workspace.store.ref(_OTHERS) or workspace.base_commit


def unresolved_files(workspace: Workspace) -> tuple[str, ...]:
    """The files that still have git's marks in them."""
    before = workspace.store.ref(_BEFORE)
    if before is None:
        return ()
    paths = _both(workspace, before, other_side(workspace))[1]
    return tuple(path for path in paths if _MARK.search(_data(workspace, path)))


def outside(workspace: Workspace) -> str:
    """The tree of the merge, but for the documentation."""
    other = other_side(workspace)
    before = workspace.store.ref(_BEFORE) or other
    return merged_outside(workspace, before, other, workspace.head)


def finish(workspace: Workspace, commit: str) -> None:
    """The merge is made: it is the branch's head."""
    changes = [f"update {HEAD} {commit}", f"delete {_BEFORE}"]
    if not is_with_base(workspace):
        changes += [f"update {PUBLISHED} {other_side(workspace)}", f"delete {_OTHERS}"]
    _point(workspace, *changes)


def give_up(workspace: Workspace) -> None:
    """Back to the branch as it was, if anything was begun."""
    before = workspace.store.ref(_BEFORE)
    if before is not None:
        workspace.restore(workspace.tree_at(workspace.head))
        with_base = is_with_base(workspace)
        _point(
            workspace,
            f"update {BASE} {before}" if with_base else f"delete {_OTHERS}",
            f"delete {_BEFORE}",
        )


def _both(workspace: Workspace, before: str, other: str) -> tuple[str, tuple[str, ...]]:
    trees = (workspace.tree_at(each) for each in (before, workspace.head, other))
    return workspace.store.merged(*trees)


def _data(workspace: Workspace, path: str) -> bytes:
    return workspace.files.read_listed(path) or b""


def _point(workspace: Workspace, *changes: str) -> None:
    sent = "".join(f"{change}\n" for change in changes).encode()
    workspace.store.git.run("update-ref", "--no-deref", "--stdin", sent=sent)
