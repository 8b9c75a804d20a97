"""Old editions go; what is current, before it, or in use stays."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from docstead.accounts.tenancy import Deployment
from docstead.base.errors import NotFound
from docstead.publishing.editions import EditionStore
from docstead.publishing.retention import Retention
from handmade_sites import HandmadeSites
from manual_clock import ManualClock
from tenancy_changes import set_current_edition


class RetentionWorld:
    def __init__(self, backend: Any, clock: ManualClock, tmp_path: Any) -> None:
        self.objects, self.clock = backend.objects, clock
        self.sites = HandmadeSites(backend.database, backend.objects, tmp_path, clock)
        self.editions = EditionStore(
            backend.database, backend.objects, tmp_path / "cache", fresh_seconds=0
        )
        self.in_use: set[str] = set()
        self.retention = Retention(
            backend.database,
            backend.objects,
            self.editions,
            clock,
            kept=2,
            in_use=lambda: self.in_use,
        )
        self.acme = self.sites.deployment("acme", "docs.acme.example")

    def publish(self, number: int, deployment: Deployment | None = None) -> str:
        """An edition with a file of its own and one that all have."""
        self.later(timedelta(minutes=1))
        files = {
            "logo.svg": (b"<svg/>", "image/svg+xml"),
            f"{number}.txt": (b"%d" % number, "text/plain"),
        }
        return self.sites.publish(deployment or self.acme, ("index", f"page-{number}"), files=files)

    def later(self, time: timedelta) -> None:
        self.clock.move_to(self.clock.now() + time)

    def sweep(self) -> Any:
        return self.retention.sweep(self.acme.project_id)

    def assets(self) -> set[bytes]:
        return {self.objects.get(key) for key in self.objects.keys("assets")}


@pytest.fixture
def world(sqlite_backend: Any, clock: ManualClock, tmp_path: Any) -> RetentionWorld:
    return RetentionWorld(sqlite_backend, clock, tmp_path)


def test_the_current_edition_and_the_one_before_it_stay(world: RetentionWorld) -> None:
    ids = [world.publish(number) for number in range(4)]
    assert set(world.sweep().editions) == set(ids[:2])
    assert world.editions.open(ids[2]).slugs() == ("index", "page-2")
    assert world.editions.current(world.acme).id == ids[3]
    for gone in ids[:2]:
        with pytest.raises(NotFound):
            world.editions.open(gone)
    assert not [key for key in world.objects.keys("editions") if ids[0] in key]
    assert world.sweep().editions == ()


def test_an_edition_that_is_in_use_stays_until_it_is_not(world: RetentionWorld) -> None:
    ids = [world.publish(number) for number in range(4)]
    world.in_use = {ids[0]}
    assert world.sweep().editions == (ids[1],)
    world.in_use = set()
    assert world.sweep().editions == (ids[0],)


def test_an_older_edition_that_is_current_again_stays(world: RetentionWorld) -> None:
    ids = [world.publish(number) for number in range(4)]
    set_current_edition(world.sites.tenancy, world.acme.project_id, ids[0])
    assert set(world.sweep().editions) == {ids[1], ids[2]}
    assert world.editions.current(world.acme).id == ids[0]


def test_files_go_a_day_after_their_last_edition(world: RetentionWorld) -> None:
    for number in range(4):
        world.publish(number)
    assert world.sweep().assets == ()
    assert world.assets() == {b"<svg/>", b"0", b"1", b"2", b"3"}
    world.later(timedelta(hours=25))
    assert len(world.sweep().assets) == 2
    assert world.assets() == {b"<svg/>", b"2", b"3"}


def test_a_file_that_is_requested_again_stays(world: RetentionWorld) -> None:
    for number in range(4):
        world.publish(number)
    world.sweep()
    world.publish(0)
    world.later(timedelta(hours=25))
    world.sweep()
    assert b"0" in world.assets()


def test_files_that_another_project_has_stay(world: RetentionWorld) -> None:
    other = world.sites.deployment("other", "docs.other.example")
    world.publish(0, other)
    for number in range(4):
        world.publish(number)
    world.sweep()
    world.later(timedelta(hours=25))
    world.sweep()
    assert {b"0", b"<svg/>"} <= world.assets()
    assert b"1" not in world.assets()
    assert world.editions.current(other) is not None


def test_a_sweep_opens_no_edition_of_another_project(
    world: RetentionWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = world.sites.deployment("other", "docs.other.example")
    for number in range(3):
        world.publish(number, other)
    world.retention.mark_unused()  # records the files of their editions
    ours = {world.publish(number) for number in range(4)}
    opened: set[str] = set()
    usual_open = world.editions.open

    def recorded(edition_id: str) -> Any:
        opened.add(edition_id)
        return usual_open(edition_id)

    monkeypatch.setattr(world.editions, "open", recorded)
    assert len(world.sweep().editions) == 2
    assert opened == ours  # these are not recorded yet
