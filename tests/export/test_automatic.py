"""Exports that follow updates."""

from __future__ import annotations

from datetime import timedelta

from docstead.accounts.plans import OrganizationPlan
from docstead.export.automatic import AutomaticExports
from docstead.export.records import ExportStatus
from docstead.publishing.update_records import Update, UpdateStatus
from neighbours import neighbours


def succeeded(world, acme, number):
    """An update that has made the edition of the deployment current."""
    done = Update(
        f"upd_{number}", acme.project_id, UpdateStatus.SUCCESS, "api", None, (), None, None,
        acme.created_at, None, number,
    )  # fmt: skip
    edition = world.editions.current(world.tenancy.deployment(acme.id))
    with world.backend.database.transaction() as connection:
        AutomaticExports(world.clock).record(connection, done, edition.id)
    return done


def test_a_deployment_is_exported_after_each_publish_where_it_wants_that(world, jobs, acme):
    exports = world.exports()
    exports.register(jobs)
    jobs.launch()
    exports.follow(succeeded(world, acme, 1))
    assert exports.of_deployment(acme.id) == []
    world.tenancy.set_auto_export(acme.id, is_on=True)
    for number in (2, 3):
        done = succeeded(world, acme, number)
        exports.follow(done)
        exports.follow(done)  # a second call for an update exports nothing more
        world.clock.move_to(world.clock.now() + timedelta(seconds=1))
    made = exports.of_deployment(acme.id)
    assert {each.update_id for each in made} == {"upd_2", "upd_3"}
    assert len(made) == 2
    for each in made:
        assert jobs.wait(each.id, 120)
        assert exports.get(acme.organization_id, each.id).status is ExportStatus.COMPLETED
    last = exports.last_automatic(acme.id)
    assert last is not None
    assert last.update_id == "upd_3"
    world.tenancy.set_auto_export(acme.id, is_on=False)
    succeeded(world, acme, 4)
    assert len(exports.of_deployment(acme.id)) == 2


def test_what_a_command_publishes_is_exported_by_the_service(world, jobs, acme):
    world.tenancy.set_auto_export(acme.id, is_on=True)
    world.exports().follow(succeeded(world, acme, 1))  # in a process that runs no jobs
    exports = world.exports()
    exports.register(jobs)
    (waiting,) = exports.of_deployment(acme.id)
    assert waiting.status is ExportStatus.QUEUED
    jobs.launch()
    exports.start_queued()
    assert jobs.wait(waiting.id, 120)
    assert exports.of_deployment(acme.id)[0].status is ExportStatus.COMPLETED


def test_only_deployments_of_the_project_are_exported(world, acme):
    world.tenancy.set_auto_export(acme.id, is_on=True)
    with neighbours(world.backend.database):
        succeeded(world, acme, 1)
        assert world.records.unfinished_organizations() == [acme.organization_id]
    assert len(world.records.unfinished(acme.organization_id)) == 1


def test_a_plan_without_exports_fails_no_update(world, acme, caplog):
    world.tenancy.set_auto_export(acme.id, is_on=True)
    world.tenancy.set_plan(acme.organization_id, OrganizationPlan.COMMUNITY)
    succeeded(world, acme, 1)
    assert world.exports().of_deployment(acme.id) == []
    assert "acme is not exported: its plan has no static export" in caplog.text
