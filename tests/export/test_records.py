"""The states of an export."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from docstead.accounts.tenancy import Tenancy
from docstead.base.errors import Conflict, NotFound
from docstead.export.records import Export, ExportRecords, ExportStatus
from docstead.storage.database import Database
from manual_clock import ManualClock

LEGAL = {
    ("queued", "running"),
    ("queued", "failed"),
    ("running", "completed"),
    ("running", "failed"),
}


def create(records: ExportRecords, deployment) -> Export:
    return records.create(
        deployment_id=deployment.id,
        organization_id=deployment.organization_id,
        edition_id="ed_1",
        version="2026-11",
        paths=("index",),
    )


def bring(records: ExportRecords, export_id: str, status: str) -> None:
    way = {"queued": [], "running": ["running"], "failed": ["failed"]}
    for step in way.get(status, ["running", "completed"]):
        records.advance(export_id, ExportStatus(step))


def test_a_new_export_is_queued_with_nothing_done(world, acme):
    created = create(world.records, acme)
    assert created == world.records.get(created.id)
    assert (created.status, created.progress, created.page_count) == (ExportStatus.QUEUED, 0, 0)
    assert created.id.startswith("se_")
    assert len(created.id) == 19
    assert (created.version, created.paths) == ("2026-11", ("index",))


@pytest.mark.parametrize("before", list(ExportStatus))
@pytest.mark.parametrize("after", list(ExportStatus))
def test_only_legal_transitions(world, acme, before, after):
    created = create(world.records, acme)
    bring(world.records, created.id, before)
    if (before, after) in LEGAL:
        world.records.advance(created.id, after)
        assert world.records.get(created.id).status is after
    else:
        with pytest.raises(Conflict):
            world.records.advance(created.id, after)
        assert world.records.get(created.id).status is before


def test_another_organization_does_not_see_it(world, acme):
    created = create(world.records, acme)
    assert world.records.get(created.id, organization_id=acme.organization_id)
    for unknown in (created.id, "se_0000000000000000", "x\0y"):
        with pytest.raises(NotFound):
            world.records.get(unknown, organization_id="org_other")


def test_a_late_report_changes_nothing(world, acme):
    created = create(world.records, acme)
    world.records.report(created.id, 5, 10)  # not running yet
    assert world.records.get(created.id).page_count == 0
    bring(world.records, created.id, "running")
    world.records.report(created.id, 32, 40)
    world.records.report(created.id, 16, 20)
    found = world.records.get(created.id)
    assert (found.page_count, found.progress) == (32, 40)


def _machine(folder: Path, template: Path) -> type[RuleBasedStateMachine]:
    class Life(RuleBasedStateMachine):
        """Try everything in any order: only transitions of the table happen."""

        def __init__(self) -> None:
            super().__init__()
            self.folder = tempfile.TemporaryDirectory(dir=folder)
            path = Path(self.folder.name) / "docstead.db"
            path.write_bytes(template.read_bytes())
            self.database = Database(f"sqlite:///{path}")
            clock = ManualClock(datetime(2026, 11, 21, tzinfo=UTC))
            tenancy = Tenancy(self.database, clock)
            organization = tenancy.create_organization("Acme")
            project = tenancy.create_project(organization.id, "Docs", "/nowhere")
            deployment = tenancy.create_deployment(project.id, "acme", "docs.acme.example")
            self.records = ExportRecords(self.database, clock)
            self.id = create(self.records, deployment).id
            self.last = self.records.get(self.id)

        @rule(status=st.sampled_from(list(ExportStatus)))
        def advance(self, status: ExportStatus) -> None:
            values = {"progress": 100.0} if status is ExportStatus.COMPLETED else {}
            with suppress(Conflict):
                self.records.advance(self.id, status, **values)

        @rule(pages=st.integers(0, 100))
        def report(self, pages: int) -> None:
            self.records.report(self.id, pages, pages * 0.9)

        @invariant()
        def only_moves_forward(self) -> None:
            now = self.records.get(self.id)
            assert now.status is self.last.status or (self.last.status, now.status) in LEGAL
            assert now.progress >= self.last.progress
            assert now.page_count >= self.last.page_count
            assert (now.progress == 100) == (now.status is ExportStatus.COMPLETED)
            if self.last.status.is_final:
                assert now == self.last
            self.last = now

        def teardown(self) -> None:
            self.database.close()
            self.folder.cleanup()

    return Life


def test_any_sequence_of_events_keeps_the_rules(tmp_path, sqlite_template):
    machine = _machine(tmp_path, sqlite_template).TestCase
    machine.settings = settings(
        max_examples=25,
        stateful_step_count=20,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    machine("runTest").runTest()
