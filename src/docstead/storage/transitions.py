"""Transition tables of the states of rows."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

from sqlalchemy import Column, Connection, update

from docstead.base.errors import Conflict

State = TypeVar("State", bound=StrEnum)


@dataclass(frozen=True)
class TransitionTable(Generic[State]):
    """States of the rows of one table: each with those that may follow it."""

    noun: str  # of a row, for errors
    column: Column[Any]  # of the state
    following: Mapping[State, Set[State]]

    def is_final(self, state: State) -> bool:
        return not self.following[state]

    def advance(self, connection: Connection, row_id: str, state: State, **values: Any) -> None:
        """Move a row to `state` and set these columns; the only writer of its state.

        Raises:
            Conflict: its current state does not allow this.
        """
        if not self.try_advance(connection, row_id, state, **values):
            raise Conflict(f"the {self.noun} cannot change to {state} from its current status")

    def try_advance(self, connection: Connection, row_id: str, state: State, **values: Any) -> bool:
        """Do the same, and report whether the current state allowed it."""
        before = [each for each, following in self.following.items() if state in following]
        table = self.column.table
        moved = connection.execute(
            update(table)
            .where(table.c.id == row_id, self.column.in_(before))
            .values({self.column: state, **values})
        )
        return bool(moved.rowcount)
