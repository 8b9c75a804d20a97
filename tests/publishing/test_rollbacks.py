"""A deployment goes back to its previous edition, as an update, at once or not at all."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import delete

from docstead.accounts.tenancy import Deployment
from docstead.base.errors import Conflict, NotFound
from docstead.publishing.edition import Edition
from docstead.publishing.retention import Retention
from docstead.publishing.rollbacks import EditionRollbacks
from docstead.publishing.update_records import (
    Update,
    UpdateRecords,
    UpdateStatus,
    is_overtaken,
)
from docstead.storage.schema import editions
from handmade_sites import HandmadeSites
from manual_clock import ManualClock
from neighbours import neighbours
from tenancy_changes import set_current_edition


class RollbackWorld:
    def __init__(self, backend: Any, clock: ManualClock, tmp_path: Any) -> None:
        self.database, self.objects, self.clock = backend.database, backend.objects, clock
        self.sites = HandmadeSites(self.database, self.objects, tmp_path, clock)
        self.records = UpdateRecords(self.database, clock)
        self.acme = self.sites.deployment("acme", "docs.acme.example")
        self.followed: list[Update] = []
        self.on_show: Callable[[Edition], object] = lambda edition: edition.page("index")
        self.rollbacks = EditionRollbacks(
            self.database,
            self.sites.editions,
            clock,
            show=self.show,
            on_published=self.followed.append,
        )

    def show(self, edition: Edition) -> object:
        return self.on_show(edition)

    def publish(self, title: str, deployment: Deployment | None = None) -> str:
        self.clock.move_to(self.clock.now() + timedelta(minutes=1))
        return self.sites.publish(deployment or self.acme, ("index", "more"), title=title)

    def shown(self, deployment: Deployment | None = None) -> str | None:
        found = self.sites.tenancy.deployment((deployment or self.acme).id)
        return found.current_edition_id

    def rollback(self, edition_id: str | None = None) -> Update:
        acme = self.sites.tenancy.deployment(self.acme.id)
        return self.rollbacks.rollback(
            acme, origin="dashboard", actor="owner", edition_id=edition_id
        )

    def updates(self) -> list[Update]:
        return self.records.of_project(self.acme.project_id, 9)


@pytest.fixture
def world(backend: Any, clock: ManualClock, tmp_path: Any) -> RollbackWorld:
    return RollbackWorld(backend, clock, tmp_path)


def test_the_previous_edition_is_shown_and_recorded(world: RollbackWorld) -> None:
    first, second = world.publish("First"), world.publish("Second")
    mirror = world.sites.tenancy.create_deployment(world.acme.project_id, "mirror", "m.example")
    set_current_edition(world.sites.tenancy, world.acme.project_id, second)
    before = world.records.create(world.acme.project_id, "api")
    with neighbours(world.database):
        done = world.rollback()
    assert (world.shown(), world.shown(mirror)) == (first, first)
    assert "First index" in world.sites.editions.current(world.acme).page("index").html
    assert (done.status, done.origin, done.edition_id) == (UpdateStatus.SUCCESS, "dashboard", first)
    assert done.summary == "Rolled back to the edition of 2026-11-21 12:01 UTC by owner"
    assert done.logs == (done.summary,)
    assert done.commit == {
        "sha": "c0ffee",
        "ref": None,
        "message": "",
        "author": None,
        "filesChanged": {"added": [], "modified": [], "removed": []},
    }
    assert (done.sequence, done.ended_at) == (before.sequence + 1, world.clock.now())
    assert world.followed == [done]


def test_each_rollback_goes_one_edition_further(world: RollbackWorld) -> None:
    ids = [world.publish(title) for title in ("First", "Second", "Third")]
    assert [world.rollback(ids[1]).edition_id, world.rollback().edition_id] == [ids[1], ids[0]]
    with pytest.raises(Conflict, match=r"acme: there is no earlier edition; DOCSTEAD_EDITIONS"):
        world.rollback()
    assert world.shown() == ids[0]
    fourth = world.publish("Fourth")
    assert (world.shown(), world.rollback().edition_id) == (fourth, ids[2])


def test_nothing_precedes_the_first_edition(world: RollbackWorld) -> None:
    for _ in range(2):
        with pytest.raises(Conflict, match="there is no earlier edition"):
            world.rollback()
        world.publish("Only")
    set_current_edition(world.sites.tenancy, world.acme.project_id, "ed_gone")
    assert world.rollbacks.previous(world.sites.tenancy.deployment(world.acme.id)) is None
    assert world.updates() == []


def test_an_update_that_began_before_does_not_undo_it(world: RollbackWorld) -> None:
    world.publish("First")
    world.publish("Second")
    running = world.records.create(world.acme.project_id, "api")
    world.records.advance(running.id, UpdateStatus.IN_PROGRESS)
    world.rollback()
    later = world.records.create(world.acme.project_id, "api")
    with world.database.transaction() as connection:
        found = [is_overtaken(connection, each) for each in (running, later)]
    assert found == [True, False]


def test_an_edition_that_the_actor_did_not_expect_is_not_shown(world: RollbackWorld) -> None:
    first, _second, third = (world.publish(title) for title in ("First", "Second", "Third"))
    with pytest.raises(Conflict, match="acme: another edition has become current"):
        world.rollback(first)
    assert (world.shown(), world.updates()) == (third, [])


def test_an_edition_that_is_published_meanwhile_stays(world: RollbackWorld) -> None:
    world.publish("First")
    world.publish("Second")
    world.on_show = lambda _: world.publish("Third")
    with neighbours(world.database), pytest.raises(Conflict, match="has become current"):
        world.rollback()
    assert world.shown() == world.sites.editions.current_id(world.acme.id)
    assert "Third index" in world.sites.editions.current(world.acme).page("index").html
    assert (world.updates(), world.followed) == ([], [])


def test_an_edition_that_is_removed_meanwhile_is_not_shown(world: RollbackWorld) -> None:
    first, second = world.publish("First"), world.publish("Second")

    def remove(_: Edition) -> None:
        with world.database.transaction() as connection:
            connection.execute(delete(editions).where(editions.c.id == first))

    world.on_show = remove
    with neighbours(world.database), pytest.raises(Conflict, match="has become current"):
        world.rollback()
    assert (world.shown(), world.updates()) == (second, [])


def test_an_edition_that_cannot_be_shown_changes_nothing(world: RollbackWorld) -> None:
    first, second = world.publish("First"), world.publish("Second")
    world.objects.delete(f"editions/{first}.sqlite")
    with pytest.raises(NotFound):
        world.rollback()
    assert (world.shown(), world.updates(), world.followed) == (second, [], [])


def test_the_edition_that_is_shown_again_is_kept(world: RollbackWorld) -> None:
    first, second, _third = (world.publish(title) for title in ("First", "Second", "Third"))
    world.rollback()
    world.rollback()
    retention = Retention(
        world.database, world.objects, world.sites.editions, world.clock, kept=2, in_use=tuple
    )
    assert set(retention.sweep(world.acme.project_id).editions) == {second}
    assert world.sites.editions.open(first).slugs() == ("index", "more")
