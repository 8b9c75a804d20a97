"""Trees that are made without git are those that git makes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from docstead.agent.workspace import Workspace

NAMES = ("a", "a.mdx", "a-b.mdx", "b", "b.mdx", "Ä.mdx", "0")


def test_any_edits_give_the_tree_that_git_makes_of_them(open_workspace) -> None:
    workspace: Workspace = open_workspace()
    chance, tree, trees = random.Random(7), workspace.snapshot(), set[str]()
    for _ in range(40):
        paths = [edit(workspace.root, chance) for _ in range(chance.randint(1, 4))]
        tree = workspace.snapshot_since(tree, {path for each in paths for path in each})
        assert tree == workspace.snapshot()
        trees.add(tree)
    assert len(trees) > 20


def edit(root: Path, chance: random.Random) -> list[str]:
    """Write or remove a file, and all that stands in its way; return what was changed."""
    path = "/".join(chance.choices(NAMES, k=chance.randint(1, 3)))
    target, changed = root / path, [path]
    for parent in [*target.parents][::-1]:
        if parent.is_relative_to(root) and parent.is_file():
            parent.unlink()
            changed.append(str(parent.relative_to(root)))
    if target.is_dir():
        changed += [str(each.relative_to(root)) for each in target.rglob("*") if each.is_file()]
        for each in sorted(target.rglob("*"), reverse=True):
            each.rmdir() if each.is_dir() else each.unlink()
        target.rmdir()
    if chance.random() < 0.3:
        target.unlink(missing_ok=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(str(chance.random()))
        target.chmod(chance.choice((0o644, 0o755)))
    return changed


def test_a_snapshot_can_be_restored_in_a_clone_that_was_opened_again(open_workspace) -> None:
    workspace = open_workspace()
    before = workspace.snapshot()
    workspace.files.write("guides/new.mdx", "new\n")
    tree = workspace.snapshot_since(before, ["guides/new.mdx"])
    workspace.files.delete("guides/new.mdx")
    again = open_workspace()
    again.restore(tree)
    assert again.files.text("guides/new.mdx") == "new\n"
    assert again.snapshot() == tree


@pytest.mark.parametrize("size", [10, 9 << 20])
def test_what_is_very_large_is_taken_in_by_git(open_workspace, size: int) -> None:
    workspace = open_workspace()
    before = workspace.snapshot()
    (workspace.root / "large.bin").write_bytes(b"x" * size)
    tree = workspace.snapshot_since(before, ["large.bin"])
    assert workspace.store.bytes_of(tree) > size
    assert tree == workspace.snapshot()


def test_a_link_is_taken_in_by_git(open_workspace) -> None:
    workspace = open_workspace()
    before = workspace.snapshot()
    (workspace.root / "link.mdx").symlink_to("index.mdx")
    tree = workspace.snapshot_since(before, ["link.mdx"])
    assert workspace.store.children(tree)["link.mdx"].mode == "120000"
