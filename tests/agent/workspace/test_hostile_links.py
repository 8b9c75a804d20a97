"""Symbolic links of a repository that lead out of the job's folder by way of others."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from docstead.agent.workspace import Workspace, WorkspaceManager
from docstead.agent.workspace.branch_merges import follow
from docstead.agent.workspace.limits import WorkspaceLimits
from docstead.agent.workspace.trees import WorkTree
from docstead.base.errors import SourceUnreadable
from docstead.base.units import MIB
from docstead.publishing.sources import DocumentationSource
from git_repositories import GitRepository, Symlink

_CHAIN = "deep/er/up/../../../../../written"  # lexically inside, outside if `up` is the root


def _leading_out(workspace: Workspace) -> list[str]:
    root = workspace.root.resolve()
    links = (path for path in workspace.root.rglob("*") if path.is_symlink())
    return [each.name for each in links if not Path(os.path.realpath(each)).is_relative_to(root)]


def test_a_link_through_a_link_that_is_made_later(remote: GitRepository, open_workspace) -> None:
    remote.commit({"deep/er/up": Symlink("../.."), "a": Symlink("deep/er/up/../secret")})
    assert not _leading_out(open_workspace())


def test_links_that_came_to_the_base_meanwhile(remote: GitRepository, open_workspace) -> None:
    workspace = open_workspace()
    before = workspace.snapshot()
    base = remote.commit({"a": Symlink("/etc/passwd"), "guides/b": Symlink("../../secret")})
    workspace.tips()
    workspace.move_to(base, base)
    assert not _leading_out(workspace)
    assert workspace.snapshot() == workspace.base_tree
    workspace.restore(before)
    assert workspace.snapshot() == before


def test_a_crash_leaves_no_link_out(
    remote: GitRepository, open_workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = open_workspace()
    base = remote.commit({"a": Symlink("/etc/passwd")})
    workspace.tips()

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(WorkTree, "_remove_links_out", crash)
        with pytest.raises(KeyboardInterrupt):
            workspace.move_to(base, base)
    assert _leading_out(workspace) == ["a"]
    workspace.finish_move()
    assert not _leading_out(workspace)
    assert workspace.snapshot() == workspace.base_tree


def test_a_link_with_the_name_of_a_file_that_is_being_written(
    remote: GitRepository, open_workspace
) -> None:
    """A page became a file anywhere on the machine: process ids are small in containers."""
    remote.commit({f".{os.getpid()}.partial": Symlink("guides/start.mdx")})
    workspace = open_workspace()
    workspace.files.write("index.mdx", "new\n")
    assert workspace.files.text("guides/start.mdx").startswith("one\n")
    assert workspace.files.text("index.mdx") == "new\n"


def test_a_link_with_a_target_of_megabytes(remote: GitRepository, open_workspace) -> None:
    remote.commit({"a": Symlink("b" * 100_000), "guides/b": Symlink("start.mdx")})
    workspace = open_workspace()
    assert not (workspace.root / "a").is_symlink()
    assert (workspace.root / "guides/b").is_symlink()
    assert workspace.snapshot() == workspace.base_tree


def test_a_newer_base_has_the_limits_of_a_clone(remote: GitRepository, tmp_path: Path) -> None:
    """A pack of some kilobytes filled the disk."""
    small = WorkspaceManager(tmp_path / "cache", WorkspaceLimits(tree_bytes=2 * MIB))
    workspace = small.open("aj_1", DocumentationSource(remote.url), "docstead/a-1", project="p1")
    before = workspace.head, workspace.snapshot()
    remote.commit({"big.txt": "a" * 3 * MIB})
    with pytest.raises(SourceUnreadable, match="2 MiB are allowed"):
        follow(workspace)
    assert not (workspace.root / "big.txt").exists()
    workspace.finish_move()
    assert (workspace.head, workspace.snapshot()) == before
