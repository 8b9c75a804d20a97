"""Merging on a git server over https, with a token of the operator."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from docstead.agent.forges import ForgeKind
from docstead.agent.forges.access import ForgeAccess
from docstead.agent.forges.project_settings import ProjectSettings
from docstead.agent.reviews.merging import MergeRefused
from docstead.base.errors import SourceUnreadable
from git_http import GitServer, git_server
from review_repository import BRANCH
from tenancy_changes import set_source


@pytest.fixture
def server(tmp_path: Path, repository: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[GitServer]:
    with git_server(tmp_path, tmp_path / "server") as running:
        monkeypatch.setenv("GIT_SSL_CAINFO", str(running.certificate))
        yield running


def choose(harness: Any, server: GitServer, username: str, token: str) -> None:
    set_source(harness.tenancy, harness.project.id, server.url_of("handbook.git"))
    harness.credentials["bot"] = ForgeAccess("bot", token, username=username)
    harness.forges.settings.save(harness.project.id, ProjectSettings(credential="bot"))


def test_a_token_reads_and_merges(harness: Any, server: GitServer, repository: Any) -> None:
    choose(harness, server, "writer", server.password)
    review = harness.opened()
    project = harness.tenancy.project(harness.project.id)
    assert harness.forges.of(project).kind is ForgeKind.GIT
    assert harness.service.preview(harness.revisions(review)).passed
    harness.merge(review, "Ada")
    assert repository.tip() == repository.tip(BRANCH)


def test_one_that_may_only_read_cannot_merge(harness: Any, server: GitServer) -> None:
    choose(harness, server, "reader", server.password)
    review = harness.opened()
    with pytest.raises(MergeRefused, match="the token may not push"):
        harness.merge(review, "Ada")
    assert harness.reviews.get(review.id).is_open


def test_a_wrong_one_is_reported_without_being_shown(harness: Any, server: GitServer) -> None:
    choose(harness, server, "writer", "not-the-password")
    with pytest.raises(SourceUnreadable, match="token may not read it") as caught:
        harness.revisions(harness.opened())
    assert "not-the-password" not in caught.value.message
