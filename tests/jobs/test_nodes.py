"""Liveness of several nodes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from sqlalchemy import Engine, func, select, update

from docstead.jobs.library import jobs_engine, jobs_url
from docstead.jobs.nodes import NodeRegistry
from docstead.storage.schema import nodes


@pytest.fixture
def engine(postgres_backend) -> Iterator[Engine]:
    made = jobs_engine(jobs_url(postgres_backend.database_url))
    yield made
    made.dispose()


def _silence(engine: Engine, node_id: str, time: timedelta) -> None:
    since = func.clock_timestamp() - time
    with engine.begin() as connection:
        connection.execute(update(nodes).where(nodes.c.id == node_id).values(heartbeat_at=since))


def _taken_over(node: NodeRegistry) -> list[str]:
    dead: list[str] = []
    node.take_over(dead.extend)
    return sorted(dead)


def test_the_silent_are_taken_over_by_another_and_forgotten_after_a_week(engine: Engine) -> None:
    here, *others = (NodeRegistry(engine, name, 60) for name in ("here", "alive", "silent", "gone"))
    for node in (here, *others):
        node.heartbeat()
    assert _taken_over(here) == []
    others[1].leave()
    _silence(engine, "gone", timedelta(days=8))
    _silence(engine, "here", timedelta(days=8))
    assert _taken_over(here) == ["gone", "silent"]
    with engine.begin() as connection:
        assert set(connection.scalars(select(nodes.c.id))) == {"here", "alive"}


def test_a_node_that_was_silent_for_a_while_is_not_forgotten(engine: Engine) -> None:
    here, silent = NodeRegistry(engine, "here", 60), NodeRegistry(engine, "silent", 60)
    here.heartbeat()
    silent.heartbeat()
    _silence(engine, "silent", timedelta(days=1))
    assert _taken_over(here) == ["silent"]
    with engine.begin() as connection:
        assert set(connection.scalars(select(nodes.c.id))) == {"here", "silent"}
