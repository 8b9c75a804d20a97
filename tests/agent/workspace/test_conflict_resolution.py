"""A base that disagrees, over remotes of both kinds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from docstead.agent.workspace import (
    BranchDiverged,
    GitCredentials,
    Workspace,
    WorkspaceManager,
    conflict_resolution,
    follow,
    push,
)
from docstead.agent.workspace.history import ConflictingPaths
from docstead.publishing.sources import DocumentationSource
from git_http import git_server
from git_repositories import GitRepository

BRANCH = "docstead/a-page-1"


@pytest.fixture(params=["file", "https"])
def workspace(
    request, tmp_path: Path, remote: GitRepository, workspaces: WorkspaceManager, monkeypatch
) -> Iterator[Workspace]:
    if request.param == "file":
        yield workspaces.open("aj_1", DocumentationSource(remote.url), BRANCH, project="p1")
        return
    with git_server(tmp_path, tmp_path / "server") as server:
        monkeypatch.setenv("GIT_SSL_CAINFO", str(server.certificate))
        writer = GitCredentials("writer", server.password)
        source = DocumentationSource(server.url_of("remote.git"))
        yield workspaces.open("aj_1", source, BRANCH, project="p1", credentials=writer)


def at_odds(workspace: Workspace, remote: GitRepository, commit_all) -> str:
    """The base that disagrees with a branch that was pushed."""
    workspace.files.write("index.mdx", "mine\n")
    commit_all(workspace)
    remote.commit({"index.mdx": "theirs\n", "other.mdx": "other\n"})
    done = push(workspace)
    assert (done.conflicts, done.base) == (("index.mdx",), remote.tip())
    return remote.tip()


def test_both_branches_become_one_merge(workspace: Workspace, remote, commit_all) -> None:
    base = at_odds(workspace, remote, commit_all)
    head = workspace.head
    for _ in range(2):  # as after a crash
        push(workspace)
        tree, paths = conflict_resolution.begin(workspace, base)
    workspace.restore(tree)
    assert paths == conflict_resolution.unresolved_files(workspace) == ("index.mdx",)
    shown = workspace.files.text("index.mdx")
    assert shown.index("mine") < shown.index("=======") < shown.index("theirs")
    workspace.files.write("index.mdx", "mine and theirs\n")
    assert conflict_resolution.unresolved_files(workspace) == ()
    made = commit_all(workspace)
    assert commit_all(workspace) == made
    assert workspace.store.header(made).parents == (head, base)
    assert push(workspace).commit == remote.tip(BRANCH) == made
    assert remote.files(BRANCH)["index.mdx"] == "mine and theirs\n"
    assert remote.files(BRANCH)["other.mdx"] == "other\n"


def at_odds_on_the_branch(workspace: Workspace, remote: GitRepository, commit_all) -> str:
    """Push commits of others to a branch, unseen by this clone."""
    workspace.files.write("new.mdx", "new\n")
    commit_all(workspace)
    push(workspace)
    theirs = remote.commit({"index.mdx": "theirs\n", "other.mdx": "other\n"}, branch=BRANCH)
    workspace.files.write("index.mdx", "mine\n")
    commit_all(workspace, "turn_2")
    for _ in range(2):  # as after a crash
        with pytest.raises(BranchDiverged) as failed:
            push(workspace)
        tree, paths = conflict_resolution.begin(workspace, failed.value.theirs, is_base=False)
    workspace.restore(tree)
    assert paths == conflict_resolution.unresolved_files(workspace) == ("index.mdx",)
    assert remote.files(failed.value.kept_on)["index.mdx"] == "mine\n"
    return theirs


def test_pushes_to_the_branch_become_a_merge_too(workspace: Workspace, remote, commit_all) -> None:
    theirs = at_odds_on_the_branch(workspace, remote, commit_all)
    base, head = workspace.base_commit, workspace.head
    workspace.files.write("index.mdx", "mine and theirs\n")
    made = commit_all(workspace, "turn_2")
    assert commit_all(workspace, "turn_2") == made
    assert workspace.store.header(made).parents == (head, theirs)
    assert workspace.base_commit == base
    assert push(workspace).commit == remote.tip(BRANCH) == made
    assert remote.files(BRANCH)["index.mdx"] == "mine and theirs\n"
    assert remote.files(BRANCH)["other.mdx"] == "other\n"
    assert sorted(remote.branches()) == [BRANCH, "main"]


def test_pushes_to_the_branch_can_be_given_up_too(workspace: Workspace, remote, commit_all) -> None:
    at_odds_on_the_branch(workspace, remote, commit_all)
    base = workspace.base_commit
    conflict_resolution.give_up(workspace)
    assert workspace.files.text("index.mdx") == "mine\n"
    assert (workspace.base_commit, conflict_resolution.is_under_way(workspace)) == (base, False)


def test_what_is_given_up_leaves_the_branch_as_it_was(
    workspace: Workspace, remote, commit_all
) -> None:
    before = workspace.base_commit
    base = at_odds(workspace, remote, commit_all)
    tree, _ = conflict_resolution.begin(workspace, base)
    workspace.restore(tree)
    conflict_resolution.give_up(workspace)
    assert workspace.files.text("index.mdx") == "mine\n"
    assert workspace.base_commit == before
    assert not conflict_resolution.is_under_way(workspace)
    assert commit_all(workspace) == workspace.head


def test_conflicts_beside_the_documentation_are_nobodys_to_resolve(
    workspaces: WorkspaceManager, remote: GitRepository, commit_all
) -> None:
    remote.commit({"docs/index.mdx": "one\n", "code.py": "one\n"})
    source = DocumentationSource(remote.url, root="docs")
    workspace = workspaces.open("aj_1", source, BRANCH, project="p1")
    workspace.files.write("index.mdx", "mine\n")
    commit_all(workspace)
    push(workspace)
    remote.commit({"code.py": "theirs\n"}, branch=BRANCH)
    remote.commit({"code.py": "others\n", "docs/index.mdx": "theirs\n"})
    follow(workspace)
    with pytest.raises(ConflictingPaths, match="outside of the documentation"):
        conflict_resolution.begin(workspace, remote.tip())
    assert not conflict_resolution.is_under_way(workspace)
