"""Updates: from a source to a current edition, over real stores and engine."""

from __future__ import annotations

import json
import threading

import pytest
from sqlalchemy import select

from docstead.publishing.editions import EditionStore
from docstead.publishing.update_records import UpdateStatus
from docstead.storage.schema import editions as editions_table
from neighbours import neighbours
from updates_world import BROKEN, FILES


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
