"""The list of deployments and the overview of one."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from docstead.content.diagnostics import Diagnostic, Severity
from docstead.publishing.update_records import UpdateStatus
from docstead.publishing.vectors import VectorProgress
from tenancy_changes import set_current_edition, set_source

PASSWORD = "a long password"


@pytest.fixture
def overview(acme: Any) -> str:
    return f"/dashboard/{acme.organization_id}/acme"


def ended(harness: Any, project_id: str, status: UpdateStatus, **values: Any) -> Any:
    records = harness.update_records
    update = records.create(project_id, "api")
    records.advance(update.id, UpdateStatus.IN_PROGRESS)
    records.advance(update.id, status, ended_at=harness.clock.now(), **values)
    return records.get(update.id)


def test_a_published_site_is_listed(owner: Any, overview: str) -> None:
    page = owner.get("/dashboard").text
    assert f'href="{overview}"' in page
    assert 'href="https://docs.acme.test"' in page
    for words in ("Published", "2 pages", "c0ffee", "Update now"):
        assert words in page


def test_a_site_that_is_not_published_says_so(harness: Any, browser: Any) -> None:
    new = harness.organization("new")
    page = browser().sign_in(harness, new.organization_id).get("/dashboard").text
    assert "Not published" in page


def test_without_deployments_it_says_how_to_begin(harness: Any, browser: Any) -> None:
    empty = harness.tenancy.create_organization("Empty")
    page = browser().sign_in(harness, empty.id).get("/dashboard").text
    assert "No deployments yet" in page
    assert "docstead publish" in page


@pytest.mark.parametrize("origin", ["list", "overview"])
def test_update_now_queues_an_update(
    owner: Any, harness: Any, acme: Any, overview: str, origin: str
) -> None:
    owner.get(overview)
    answer = owner.post(f"{overview}/update", **{"from": origin})
    assert answer.headers["location"] == ("/dashboard" if origin == "list" else overview)
    queued = harness.services.updates.of_project(acme.project_id)
    assert [(one.status, one.origin) for one in queued] == [("queued", "dashboard")]
    for page in ("/dashboard", overview):
        assert "Queued" in owner.get(page).text


def test_a_second_press_does_not_queue_another(
    owner: Any, harness: Any, acme: Any, overview: str
) -> None:
    owner.get(overview)
    for _ in range(3):
        owner.post(f"{overview}/update")
    assert len(harness.services.updates.of_project(acme.project_id)) == 1


def test_the_previous_edition_can_be_shown_again(
    owner: Any, harness: Any, acme: Any, overview: str
) -> None:
    assert 'id="rollback"' not in owner.get(overview).text
    first = acme.current_edition_id
    harness.clock.move_to(harness.clock.now() + timedelta(minutes=1))
    second = harness.publish(acme, ("index", "guides/start", "more"))
    page = owner.get(overview).text
    assert 'id="rollback"' in page
    assert f'<input type="hidden" name="edition" value="{first}">' in page
    asked = owner.post(f"{overview}/rollback", edition=first)
    assert asked.status_code == 200
    for words in ("Roll back acme?", "the edition of 2026-11-21 12:00 UTC", "2 pages, commit c0f"):
        assert words in asked.text
    assert harness.tenancy.deployment(acme.id).current_edition_id == second
    answer = owner.post(f"{overview}/rollback", edition=first, confirmed="yes")
    assert answer.headers["location"] == overview
    assert harness.tenancy.deployment(acme.id).current_edition_id == first
    page = owner.get(overview).text
    assert "Rolled back to the edition of 2026-11-21 12:00 UTC by owner" in page
    assert 'id="rollback"' not in page
    again = owner.post(f"{overview}/rollback", edition=first, confirmed="yes")
    assert again.status_code == 409
    assert "there is no earlier edition" in again.text


def test_a_rollback_to_an_edition_that_is_not_the_previous_one_is_refused(
    owner: Any, harness: Any, acme: Any, overview: str
) -> None:
    first = acme.current_edition_id
    for _ in range(2):
        harness.clock.move_to(harness.clock.now() + timedelta(minutes=1))
        last = harness.publish(acme, ("index",))
    owner.get(overview)
    for edition in (first, last, ""):
        answer = owner.post(f"{overview}/rollback", edition=edition, confirmed="yes")
        assert answer.status_code == 409
        assert "another edition has become current" in answer.text
    assert harness.tenancy.deployment(acme.id).current_edition_id == last


def test_the_site_of_others_is_not_rolled_back(owner: Any, harness: Any, overview: str) -> None:
    other = harness.organization("other")
    for _ in range(2):
        harness.clock.move_to(harness.clock.now() + timedelta(minutes=1))
        last = harness.publish(other, ("index",))
    owner.get(overview)
    for path in (
        f"/dashboard/{other.organization_id}/other",
        overview.replace("/acme", "/other"),
    ):
        assert owner.post(f"{path}/rollback", confirmed="yes").status_code == 404
    assert harness.tenancy.deployment(other.id).current_edition_id == last


def test_a_deployment_is_removed_after_its_name_and_the_password(
    owner: Any, harness: Any, acme: Any, overview: str
) -> None:
    other = harness.organization("other")
    removal = f"{overview}/remove"
    assert f'href="{removal}"' in owner.get(overview).text
    page = owner.get(removal).text
    assert "Remove acme?" in page
    assert "Its editions, updates, agent jobs, changes and webhooks" in page
    owner.post("/dashboard/password", password=PASSWORD, again=PASSWORD)
    harness.clock.move_to(
        harness.clock.now() + timedelta(hours=1)
    )  # the link is not fresh any more
    assert 'name="current"' in owner.get(removal).text
    for status, words, fields in (
        (400, "Type acme to confirm.", {"name": "acm", "current": PASSWORD}),
        (403, "Remove acme?", {"name": "acme", "current": "another password"}),
        (403, "Remove acme?", {"name": "acme"}),
    ):
        answer = owner.post(removal, **fields)
        assert answer.status_code == status
        assert words in answer.text
    assert harness.tenancy.deployment(acme.id) == acme
    answer = owner.post(removal, name="acme", current=PASSWORD)
    assert (answer.status_code, answer.headers["location"]) == (303, "/dashboard")
    assert [each.domain for each in harness.tenancy.deployments()] == ["other"]
    assert owner.get(overview).status_code == 404
    assert "No deployments yet" in owner.get("/dashboard").text
    path = f"/dashboard/{other.organization_id}/other/remove"
    for answer in (owner.get(path), owner.post(path, name="other", current=PASSWORD)):
        assert answer.status_code == 404
    assert harness.tenancy.deployment(other.id).domain == "other"


def test_a_deployment_is_renamed(owner: Any, harness: Any, acme: Any, overview: str) -> None:
    other = harness.organization("other")
    renaming = f"{overview}/rename"
    assert f'href="{renaming}"' in owner.get(overview).text
    assert 'value="acme"' in owner.get(renaming).text
    for status, words, domain in (
        (400, "1 to 63 lower-case letters", "My docs"),
        (400, "differ from the present one, &#39;acme&#39;", "acme"),
        (409, "already taken", "other"),
    ):
        answer = owner.post(renaming, domain=domain)
        assert answer.status_code == status
        assert words in answer.text
        assert f'value="{domain}"' in answer.text
    answer = owner.post(renaming, domain=" manual ")
    renamed = overview.replace("/acme", "/manual")
    assert (answer.status_code, answer.headers["location"]) == (303, renamed)
    for path in (renamed, overview):  # bookmarks name the previous domain
        assert "<h1>manual</h1>" in owner.get(path).text
    path = f"/dashboard/{other.organization_id}/other/rename"
    for answer in (owner.get(path), owner.post(path, domain="mine")):
        assert answer.status_code == 404
    assert harness.tenancy.deployment(other.id).domain == "other"


def test_a_deployment_with_a_running_update_is_not_removed(
    owner: Any, harness: Any, acme: Any, overview: str
) -> None:
    harness.update_records.create(acme.project_id, "api")
    owner.get(overview)
    answer = owner.post(f"{overview}/remove", name="acme")
    assert answer.status_code == 409
    assert "an update has not ended" in answer.text
    assert harness.tenancy.deployment(acme.id) == acme


def test_a_running_update_is_followed(owner: Any, harness: Any, acme: Any, overview: str) -> None:
    update = harness.update_records.create(acme.project_id, "api")
    harness.update_records.advance(update.id, UpdateStatus.IN_PROGRESS)
    for url in ("/dashboard/deployments.json", f"{overview}/state.json"):
        state = owner.get(url).json()
        assert state["running"] is True
        assert "Updating" in state["html"]
        assert "<html" not in state["html"]
    values = {"ended_at": harness.clock.now(), "summary": "2 pages: 2 rendered"}
    harness.update_records.advance(update.id, UpdateStatus.SUCCESS, **values)
    state = owner.get(f"{overview}/state.json").json()
    assert state["running"] is False
    assert "2 pages: 2 rendered" in state["html"]


def test_vectors_in_the_making_are_followed(
    owner: Any, harness: Any, acme: Any, overview: str
) -> None:
    edition_id = harness.tenancy.deployment(acme.id).current_edition_id
    for progress, words, is_followed in (
        (VectorProgress(), "Waiting", False),
        (VectorProgress(1_440, 3_000), "1,440 of 3,000 new sections", True),
        (VectorProgress(is_ready=True), "Ready", False),
    ):
        harness.vectors[edition_id] = progress
        state = owner.get(f"{overview}/state.json").json()
        assert words in state["html"].partition("Search by meaning")[2]
        assert state["running"] is is_followed


def test_a_failed_update_shows_its_position_and_what_readers_see(
    owner: Any, harness: Any, acme: Any, overview: str
) -> None:
    reason = 'docs.json:88:5: a comma is missing after "Guides"'
    logs = ["Reading /nowhere", f"Failed: {reason}"]
    ended(harness, acme.project_id, UpdateStatus.FAILURE, summary=reason, logs=logs)
    for page in ("/dashboard", overview):
        text = owner.get(page).text
        assert "docs.json:88:5: a comma is missing after &#34;Guides&#34;" in text
        assert "Published" in text
    assert "Reading /nowhere" in owner.get(overview).text
    assert "Readers still see the previous edition" in owner.get(overview).text


def test_diagnostics_of_the_current_edition(
    owner: Any, harness: Any, acme: Any, overview: str
) -> None:
    diagnostics = (
        Diagnostic("b.mdx", 1, 2, Severity.WARNING, "broken-link", "leads nowhere", "a hint"),
        Diagnostic("a.mdx", 42, 7, Severity.ERROR, "mdx-syntax", "<Step> is not closed"),
    )
    harness.publish(acme, ("index",), diagnostics=diagnostics)
    page = owner.get(overview).text
    assert page.index("a.mdx:42:7") < page.index("b.mdx:1:2")
    assert "&lt;Step&gt; is not closed" in page
    assert "1 error, 1 warning" in page


def test_many_diagnostics_are_not_all_shown(
    owner: Any, harness: Any, acme: Any, overview: str
) -> None:
    diagnostics = tuple(
        Diagnostic("a.mdx", line, 1, Severity.WARNING, "broken-link", "leads nowhere")
        for line in range(1, 251)
    )
    harness.publish(acme, ("index",), diagnostics=diagnostics)
    page = owner.get(overview).text
    assert page.count("broken-link") == 100
    assert "the first 100 of 250" in page


def test_an_edition_that_cannot_be_opened_is_said(
    owner: Any, harness: Any, acme: Any, overview: str
) -> None:
    set_current_edition(harness.tenancy, acme.project_id, "ed_gone")
    answer = owner.get(overview)
    assert answer.status_code == 200
    assert "cannot be opened" in answer.text
    assert "Unreadable" in owner.get("/dashboard").text


def test_credentials_of_a_source_are_not_shown(
    owner: Any, harness: Any, acme: Any, overview: str
) -> None:
    url = "https://bot:s3cr3t@git.acme.test/docs.git"
    set_source(harness.tenancy, acme.project_id, url, "main", "site")
    page = owner.get(overview).text
    assert "git.acme.test/<wbr>docs.git" in page  # a line breaks between folders
    assert "in site" in page
    assert "at main" in page
    assert "s3cr3t" not in page
