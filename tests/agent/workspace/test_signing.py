"""Signed commits of a workspace, checked by `git verify-commit`."""

from __future__ import annotations

from pathlib import Path

import pytest

from docstead.agent.workspace import SigningFailed, SigningKey, WorkspaceManager, push
from docstead.agent.workspace.bare_repository import EMPTY_TREE
from git_repositories import GitRepository
from signing_keys import is_verified, new_key


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return new_key(tmp_path)


@pytest.fixture
def workspaces(tmp_path: Path, key: Path) -> WorkspaceManager:
    return WorkspaceManager(tmp_path / "cache", signing=SigningKey(key))


def test_commits_are_signed_by_the_key(changed, key, remote: GitRepository, tmp_path) -> None:
    (tmp_path / "other").mkdir()
    commit = push(changed).commit
    assert is_verified(remote.path, commit, key)
    assert not is_verified(remote.path, commit, new_key(tmp_path / "other"))
    assert not is_verified(remote.path, remote.tip("main"), key)


def test_a_commit_made_again_is_the_same_commit(changed, commit_all) -> None:
    store, header = changed.store, changed.store.header(changed.head)
    people = store.authorship(changed.head)
    again = store.commit_tree(header.tree, header.parents, header.message, people)
    assert again == changed.head
    assert commit_all(changed) == changed.head


def test_commits_that_move_to_a_newer_base_are_signed(changed, key, remote: GitRepository) -> None:
    remote.commit({"index.mdx": "---\ntitle: Home\n---\nBye\n"})
    done = push(changed)
    assert done.how == "rebased"
    assert is_verified(remote.path, done.commit, key)


def test_merges_are_signed(changed, commit_all, key, remote: GitRepository) -> None:
    push(changed)
    remote.commit({"index.mdx": "---\ntitle: Home\n---\nBye\n"})
    changed.files.write("new.mdx", "more\n")
    commit_all(changed, "turn_2")
    done = push(changed)
    assert (done.how, is_verified(remote.path, done.commit, key)) == ("merged", True)


def test_a_missing_key_opens_no_workspace(key: Path, open_workspace) -> None:
    key.unlink()
    with pytest.raises(SigningFailed) as failed:
        open_workspace()
    assert failed.value.reason == f"{key} cannot be read"
    assert str(key) not in failed.value.message


def test_a_key_that_is_removed_meanwhile_makes_no_commit(key: Path, changed) -> None:
    head = changed.head
    key.unlink()
    with pytest.raises(SigningFailed):
        changed.store.commit_tree(EMPTY_TREE, (head,), "More\n", {})
    assert changed.head == head


def test_a_key_with_a_passphrase_is_refused_without_a_question(tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir()
    locked = new_key(tmp_path / "locked", passphrase="correct horse")
    with pytest.raises(SigningFailed) as failed:
        SigningKey(locked).check()
    assert "passphrase" in failed.value.reason


def test_a_machine_without_the_program_says_so(
    key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SigningFailed) as failed:
        SigningKey(key).check()
    assert failed.value.reason == "ssh-keygen of OpenSSH 8.2 or later is missing"
