"""Resolution of conflicts with commits of others.

They are from a newer base, or were pushed to the job's branch. Files contain both versions between
git's conflict markers. The job's next commit is the merge, if no markers are left.
"""

from __future__ import annotations

import re

from docstead.agent.workspace.history import merged_outside
from docstead.agent.workspace.workspace import BASE, HEAD, PUBLISHED, Workspace

_BEFORE = "refs/docstead/base-before"  # merge base
_OTHERS = "refs/docstead/others"  # the other side, if it is not the base branch
_MARK = re.compile(rb"(?m)^(<{7}|>{7}) ")


def begin(workspace: Workspace, other: str, *, is_base: bool = True) -> tuple[str, tuple[str, ...]]:
    """Start a resolution; return the tree with conflict markers and the conflicting files.

    Raises:
        Conflicting: files outside of the documentation conflict, which a job never changes.
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


def merged_commit(workspace: Workspace) -> str:
    """Return the commit that is being merged into the branch."""
    return workspace.store.ref(_OTHERS) or workspace.base_commit


def unresolved_files(workspace: Workspace) -> tuple[str, ...]:
    """Return the files that still contain conflict markers."""
    before = workspace.store.ref(_BEFORE)
    if before is None:
        return ()
    paths = _both(workspace, before, merged_commit(workspace))[1]
    return tuple(path for path in paths if _MARK.search(_data(workspace, path)))


def outside(workspace: Workspace) -> str:
    """Return the merged tree outside of the documentation."""
    other = merged_commit(workspace)
    before = workspace.store.ref(_BEFORE) or other
    return merged_outside(workspace, before, other, workspace.head)


def finish(workspace: Workspace, commit: str) -> None:
    """Make the merge commit the branch's head."""
    changes = [f"update {HEAD} {commit}", f"delete {_BEFORE}"]
    if not is_with_base(workspace):
        changes += [f"update {PUBLISHED} {merged_commit(workspace)}", f"delete {_OTHERS}"]
    _point(workspace, *changes)


def give_up(workspace: Workspace) -> None:
    """Abort a resolution, if one is in progress."""
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
