"""A deployment is removed with everything that belongs to it, and with nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    FromClause,
    Integer,
    LargeBinary,
    String,
    Table,
    insert,
    update,
)

from docstead.analytics.readers import Reader
from docstead.analytics.visits import PageVisit, ViewRecords
from docstead.app.removal import DeploymentRemoval
from docstead.base.errors import Conflict, NotFound
from docstead.publishing.retention import Retention
from docstead.storage.schema import (
    agent_jobs,
    deployments,
    edition_assets,
    editions,
    exports,
    metadata,
    organizations,
    owners,
    page_visits,
    projects,
    updates,
)
from handmade_sites import HandmadeSites
from manual_clock import ManualClock
from neighbours import neighbours, snapshot

FILES = {"a.txt": (b"a", "text/plain")}


class RemovalWorld:
    def __init__(self, backend: Any, clock: ManualClock, tmp_path: Any) -> None:
        self.database, self.objects, self.clock = backend.database, backend.objects, clock
        self.sites = HandmadeSites(self.database, self.objects, tmp_path, clock)
        self.removal = DeploymentRemoval(self.database, self.objects)
        self.acme = self.sites.deployment("acme", "docs.acme.example")
        self.sites.publish(self.acme, ("index",), files=FILES)

    def fill(self) -> None:
        """Store a row in each table that refers to the deployment or its project."""
        known: dict[FromClause, str] = {
            projects: self.acme.project_id,
            organizations: self.acme.organization_id,
        }
        known |= {deployments: self.acme.id, editions: self.shown()}
        for table in metadata.sorted_tables:
            if table not in known and any(key.column.table in known for key in table.foreign_keys):
                row = self._row(table, known)
                with self.database.transaction() as connection:
                    connection.execute(insert(table).values(row))
                known[table] = row.get("id", "")
        self.list_asset()

    def list_asset(self) -> None:
        row = {"edition_id": self.shown(), "sha256": "0" * 64}
        with self.database.transaction() as connection:
            connection.execute(insert(edition_assets).values(row))

    def _row(self, table: Table, known: Mapping[FromClause, str]) -> dict[str, Any]:
        return {column.name: self._value(column, known) for column in table.columns}

    def _value(self, column: Column[Any], known: Mapping[FromClause, str]) -> Any:
        for key in column.foreign_keys:
            return known[key.column.table]
        kinds = (
            (JSON, []), (Boolean, False), (Integer, 7), (Float, 1.0), (LargeBinary, b"x"),
            (String, f"{column.table.name}-{column.name}"),
        )  # fmt: skip
        return next((value for kind, value in kinds if isinstance(column.type, kind)), self.now())

    def now(self) -> Any:
        return self.clock.now()

    def shown(self) -> str:
        return str(self.sites.tenancy.deployment(self.acme.id).current_edition_id)

    def set_state(self, table: Table, status: str) -> None:
        with self.database.transaction() as connection:
            own = table.c.id.not_like("%-foreign-%")
            connection.execute(update(table).where(own).values(status=status))

    def own_rows(self) -> set[str]:
        """Tables with rows that are not copies for neighbours."""
        return {
            table.name
            for table, rows in snapshot(self.database).items()
            if any("-foreign-" not in str(row) for row in rows)
        }


@pytest.fixture
def world(backend: Any, clock: ManualClock, tmp_path: Any) -> RemovalWorld:
    return RemovalWorld(backend, clock, tmp_path)


def test_everything_of_the_last_deployment_goes(world: RemovalWorld) -> None:
    world.fill()
    before = world.own_rows()
    assert len(before) > 25
    with neighbours(world.database):
        world.removal.remove(world.acme)
    assert world.own_rows() == {organizations.name, owners.name, "sessions", "sign_in_links",
                                "known_devices"}  # fmt: skip
    with pytest.raises(NotFound):
        world.sites.tenancy.deployment(world.acme.id)
    again = world.sites.tenancy.create_project(world.acme.organization_id, "acme", "/nowhere")
    world.sites.tenancy.create_deployment(again.id, "acme", "docs.acme.example")


def test_another_deployment_keeps_the_project(world: RemovalWorld) -> None:
    mirror = world.sites.tenancy.create_deployment(world.acme.project_id, "mirror", "m.example")
    world.fill()
    before = world.own_rows()
    with neighbours(world.database):
        world.removal.remove(world.acme)
    gone = {"answer_events", "answer_feedback", "answers", "api_keys", "exports", "former_domains",
            "page_feedback", "page_visits", "searches", "threads", "turns"}  # fmt: skip
    assert before - world.own_rows() == gone
    assert world.sites.tenancy.deployment(mirror.id).id == mirror.id
    with pytest.raises(NotFound):
        world.sites.tenancy.deployment(world.acme.id)


@pytest.mark.parametrize(
    ("table", "status", "what"),
    [
        (updates, "queued", "an update"),
        (updates, "in_progress", "an update"),
        (agent_jobs, "active", "an agent job"),
        (exports, "queued", "an export"),
        (exports, "running", "an export"),
    ],
)
def test_what_runs_prevents_the_removal(
    world: RemovalWorld, table: Table, status: str, what: str
) -> None:
    world.fill()
    world.set_state(table, status)
    before = snapshot(world.database)
    with pytest.raises(Conflict, match=f"acme: {what} has not ended; wait for its end and try"):
        world.removal.remove(world.acme)
    assert snapshot(world.database) == before


@pytest.mark.parametrize(
    ("table", "status"), [(updates, "queued"), (agent_jobs, "active"), (exports, "queued")]
)
def test_what_runs_for_others_prevents_nothing(
    world: RemovalWorld, table: Table, status: str
) -> None:
    world.fill()
    world.set_state(table, status)
    with neighbours(world.database):
        world.set_state(table, "failed")
        world.removal.remove(world.acme)
    with pytest.raises(NotFound):
        world.sites.tenancy.deployment(world.acme.id)


def test_the_files_go_too(world: RemovalWorld) -> None:
    other = world.sites.deployment("other", "docs.other.example")
    world.fill()
    kept = {f"archives/{other.project_id}/a.tar.gz", "links/a"}
    export = "exports-id"  # as `fill` names it
    gone = {f"exports/{export}/bundle.tar.gz", f"archives/{world.acme.project_id}/a.tar.gz"}
    for key in kept | gone:
        world.objects.put(key, b"x")
    world.removal.remove_files()
    stored = set(world.objects.keys())
    assert kept | gone <= stored
    world.removal.remove(world.acme)
    assert stored - set(world.objects.keys()) == gone


def test_editions_and_assets_are_swept_as_unused(world: RemovalWorld) -> None:
    world.list_asset()
    keys = {*world.objects.keys("editions"), *world.objects.keys("assets")}
    assert len(keys) == 2
    world.removal.remove(world.acme)
    other = world.sites.deployment("other", "docs.other.example")
    retention = Retention(
        world.database, world.objects, world.sites.editions, world.clock, kept=2, in_use=tuple
    )
    retention.mark_unused()
    world.clock.move_to(world.clock.now() + timedelta(days=1))
    retention.sweep(other.project_id)
    assert not keys.intersection(world.objects.keys())


def test_views_of_a_removed_deployment_do_not_cost_those_of_others(
    world: RemovalWorld,
) -> None:
    other = world.sites.deployment("other", "docs.other.example")
    visits = ViewRecords(world.database, world.clock)
    for each in (world.acme, other):
        visits.note(PageVisit(each.id, "/", Reader.HUMAN, "192.0.2.1", "Mozilla/5.0"))
    world.removal.remove(world.acme)
    visits.write()
    rows = snapshot(world.database)[page_visits]
    assert [(row["deployment_id"], row["views"]) for row in rows] == [(other.id, 1)]
    visits.note(PageVisit(world.acme.id, "/", Reader.HUMAN, "192.0.2.1", "Mozilla/5.0"))
    visits.write()
    assert snapshot(world.database)[page_visits] == rows


def test_removing_twice_changes_nothing_more(world: RemovalWorld) -> None:
    world.fill()
    world.removal.remove(world.acme)
    before = snapshot(world.database)
    world.removal.remove(world.acme)
    assert snapshot(world.database) == before
