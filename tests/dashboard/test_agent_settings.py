"""Agent settings of a project."""

from __future__ import annotations

from typing import Any

import pytest

from docstead.agent.forges import ForgeKind
from docstead.agent.forges.project_settings import Delivery, ProjectSettings
from tenancy_changes import set_source

PAGE = "/dashboard/agent-settings/acme"


@pytest.fixture
def on_github(harness: Any, acme: Any) -> None:
    set_source(harness.tenancy, acme.project_id, "https://github.com/acme/handbook")


def test_what_is_missing_is_said(owner: Any, on_github: None) -> None:
    page = owner.get(PAGE).text
    assert "Agent jobs cannot deliver changes yet" in page
    assert "GitHub needs a token" in page
    assert "the-token" not in page


def test_settings_are_saved(owner: Any, harness: Any, acme: Any, on_github: None) -> None:
    owner.get(PAGE)
    fields = {
        "forge": "",
        "credential": "docs-bot",
        "delivery": "push",
        "reading": ["https://github.com/acme/app", "git@github.com:acme/lib.git"],
        "reviewers": "@ada, acme/writers  ada",
    }
    answer = owner.post(PAGE, **fields)
    assert answer.headers["location"] == f"{PAGE}?saved"
    reading = ("https://github.com/acme/app", "git@github.com:acme/lib.git")
    kept = harness.forges.settings.of(acme.project_id)
    reviewers = ("ada", "acme/writers")
    assert kept == ProjectSettings(Delivery.PUSH, reading, None, "docs-bot", reviewers)
    page = owner.get(f"{PAGE}?saved").text
    assert "Saved" in page
    assert "Detected from the source URL: GitHub." in page
    assert "cannot deliver" not in page


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"credential": "somebody-elses"}, "Choose one of the listed credentials"),
        ({"forge": "sourceforge"}, "Choose one of the listed options"),
        ({"delivery": ""}, "Choose a pull request or a push"),
        ({"reviewers": "ada; rm"}, "is not the name of a user or a team"),
        ({"reviewers": " ".join(f"user{n}" for n in range(16))}, "Must be at most 15"),
        ({"reading": "https://github.com/acme/other"}, "Choose from the listed repositories"),
        ({"reading": "https://github.com/other/app"}, "Choose from the listed repositories"),
    ],
)
def test_wrong_ones_are_reported_beside_the_field(
    owner: Any, harness: Any, acme: Any, wrong: dict[str, str], words: str
) -> None:
    owner.get(PAGE)
    answer = owner.post(PAGE, **{"delivery": "pull_request", **wrong})
    assert answer.status_code == 400
    assert words in answer.text
    assert harness.forges.settings.of(acme.project_id) == ProjectSettings()


def test_a_chosen_forge_is_shown(owner: Any, harness: Any, acme: Any) -> None:
    chosen = ProjectSettings(forge=ForgeKind.GITLAB, credential="gone")
    harness.forges.settings.save(acme.project_id, chosen)
    page = owner.get(PAGE).text
    assert 'value="gitlab" checked' in page
    assert "gone (not in the settings)" in page


def test_the_secret_of_the_webhook_is_replaced(
    owner: Any, harness: Any, acme: Any, on_github: None
) -> None:
    harness.forges.settings.save(acme.project_id, ProjectSettings(credential="docs-bot"))
    other = harness.organization("other")
    secrets = harness.services.hook_secrets
    before = secrets.of(acme.project_id), secrets.of(other.project_id)
    assert before[0] in owner.get(PAGE).text
    answer = owner.post(f"{PAGE}/rotate-webhook")
    assert answer.headers["location"] == f"{PAGE}#comments"
    after = secrets.of(acme.project_id)
    assert (after != before[0], secrets.of(other.project_id)) == (True, before[1])
    page = owner.get(PAGE).text
    assert after in page
    assert before[0] not in page


def test_changes_of_the_project_are_listed(owner: Any, harness: Any, acme: Any) -> None:
    made = harness.forges.reviews.open(
        acme.project_id, "docstead/x", base="main", title="A <title>", body="", draft=False
    )
    page = owner.get("/dashboard/agent/acme").text
    assert "Pull requests reviewed here" in page
    assert f"/dashboard/changes/{made.id}" in page
    assert "A &lt;title&gt;" in page


def test_another_organization_sees_nothing(harness: Any, acme: Any, browser: Any) -> None:
    stranger = browser().sign_in(harness, harness.organization("other").organization_id)
    assert stranger.get(PAGE).status_code == 404
    assert stranger.post(PAGE, delivery="push").status_code == 404
    assert stranger.post(f"{PAGE}/rotate-webhook").status_code == 404
