"""Updates that jobs run, and those whose process died."""

from __future__ import annotations

from datetime import timedelta

from docstead.jobs import Jobs
from docstead.publishing.update_records import UpdateStatus
from updates_world import BROKEN


def test_a_queued_update_is_done_by_the_jobs(world, jobs, acme):
    world.updates.register(jobs)
    jobs.launch()
    started = world.updates.start(acme.project_id, "api")
    assert started.status is UpdateStatus.QUEUED
    assert jobs.wait(started.id, 120)
    assert world.updates.get(started.id).status is UpdateStatus.SUCCESS


def test_the_end_of_each_update_is_logged(world, jobs, acme, repository, caplog):
    caplog.set_level("INFO", "docstead.publishing.updates")
    world.updates.register(jobs)
    jobs.launch()
    done = world.updates.start(acme.project_id, "api")
    assert jobs.wait(done.id, 120)
    repository.commit(BROKEN)
    failed = world.updates.start(acme.project_id, "api")
    assert jobs.wait(failed.id, 120)
    logged = {record.levelname: record.message for record in caplog.records}
    assert set(logged) == {"INFO", "WARNING"}
    for level, update in (("INFO", done), ("WARNING", failed)):
        ended = world.updates.get(update.id)
        assert logged[level] == (
            f"update {ended.id} of project {acme.project_id}: {ended.status.value}: {ended.summary}"
        )
    assert "failure: docs.json:3:17: " in logged["WARNING"]


def test_what_was_queued_when_the_process_died_is_started(world, jobs, acme):
    waiting = world.updates.create(acme.project_id, "api")
    world.updates.register(jobs)
    jobs.launch()
    world.updates.start_queued()
    assert jobs.wait(waiting.id, 120)
    assert world.updates.get(waiting.id).status is UpdateStatus.SUCCESS


def test_updates_of_a_project_run_one_after_the_other(world, jobs, acme):
    world.updates.register(jobs)
    started = [world.updates.start(acme.project_id, "api") for _ in range(3)]
    assert [each.id for each in world.records.unfinished(acme.project_id)] == [
        each.id for each in started
    ]
    jobs.launch()
    for each in started:
        assert jobs.wait(each.id, 120)
        assert world.updates.get(each.id).status is UpdateStatus.SUCCESS
        later = world.records.unfinished(acme.project_id)
        assert all(waiting.sequence > each.sequence for waiting in later)


def test_an_update_whose_job_has_ended_without_it_blocks_none(world, jobs, acme):
    """The database was away when the failure was to be noted."""
    stuck = world.updates.create(acme.project_id, "api")
    world.records.advance(stuck.id, UpdateStatus.IN_PROGRESS)
    jobs.register("update", lambda context, job_id: None, in_order=True)
    jobs.launch()
    jobs.start("update", stuck.id)
    assert jobs.wait(stuck.id, 120)
    jobs.close()
    again = Jobs(world.backend.database_url, node_id="node-1", polling_seconds=0.25)
    try:
        world.updates.register(again)
        again.launch()
        waiting = world.updates.start(acme.project_id, "api")
        world.updates.start_waiting()
        assert world.updates.get(stuck.id).status is UpdateStatus.FAILURE
        assert again.wait(waiting.id, 120)
        assert world.updates.get(waiting.id).status is UpdateStatus.SUCCESS
    finally:
        again.close()


def test_an_update_whose_own_process_died_is_ended(world, acme):
    died = world.updates.create(acme.project_id, "internal")
    world.records.advance(died.id, UpdateStatus.IN_PROGRESS)
    world.clock.move_to(world.clock.now() + timedelta(minutes=50))
    alive = world.updates.create(acme.project_id, "internal")
    world.records.advance(alive.id, UpdateStatus.IN_PROGRESS)
    world.clock.move_to(world.clock.now() + timedelta(minutes=20))
    world.updates.end_lost()
    assert world.updates.get(died.id).status is UpdateStatus.FAILURE
    assert "lost" in world.updates.get(died.id).summary
    assert world.updates.get(alive.id).status is UpdateStatus.IN_PROGRESS


def test_a_first_publish_whose_process_died_leaves_no_project(world, acme):
    tenancy = world.tenancy
    project = tenancy.create_project(acme.organization_id, "new", "/nowhere")
    died = world.updates.create(project.id, "internal")
    world.records.advance(died.id, UpdateStatus.IN_PROGRESS)
    world.clock.move_to(world.clock.now() + timedelta(minutes=70))
    world.updates.end_lost()
    assert [each.id for each in tenancy.projects(acme.organization_id)] == [acme.project_id]
