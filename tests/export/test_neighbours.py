"""One export moves; those of others, and the others of its deployment, stay as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.base.errors import NotFound
from docstead.export.page_results import StoredResults, rows_ahead
from docstead.export.records import Export, ExportRecords, ExportStatus
from docstead.storage.schema import deployments, exports
from manual_clock import ManualClock
from neighbours import neighbours


@pytest.fixture
def records(sqlite_backend, clock: ManualClock) -> ExportRecords:
    return ExportRecords(sqlite_backend.database, clock)


@pytest.fixture
def deployment(sqlite_backend, clock: ManualClock) -> Deployment:
    tenancy = Tenancy(sqlite_backend.database, clock)
    organization = tenancy.create_organization("Acme")
    project = tenancy.create_project(organization.id, "Docs", "/nowhere")
    return tenancy.create_deployment(project.id, "acme", "docs.acme.example")


@pytest.fixture
def export(records: ExportRecords, deployment: Deployment) -> Export:
    return records.create(
        deployment_id=deployment.id,
        organization_id=deployment.organization_id,
        edition_id="ed_1",
        version=None,
        paths=None,
    )


@pytest.mark.parametrize("before", [ExportStatus.QUEUED, ExportStatus.RUNNING])
def test_one_export_moves(records, export, sqlite_backend, before: ExportStatus) -> None:
    after = ExportStatus.RUNNING if before is ExportStatus.QUEUED else ExportStatus.COMPLETED
    if before is ExportStatus.RUNNING:
        records.advance(export.id, before)
    with neighbours(sqlite_backend.database, [exports]):
        records.advance(export.id, after)
    assert records.get(export.id).status is after


def test_one_export_reports(records, export, sqlite_backend) -> None:
    records.advance(export.id, ExportStatus.RUNNING)
    with neighbours(sqlite_backend.database, [exports]):
        records.report(export.id, 5, 10)
    assert records.get(export.id).page_count == 5


@pytest.mark.parametrize("late", [(4, 20), (20, 4)])
def test_a_report_that_is_behind_in_one_figure_changes_nothing(records, export, late) -> None:
    records.advance(export.id, ExportStatus.RUNNING)
    records.report(export.id, 10, 10)
    records.report(export.id, *late)
    found = records.get(export.id)
    assert (found.page_count, found.progress) == (10, 10)


def test_each_export_is_itself(records, export, sqlite_backend) -> None:
    with neighbours(sqlite_backend.database, [exports]) as copies:
        for each in (copies.siblings[export.id], export.id):
            assert records.get(each).id == each
            assert records.get(each, organization_id=export.organization_id).id == each
        with pytest.raises(NotFound):
            records.get(copies.foreign[export.id], organization_id=export.organization_id)


def test_a_list_holds_one_deployment(records, export, sqlite_backend) -> None:
    with neighbours(sqlite_backend.database, [deployments]):
        assert records.of_deployment(export.deployment_id) == [export]


def test_only_unfinished_exports_use_their_editions(records, export, sqlite_backend) -> None:
    with neighbours(sqlite_backend.database, [exports]) as copies:
        records.advance(export.id, ExportStatus.FAILED)
    others = {copies.siblings[export.id], copies.foreign[export.id]}
    for each in others:
        assert records.editions_in_use()
        records.advance(each, ExportStatus.FAILED)
    assert records.editions_in_use() == set()


def test_unfinished_exports_are_those_of_one_organization(records, export, sqlite_backend) -> None:
    with neighbours(sqlite_backend.database, [exports]) as copies:
        pass
    own, sibling = export.organization_id, copies.siblings[export.id]
    records.advance(sibling, ExportStatus.RUNNING)
    assert [each.id for each in records.unfinished(own)] == [sibling, export.id]
    foreign = [each.id for each in records.unfinished(copies.foreign[own])]
    assert foreign == [copies.foreign[export.id]]
    assert set(records.unfinished_organizations()) == {own, copies.foreign[own]}
    for each in (sibling, export.id):
        records.advance(each, ExportStatus.FAILED)
    assert records.unfinished_organizations() == [copies.foreign[own]]


def test_one_export_is_deleted(records, export, sqlite_backend) -> None:
    with neighbours(sqlite_backend.database, [exports]):
        records.delete(export.id)
    with pytest.raises(NotFound):
        records.get(export.id)


def test_a_result_is_that_of_its_name(tmp_path: Path) -> None:
    results = StoredResults(tmp_path / "results", "code")
    results.put("one", "same", b"1")
    results.put("two", "same", b"2")
    assert [results.get(name, "same") for name in ("one", "two", "three")] == [b"1", b"2", None]
    results.close()


def test_only_results_that_nobody_asked_for_are_deleted(tmp_path: Path) -> None:
    results = StoredResults(tmp_path / "results", "code")
    for name in ("one", "two", "three"):
        results.put(name, "d", name.encode())
    results.close()
    later = StoredResults(tmp_path / "results", "code")
    later.get("one", "d")
    later.keep(["two"])
    later.close()
    last = StoredResults(tmp_path / "results", "code")
    assert [last.get(name, "d") for name in ("one", "two", "three")] == [b"one", b"two", None]
    last.close()


def test_results_that_were_read_ahead_are_those_of_their_digest(tmp_path: Path) -> None:
    path = tmp_path / "results"
    assert rows_ahead(path, except_for="many/") == {}
    results = StoredResults(path, "code")
    for name in ("one", "two", "many/one"):
        results.put(name, "d", name.encode())
    results.close()
    ahead = rows_ahead(path, except_for="many/")
    assert ahead.keys() == {"one", "two"}
    path.unlink()
    later = StoredResults(path, "code", ahead)
    assert (later.get("one", "d"), later.get("many/one", "d")) == (b"one", None)
    assert later.get("one", "another") is None
    later.put("one", "another", b"1")
    assert later.get("one", "another") == b"1"
    later.close()
    assert StoredResults(path, "other code", ahead).get("two", "d") is None


def test_a_file_that_is_none_has_no_rows(tmp_path: Path) -> None:
    (tmp_path / "results").write_bytes(b"damaged")
    assert rows_ahead(tmp_path / "results", except_for="") == {}
