"""The page of static exports."""

from __future__ import annotations

import time
from typing import Any

import httpx
import pytest

from docstead.accounts.plans import OrganizationPlan
from docstead.export.records import ExportStatus, insert_export, new_export

EXPORTS = "/dashboard/exports/acme"


@pytest.fixture
def records(harness: Any) -> Any:
    return harness.export_records


def started(owner: Any, harness: Any, acme: Any, **fields: str) -> Any:
    owner.get(EXPORTS)
    answer = owner.post(EXPORTS, **fields)
    assert answer.headers["location"] == EXPORTS
    return harness.services.exports.of_deployment(acme.id)[0]


def finished(harness: Any, export: Any) -> None:
    key = f"exports/{export.id}/bundle.tar.gz"
    harness.objects.put(key, b"a bundle")
    harness.export_records.advance(export.id, ExportStatus.RUNNING)
    harness.export_records.advance(
        export.id,
        ExportStatus.COMPLETED,
        object_key=key,
        size_bytes=5_000_000,
        progress=100.0,
        page_count=2,
    )


def test_before_the_first_export(owner: Any) -> None:
    page = owner.get(EXPORTS).text
    assert "No exports yet" in page
    assert "Start export" in page


def test_an_export_is_queued_with_its_label(owner: Any, harness: Any, acme: Any) -> None:
    export = started(owner, harness, acme, version=" release 4 ")
    assert (export.status, export.version) == ("queued", "release 4")
    page = owner.get(EXPORTS).text
    assert export.id in page
    assert "Queued" in page
    assert 'data-running="true"' in page


def test_a_running_export_is_followed_to_its_end(
    owner: Any, harness: Any, acme: Any, records: Any
) -> None:
    export = started(owner, harness, acme)
    records.advance(export.id, ExportStatus.RUNNING)
    records.report(export.id, 1, 43.2)
    state = owner.get(f"{EXPORTS}/state.json").json()
    assert state["running"] is True
    assert "43 %" in state["html"]
    assert 'value="43.2"' in state["html"]
    values = {"object_key": "k", "size_bytes": 5_000_000, "progress": 100.0}
    records.advance(export.id, ExportStatus.COMPLETED, **values)
    state = owner.get(f"{EXPORTS}/state.json").json()
    assert state["running"] is False
    for words in ("Completed", "4.8 MB", "Download"):
        assert words in state["html"]


def test_a_download_leads_to_a_link_that_is_still_good(owner: Any, harness: Any, acme: Any) -> None:
    export = started(owner, harness, acme)
    finished(harness, export)
    answer = owner.get(f"{EXPORTS}/{export.id}/download")
    assert answer.status_code == 302
    assert answer.headers["cache-control"] == "no-store"
    link = httpx.URL(answer.headers["location"])
    assert link.path == f"/_files/exports/{export.id}/bundle.tar.gz"
    assert int(link.params["exp"]) > time.time() + 3600


def test_there_is_nothing_to_download_before_the_end(owner: Any, harness: Any, acme: Any) -> None:
    export = started(owner, harness, acme)
    assert "/download" not in owner.get(EXPORTS).text
    assert owner.get(f"{EXPORTS}/{export.id}/download").status_code == 409


def test_a_failed_export_says_why(owner: Any, harness: Any, acme: Any, records: Any) -> None:
    export = started(owner, harness, acme)
    records.advance(export.id, ExportStatus.FAILED, error="the store <is> away")
    page = owner.get(EXPORTS).text
    assert "Failed" in page
    assert "The store &lt;is&gt; away" in page


def test_a_wrong_label_is_said_on_the_page(owner: Any) -> None:
    owner.get(EXPORTS)
    answer = owner.post(EXPORTS, version="x" * 201)
    assert answer.status_code == 400
    assert "Version: must have 1 to 200" in answer.text


def test_a_plan_without_exports_says_so(harness: Any, browser: Any) -> None:
    poor = harness.organization("acme", OrganizationPlan.COMMUNITY)
    harness.publish(poor, ("index",))
    visitor = browser().sign_in(harness, poor.organization_id)
    page = visitor.get(EXPORTS).text
    assert "not part of your plan" in page
    assert "Start export" not in page
    assert visitor.post(EXPORTS).status_code == 403


def test_before_anything_is_published_there_is_nothing_to_export(
    harness: Any, browser: Any
) -> None:
    new = harness.organization("acme")
    visitor = browser().sign_in(harness, new.organization_id)
    assert "Nothing to export yet" in visitor.get(EXPORTS).text
    assert visitor.post(EXPORTS).status_code == 409


def test_an_export_of_another_deployment_is_not_there(owner: Any, harness: Any, acme: Any) -> None:
    project = harness.tenancy.create_project(acme.organization_id, "second", "/nowhere")
    harness.tenancy.create_deployment(project.id, "second", "docs.second.test")
    export = started(owner, harness, acme)
    finished(harness, export)
    assert owner.get(f"/dashboard/exports/second/{export.id}/download").status_code == 404


def test_a_bundle_after_each_publish(owner: Any, harness: Any, acme: Any) -> None:
    overview = f"/dashboard/{acme.organization_id}/acme"
    assert "not exported after each publish" in owner.get(EXPORTS).text
    owner.post(f"{EXPORTS}/automatic", auto_export="on")
    assert "A bundle is exported after each publish." in owner.get(EXPORTS).text
    assert "After the next publish" in owner.get(overview).text
    made = new_export(
        harness.clock.now(),
        deployment_id=acme.id,
        organization_id=acme.organization_id,
        edition_id=harness.services.tenancy.deployment(acme.id).current_edition_id,
        update_id="upd_1",
    )
    with harness.database.transaction() as connection:
        insert_export(connection, made)
    for page in (owner.get(overview).text, owner.get("/dashboard").text):
        assert "Queued" in page
        assert 'data-running="true"' in page
    finished(harness, made)
    assert "Up to date" in owner.get(overview).text
    assert "Up to date" in owner.get("/dashboard").text
    assert "Automatic, after a publish" in owner.get(EXPORTS).text
    owner.post(f"{EXPORTS}/automatic", auto_export="off")
    assert "Up to date" not in owner.get(overview).text
