"""Updates: from a record to a current edition, over real stores, engine and jobs."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

import pytest
from sqlalchemy import select

from builds import builds_in
from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.base.clock import ManualClock
from docstead.base.errors import Conflict, NotFound
from docstead.jobs import Jobs
from docstead.publishing.editions import EditionStore
from docstead.publishing.publisher import Publisher
from docstead.publishing.update_records import UpdateRecords, UpdateStatus
from docstead.publishing.updates import UpdateService
from docstead.storage.schema import editions as editions_table
from neighbours import neighbours

CONFIG = json.dumps({"name": "Acme", "theme": "mint", "colors": {"primary": "#123456"},
                     "navigation": {"pages": ["index", "guide"]}})  # fmt: skip
FILES = {
    "docs.json": CONFIG,
    "index.mdx": "# Home\n",
    "guide.mdx": "# Guide\n",
    "logo.svg": "<svg/>",
}
BROKEN = {"docs.json": '{\n  "name": "Acme",\n  "navigation": ]\n}\n'}
LEGAL = {
    ("queued", "in_progress"),
    ("queued", "failure"),
    ("in_progress", "success"),
    ("in_progress", "failure"),
}


@dataclass
class UpdatesWorld:
    backend: object
    clock: ManualClock
    tenancy: Tenancy
    editions: EditionStore
    records: UpdateRecords
    updates: UpdateService

    def deployment(self, source: str, domain: str = "acme", **options: str) -> Deployment:
        organization = self.tenancy.create_organization(domain)
        project = self.tenancy.create_project(organization.id, domain, source, **options)
        return self.tenancy.create_deployment(project.id, domain, f"docs.{domain}.example")

    def publish(self, deployment: Deployment, progress=None):
        self.clock.move_to(self.clock.now() + timedelta(seconds=1))
        return self.updates.run(self.updates.create(deployment.project_id, "internal").id, progress)

    def current(self, deployment: Deployment) -> str | None:
        return self.tenancy.deployment(deployment.id).current_edition_id


@pytest.fixture
def world(backend, clock, tmp_path) -> UpdatesWorld:
    tenancy = Tenancy(backend.database, clock)
    editions = EditionStore(backend.database, backend.objects, tmp_path / "cache", fresh_seconds=0)
    publisher = Publisher(
        database=backend.database,
        objects=backend.objects,
        editions=editions,
        tenancy=tenancy,
        builds=builds_in(tmp_path),
        clock=clock,
        workspace=tmp_path / "workspace",
    )
    records = UpdateRecords(backend.database, clock)
    updates = UpdateService(records, publisher, tenancy, clock)
    return UpdatesWorld(backend, clock, tenancy, editions, records, updates)


@pytest.fixture
def acme(world, repository) -> Deployment:
    repository.commit(FILES, "First words")
    return world.deployment(repository.url)


@pytest.fixture
def jobs(backend) -> Iterator[Jobs]:
    jobs = Jobs(backend.database_url, node_id="node-1", polling_seconds=0.25)
    yield jobs
    jobs.close()


def test_a_published_commit_is_what_readers_see(world, repository, acme):
    outcome = world.publish(acme)
    done = outcome.update
    assert done.status is UpdateStatus.SUCCESS, done.summary
    assert done.ended_at == world.clock.now()
    assert "2 pages published" in done.summary
    assert done.logs[0].startswith("Reading file://")
    commit = repository.git("rev-parse", "HEAD")
    assert (done.commit["sha"], done.commit["ref"]) == (commit, "main")
    assert (done.commit["message"], done.commit["author"]) == ("First words", "Ada Writer")
    assert done.commit["filesChanged"]["added"] == sorted(FILES)
    edition = world.editions.current(acme)
    assert (edition.id, edition.commit) == (done.edition_id, commit)
    assert "Home" in edition.page("index").html
    assert b"".join(edition.blocks(edition.asset("logo.svg"))) == b"<svg/>"


def test_the_same_commit_again_renders_and_stores_nothing(world, acme):
    first = world.publish(acme).update
    stored = set(world.backend.objects.keys())
    second = world.publish(acme)
    assert second.update.status is UpdateStatus.SUCCESS
    assert (second.report.rendered, second.report.reused) == (0, 2)
    assert second.update.edition_id == first.edition_id == world.current(acme)
    assert set(world.backend.objects.keys()) == stored


def test_an_edit_renders_what_it_changed(world, repository, acme):
    first = world.publish(acme).update
    repository.commit({"guide.mdx": "# Guide\n\nLonger.\n"}, "Second words")
    second = world.publish(acme)
    assert (second.report.rendered, second.report.reused) == (1, 1)
    assert second.update.commit["filesChanged"] == {
        "added": [],
        "modified": ["guide.mdx"],
        "removed": [],
    }
    assert second.update.edition_id != first.edition_id
    assert "Longer." in world.editions.current(acme).page("guide").html
    assert "Longer." not in world.editions.open(first.edition_id).page("guide").html


def test_going_back_shows_the_old_edition_again(world, repository, acme):
    first = world.publish(acme).update
    expected = repository.git("rev-parse", "HEAD")
    repository.commit({"guide.mdx": "# Guide\n\nLonger.\n"})
    world.publish(acme)
    repository.git("reset", "--hard", "--quiet", expected)
    again = world.publish(acme).update
    assert again.edition_id == first.edition_id == world.current(acme)
    columns = editions_table.c
    query = select(columns.sequence).where(columns.id == first.edition_id)
    with world.backend.database.reading() as connection:
        assert connection.scalar(query) == again.sequence > first.sequence


def test_a_broken_configuration_fails_with_its_position_and_changes_nothing(
    world, repository, acme
):
    first = world.publish(acme).update
    repository.commit(BROKEN)
    outcome = world.publish(acme)
    failed = outcome.update
    assert (failed.status, outcome.report) == (UpdateStatus.FAILURE, None)
    assert failed.summary.startswith("docs.json:3:17: ")
    assert failed.logs[-1] == f"Failed: {failed.summary}"
    assert failed.ended_at is not None
    assert failed.commit["sha"] == repository.git("rev-parse", "HEAD")
    assert world.current(acme) == first.edition_id


def test_a_site_without_a_page_replaces_none(world, repository, acme):
    first = world.publish(acme).update
    repository.git("rm", "--quiet", "-r", ".")
    repository.commit({"docs.json": '{"name": "Acme", "navigation": {"pages": ["gone"]}}'})
    failed = world.publish(acme).update
    assert failed.status is UpdateStatus.FAILURE
    position = "docs.json:1:43"  # of the entry
    assert failed.summary.startswith(f"{position}: the navigation lists no existing page")
    assert any("'gone'" in line for line in failed.logs)
    assert world.current(acme) == first.edition_id


def test_a_site_without_a_page_names_the_settings_it_has(world, repository, acme):
    repository.git("rm", "--quiet", "-r", ".")
    repository.commit({"mint.json": '{"name": "Acme",\n "navigation": []}'})
    assert world.publish(acme).update.summary.startswith("mint.json:2:2: ")


@pytest.mark.parametrize("location", ["/nowhere/at/all", "file:///nowhere/at/all", "ext::sh"])
def test_a_source_that_is_not_there(world, location):
    deployment = world.deployment(location)
    failed = world.publish(deployment).update
    assert failed.status is UpdateStatus.FAILURE
    assert location in failed.summary
    assert world.current(deployment) is None
    assert world.editions.current(deployment) is None


def test_a_failing_page_does_not_stop_the_others(world, repository, acme):
    (repository.path / "guide.mdx").write_bytes(b"# caf\xe9")
    repository.commit({})
    outcome = world.publish(acme)
    assert outcome.update.status is UpdateStatus.SUCCESS
    assert "1 left out; 1 of them failed" in outcome.update.summary
    assert any(line.startswith("guide.mdx:1:6: error not-utf8") for line in outcome.update.logs)


def test_a_sub_folder_at_a_ref(world, repository):
    repository.commit({f"docs/{name}": text for name, text in FILES.items()})
    repository.git("branch", "stable")
    repository.commit({"docs/index.mdx": "# Newer\n"})
    deployment = world.deployment(repository.url, ref="stable", root="docs")
    assert world.publish(deployment).update.status is UpdateStatus.SUCCESS
    assert "Newer" not in world.editions.current(deployment).page("index").html


def test_credentials_are_not_shown(world):
    failed = world.publish(world.deployment("https://user:pa55@127.0.0.1:1/docs.git")).update
    assert failed.status is UpdateStatus.FAILURE
    assert "pa55" not in json.dumps([failed.summary, *failed.logs])


def test_every_deployment_of_the_project_shows_it(world, acme):
    second = world.tenancy.create_deployment(acme.project_id, "mirror", "mirror.example")
    done = world.publish(acme).update
    assert world.current(acme) == world.current(second) == done.edition_id


def test_an_update_that_was_overtaken_does_not_undo_the_later_one(world, repository, acme):
    early = world.updates.create(acme.project_id, "api")
    repository.commit({"guide.mdx": "# Later\n"})
    later = world.publish(acme).update
    repository.git("reset", "--hard", "--quiet", "HEAD~1")
    done = world.updates.run(early.id).update
    assert done.status is UpdateStatus.SUCCESS
    assert "later update" in done.summary
    assert world.current(acme) == later.edition_id


def test_what_others_publish_later_changes_nothing(world, acme):
    started = world.updates.create(acme.project_id, "api")
    other = world.deployment(world.tenancy.project(acme.project_id).source, "other")
    assert world.publish(other).update.status is UpdateStatus.SUCCESS
    with neighbours(world.backend.database):
        done = world.updates.run(started.id).update
    assert done.status is UpdateStatus.SUCCESS, done.summary
    assert "later update" not in done.summary
    assert world.current(acme) == done.edition_id != world.current(other)


def test_a_final_update_is_not_run_again(world, acme):
    done = world.publish(acme).update
    assert world.updates.run(done.id).update == done


def test_a_run_that_died_is_run_again_to_the_same_end(world, acme):
    started = world.updates.create(acme.project_id, "api")
    world.records.advance(started.id, UpdateStatus.IN_PROGRESS)
    world.records.note(started.id, ["Reading"])
    assert world.updates.run(started.id).update.status is UpdateStatus.SUCCESS


def test_an_unforeseen_error_is_a_failure_without_its_details(world, acme, caplog):
    outcome = world.updates.run(
        world.updates.create(acme.project_id, "api").id,
        progress=lambda done, total: 1 / 0,
    )
    assert outcome.update.status is UpdateStatus.FAILURE
    assert outcome.update.summary == "the update failed unexpectedly: ZeroDivisionError"
    assert "failed" in caplog.text


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


def test_a_publish_beside_the_service_is_seen_within_a_second(world, acme, tmp_path):
    reader = EditionStore(world.backend.database, world.backend.objects, tmp_path / "reader")
    assert reader.current(acme) is None
    done = world.publish(acme).update
    seen = threading.Event()
    for _ in range(20):
        if (edition := reader.current(acme)) is not None:
            assert edition.id == done.edition_id
            return
        seen.wait(0.05)
    pytest.fail("the new edition was not seen")


def test_others_see_nothing(world, acme):
    started = world.updates.create(acme.project_id, "api")
    other = world.deployment("/nowhere", "other")
    assert world.updates.get(started.id, organization_id=acme.organization_id)
    for unknown in (started.id, "up_0000000000000000", "x\0y"):
        with pytest.raises(NotFound):
            world.updates.get(unknown, organization_id=other.organization_id)
    with pytest.raises(NotFound):
        world.updates.create("prj_nowhere", "api")


@pytest.mark.parametrize("before", list(UpdateStatus))
@pytest.mark.parametrize("after", list(UpdateStatus))
def test_only_legal_transitions(world, before, after):
    deployment = world.deployment("/nowhere")
    started = world.updates.create(deployment.project_id, "api")
    if before is not UpdateStatus.QUEUED:
        world.records.advance(started.id, UpdateStatus.IN_PROGRESS)
    if before.is_final:
        world.records.advance(started.id, before)
    if (before, after) in LEGAL:
        world.records.advance(started.id, after)
        assert world.records.get(started.id).status is after
    else:
        with pytest.raises(Conflict):
            world.records.advance(started.id, after)
        assert world.records.get(started.id).status is before


def test_updates_of_a_project_newest_first(world, acme):
    ids = []
    for _ in range(3):
        world.clock.move_to(world.clock.now() + timedelta(seconds=1))
        ids.append(world.updates.create(acme.project_id, "api").id)
    assert [update.id for update in world.updates.of_project(acme.project_id, 2)] == ids[:0:-1]
