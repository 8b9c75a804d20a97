"""Secrets that a commit of the agent would hide from the scan, and from reviewers."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from docstead.agent.workspace import (
    CommitAuthor,
    CommitMessage,
    PathRefused,
    SecretFound,
    Workspace,
    WorkspaceManager,
    commit,
)
from docstead.publishing.sources import DocumentationSource
from git_repositories import GitRepository

# Written in two parts, so that no scanner takes this file for a leak.
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ"
SERVICE_KEY = "svc_dsc_" + "a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZzQ"
SEPARATORS = ("\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029")
AUTHOR = CommitAuthor("Docs agent", "agent@docs.test")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    remote = GitRepository(tmp_path / "remote.git")
    remote.commit({"docs.json": "{}", "index.mdx": "Hello\n"})
    source = DocumentationSource(remote.url, None, "")
    return WorkspaceManager(tmp_path / "cache").open("aj_1", source, "docstead/x-1", project="p1")


@pytest.fixture
def commit_all(workspace: Workspace) -> Callable[[], str | None]:
    moment = datetime(2026, 1, 2, tzinfo=UTC)
    message = CommitMessage("Change", "")
    return lambda: commit(workspace, message, AUTHOR, turn="turn_1", moment=moment)


@pytest.mark.parametrize("separator", SEPARATORS, ids=ascii)
def test_a_secret_after_another_line_separator_is_found(workspace, commit_all, separator) -> None:
    workspace.files.write("key.mdx", f"first\nText{separator}@@ -1 +1 @@{separator}{TOKEN}\n")
    with pytest.raises(SecretFound, match=r"key\.mdx:2: GitHub token"):
        commit_all()


def test_a_secret_in_a_file_that_git_takes_for_binary_is_found(workspace, commit_all) -> None:
    (workspace.root / "key.mdx").write_text(f"\0\n{TOKEN}\n")
    with pytest.raises(SecretFound, match=r"key\.mdx:2: GitHub token"):
        commit_all()


def test_no_file_is_written_that_reviewers_would_see_as_binary(workspace) -> None:
    with pytest.raises(PathRefused, match="NUL"):
        workspace.files.write("key.mdx", "first\0\n")


def test_a_secret_in_the_name_of_a_file_is_found(workspace, commit_all) -> None:
    workspace.files.write(f"{TOKEN}.mdx", "Text\n")
    with pytest.raises(SecretFound, match="GitHub token"):
        commit_all()


def test_a_key_of_a_deployment_is_found(workspace, commit_all) -> None:
    workspace.files.write("key.mdx", f"Use {SERVICE_KEY} here.\n")
    with pytest.raises(SecretFound, match="service key"):
        commit_all()
