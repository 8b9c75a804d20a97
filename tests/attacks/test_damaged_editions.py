"""A damaged edition was never repaired, and updates succeeded while the site was down."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from docstead.base.errors import Unavailable
from docstead.publishing.update_records import UpdateStatus
from docstead.storage.schema import editions
from publishing_world import World
from sampled_cases import one_in

Damage = Callable[[bytes], bytes]


def _flipped(data: bytes) -> bytes:
    """Flip a bit in each half."""
    changed = bytearray(data)
    for position in (len(data) // 3, 2 * len(data) // 3):
        changed[position] ^= 0x10
    return bytes(changed)


def _emptied(_: bytes) -> bytes:
    return b""


def _cut_off(data: bytes) -> bytes:
    return data[: len(data) // 2]


_DAMAGES = pytest.mark.parametrize("damage", one_in(3, [_flipped, _emptied, _cut_off]))


@pytest.fixture
def world(backend: Any, tmp_path: Path) -> World:
    return World(backend, tmp_path)


@_DAMAGES
def test_a_damaged_copy_is_fetched_again(world: World, damage: Damage) -> None:
    acme, node = world.deployment(), world.node()
    node.publish(acme)
    assert "first" in node.shown(acme)
    for copy in node.copies:
        copy.write_bytes(damage(copy.read_bytes()))
    assert "first" in node.shown(acme), "by the process that has it open"
    for copy in node.copies:
        copy.write_bytes(damage(copy.read_bytes()))
    assert "first" in world.node().shown(acme), "after a restart"


@_DAMAGES
def test_publishing_stores_a_damaged_edition_again(world: World, damage: Damage) -> None:
    acme, neighbour, node = world.deployment(), world.deployment("neighbour"), world.node()
    node.publish(acme)
    node.publish(neighbour)
    kept = _objects(world, "editions")
    damaged = _object_of(world, acme.project_id)
    world.backend.objects.put(damaged, damage(kept[damaged]))
    for copy in node.copies:
        copy.unlink()
    restarted = world.node()
    with pytest.raises(Unavailable, match="publish it again"):
        restarted.shown(acme)
    done = restarted.publish(acme)
    assert done.status is UpdateStatus.SUCCESS, done.summary
    assert "first" in restarted.shown(acme)
    assert "first" in world.node("another").shown(acme), "from the objects"
    others = _object_of(world, neighbour.project_id)
    assert _objects(world, "editions")[others] == kept[others]


def test_a_damaged_copy_is_not_taken_for_the_edition_before(world: World) -> None:
    acme, node = world.deployment(), world.node()
    node.publish(acme)
    for copy in node.copies:
        copy.write_bytes(_flipped(copy.read_bytes()))
    world.write("second")
    assert node.publish(acme).status is UpdateStatus.SUCCESS
    assert "second" in node.shown(acme)


def test_an_update_whose_edition_cannot_be_shown_fails(world: World) -> None:
    acme, node = world.deployment(), world.node()
    node.publish(acme)
    world.write("second")
    blocked = node.folder / "editions"
    copies = [(copy, copy.read_bytes()) for copy in node.copies]
    early = node.updates.create(acme.project_id, "api")

    def replace_the_folder(done: int, total: int) -> None:
        """Leave no space for copies once the build runs."""
        if blocked.is_dir():
            for copy, _ in copies:
                copy.unlink()
            blocked.rename(blocked.with_name("moved"))
            blocked.write_bytes(b"")

    assert node.updates.run(early.id, replace_the_folder).update.status is UpdateStatus.FAILURE
    blocked.unlink()
    assert "first" in node.shown(acme)


def test_lost_files_are_stored_again_when_the_same_is_published(world: World) -> None:
    acme, node = world.deployment(), world.node()
    (world.folder / "acme" / "logo.svg").write_text("<svg/>")
    node.publish(acme)
    before = _objects(world, "assets")
    for key in before:
        world.backend.objects.put(key, b"")
    node.publish(acme)
    assert _objects(world, "assets") == before


def _objects(world: World, folder: str) -> dict[str, bytes]:
    objects = world.backend.objects
    return {key: objects.get(key) for key in objects.keys(folder)}


def _object_of(world: World, project_id: str) -> str:
    query = select(editions.c.object_key).where(editions.c.project_id == project_id)
    with world.backend.database.reading() as connection:
        return str(connection.execute(query).scalar_one())
