"""A clock that jumped forward froze publishing: later updates counted as earlier ones."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from sqlalchemy import Connection, Table, column, insert, select, table

from docstead.accounts.tenancy import Deployment
from docstead.publishing.update_records import UpdateRecords
from docstead.storage.migrating import migration_config
from docstead.storage.schema import organizations, projects, updates
from manual_clock import ManualClock
from migrated_data import empty_database
from publishing_world import NOON, PublishingNode, World

HOUR = timedelta(hours=1)


@pytest.fixture
def world(backend: Any, tmp_path: Path) -> World:
    return World(backend, tmp_path)


def test_a_clock_that_went_back_does_not_hold_updates_up(world: World) -> None:
    acme, neighbour = world.deployment(), world.deployment("neighbour")
    node = world.node(ahead=HOUR)
    node.publish(neighbour)
    assert "first" in _published(node, acme)
    node.clock.move_to(node.clock.now() - HOUR)
    world.write("second")
    assert "second" in _published(node, acme)
    assert "first" in node.shown(neighbour)


def test_nodes_whose_clocks_differ_agree_on_the_order(world: World) -> None:
    acme = world.deployment()
    ahead, behind = world.node("ahead", ahead=HOUR), world.node("behind")
    ahead.publish(acme)
    world.write("second")
    behind.publish(acme)
    assert "second" in ahead.shown(acme)
    assert "second" in behind.shown(acme)
    listed = ahead.updates.of_project(acme.project_id)
    assert [update.sequence for update in listed] == [2, 1]


def test_an_update_that_was_created_before_does_not_undo_a_later_one(world: World) -> None:
    acme = world.deployment()
    node = world.node()
    early = node.updates.create(acme.project_id, "api")
    node.clock.move_to(node.clock.now() - HOUR)
    world.write("later")
    node.publish(acme)
    world.write("early")
    done = node.updates.run(early.id).update
    assert "a later update is current" in (done.summary or "")
    assert "later" in node.shown(acme)


def test_stored_updates_keep_their_order(backend: Any, tmp_path: Path) -> None:
    database, now = empty_database(backend, tmp_path), NOON
    with database.transaction() as connection:
        command.upgrade(migration_config(connection), "0012")
        _insert(connection, organizations, id="org_1", name="Acme", plan="pro", created_at=now)
        for project_id in ("prj_1", "prj_2"):
            _insert(connection, projects, id=project_id, organization_id="org_1", name="Acme",
                    source="/nowhere", source_root="", created_at=now)  # fmt: skip
        for number, project_id in ((2, "prj_1"), (1, "prj_1"), (3, "prj_2")):
            _insert(connection, updates, id=f"up_{number}", project_id=project_id, logs=[],
                    status="success", origin="api", created_at=now + number * HOUR)  # fmt: skip
    database.migrate()
    with database.reading() as connection:
        stored = connection.execute(select(updates.c.id, updates.c.sequence)).all()
    assert sorted(map(tuple, stored)) == [("up_1", 1), ("up_2", 2), ("up_3", 1)]
    assert UpdateRecords(database, ManualClock(NOON)).create("prj_1", "api").sequence == 3
    database.close()


def _published(node: PublishingNode, deployment: Deployment) -> str:
    done = node.publish(deployment)
    assert done.status == "success", done.summary
    assert "later update" not in (done.summary or "")
    return node.shown(deployment)


def _insert(connection: Connection, of: Table, **row: object) -> None:
    """Insert a row that names these columns only, as an older version does."""
    columns = (column(name, of.c[name].type) for name in row)
    connection.execute(insert(table(of.name, *columns)).values(row))
