"""A remote repository, and workspaces that are cloned from it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from docstead.agent.workspace import (
    CommitAuthor,
    CommitMessage,
    Workspace,
    WorkspaceManager,
    commit,
)
from docstead.publishing.sources import DocumentationSource
from git_repositories import GitRepository

BRANCH = "docstead/a-page-1"
SETTINGS = '{"name": "Site", "theme": "mint", "navigation": {"pages": ["index", "guides/start"]}}\n'
AUTHOR = CommitAuthor("Docs agent", "agent@docs.test")
MOMENT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture
def remote(tmp_path: Path) -> GitRepository:
    repository = GitRepository(tmp_path / "remote.git")
    repository.commit(
        {
            "docs.json": SETTINGS,
            "index.mdx": "---\ntitle: Home\n---\nHello\n",
            "guides/start.mdx": "one\ntwo\nthree\nfour\nfive\nsix\nseven\n",
        }
    )
    return repository


@pytest.fixture
def workspaces(tmp_path: Path) -> WorkspaceManager:
    return WorkspaceManager(tmp_path / "cache")


Open = Callable[..., Workspace]
Commit = Callable[..., str | None]


@pytest.fixture
def open_workspace(workspaces: WorkspaceManager, remote: GitRepository) -> Open:
    def open_one(
        job_id: str = "aj_1", branch: str = BRANCH, project: str = "p1", **source: str
    ) -> Workspace:
        requested = DocumentationSource(remote.url, source.get("ref"), source.get("root", ""))
        return workspaces.open(job_id, requested, branch, project=project)

    return open_one


@pytest.fixture
def commit_all() -> Commit:
    def commit_now(
        workspace: Workspace, turn: str = "turn_1", subject: str = "Change"
    ) -> str | None:
        message = CommitMessage(subject, "Because it was asked for.")
        return commit(workspace, message, AUTHOR, turn=turn, moment=MOMENT)

    return commit_now


@pytest.fixture
def changed(open_workspace: Open, commit_all: Commit) -> Workspace:
    """A workspace with one commit that changes the first line of a page."""
    workspace = open_workspace()
    workspace.files.write("guides/start.mdx", "ONE\ntwo\nthree\nfour\nfive\nsix\nseven\n")
    commit_all(workspace)
    return workspace
