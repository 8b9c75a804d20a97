"""Transition tables."""

from __future__ import annotations

from enum import StrEnum

import pytest
from sqlalchemy import Column, Integer, MetaData, String, Table, create_engine, insert, select

from docstead.base.errors import Conflict
from docstead.storage.transitions import TransitionTable

lamps = Table(
    "lamps",
    MetaData(),
    Column("id", String, primary_key=True),
    Column("state", String),
    Column("uses", Integer),
)


class LampState(StrEnum):
    ON = "on"
    OFF = "off"
    BROKEN = "broken"


LAMP_STATES = TransitionTable(
    "lamp",
    lamps.c.state,
    {
        LampState.ON: frozenset({LampState.OFF}),
        LampState.OFF: frozenset({LampState.ON, LampState.BROKEN}),
        LampState.BROKEN: frozenset(),
    },
)


@pytest.fixture
def connection():
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        lamps.metadata.create_all(connection)
        rows = [{"id": each, "state": LampState.ON, "uses": 0} for each in ("front", "back")]
        connection.execute(insert(lamps), rows)
        yield connection
    engine.dispose()


def rows(connection) -> list[tuple[str, str, int]]:
    return [tuple(row) for row in connection.execute(select(lamps).order_by(lamps.c.id.desc()))]


def test_one_row_moves_with_its_columns(connection) -> None:
    LAMP_STATES.advance(connection, "front", LampState.OFF, uses=1)
    assert rows(connection) == [("front", "off", 1), ("back", "on", 0)]


def test_a_transition_that_the_table_lacks_changes_nothing(connection) -> None:
    with pytest.raises(Conflict, match="the lamp cannot change to broken from its current"):
        LAMP_STATES.advance(connection, "front", LampState.BROKEN, uses=1)
    assert not LAMP_STATES.try_advance(connection, "front", LampState.ON, uses=1)
    assert not LAMP_STATES.try_advance(connection, "side", LampState.OFF)
    assert rows(connection) == [("front", "on", 0), ("back", "on", 0)]


def test_a_final_state_has_none_after_it() -> None:
    assert [each for each in LampState if LAMP_STATES.is_final(each)] == [LampState.BROKEN]
