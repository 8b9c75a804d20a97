"""Names of reviewers, which owners write into a form and forges get in paths and bodies."""

from __future__ import annotations

from typing import Any

import pytest

from docstead.agent.forges.access import ForgeAccess
from docstead.agent.forges.errors import ForgeUnreachable
from docstead.agent.forges.project_settings import MAX_REVIEWERS, ProjectSettings
from docstead.base.errors import InvalidRequest

HOSTILE = (
    "ada\nPRIVATE-TOKEN: x", "../ada", "acme/../ada", "acme/a/b", "/ada", "acme/", "-ada",
    "ada?per_page=9", "ada#", "ada%2f", "ada&id=1", "ad a", "ada\0", "аda", "ada\u202e", "a" * 101,
    "@@ada", "<b>ada", "*", "", "  ",
)  # fmt: skip


def test_other_names_are_refused(harness: Any) -> None:
    project = harness.project("https://github.com/acme/handbook.git")
    stored = ProjectSettings(reviewers=("grace", "acme/writers"))
    harness.settings.save(project.id, stored)
    for name in HOSTILE:
        with pytest.raises(InvalidRequest, match=r"^reviewers: .* is not the name of"):
            harness.settings.save(project.id, ProjectSettings(reviewers=(name,)))
    assert harness.settings.of(project.id) == stored


def test_more_than_the_forge_takes_are_refused(harness: Any) -> None:
    project = harness.project("https://github.com/acme/handbook.git")
    names = tuple(f"ada{number}" for number in range(MAX_REVIEWERS + 1))
    with pytest.raises(InvalidRequest, match="reviewers: must be at most"):
        harness.settings.save(project.id, ProjectSettings(reviewers=names))


def test_unusual_answers_about_users_are_errors_of_the_forge(
    harness: Any, gitlab_front: Any, gitlab_server: Any
) -> None:
    access = ForgeAccess("bot", "the-token", api_url=f"{gitlab_front.url}/api/v4")
    gitlab = harness.forge("https://gitlab.com/acme/handbook.git", access)
    change = gitlab.open("b", base="main", title="T", body="")
    for answer in ({"id": 5}, [{"id": "five"}], [5], "ada", [{}]):
        gitlab_server.failures = [(200, answer, {})]
        with pytest.raises(ForgeUnreachable, match="GitLab sent an unexpected response"):
            gitlab.request_reviews(change, ["ada"])
