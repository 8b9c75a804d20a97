"""Deletion of a row with all rows that depend on it."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, FromClause, Table, delete, or_, select

from docstead.storage.schema import metadata


def delete_with_dependents(connection: Connection, table: Table, row_id: str) -> None:
    """Delete a row and all rows that refer to it by foreign keys, transitively."""
    chosen: dict[FromClause, ColumnElement[bool]] = {table: table.c.id == row_id}
    tables = metadata.sorted_tables  # each follows the tables that it refers to
    for each in tables:
        references = [
            key.parent.in_(select(key.column).where(chosen[key.column.table]))
            for key in each.foreign_keys
            if each is not table and key.column.table in chosen
        ]
        if references:
            chosen[each] = or_(*references)
    for each in reversed(tables):
        if each in chosen:
            connection.execute(delete(each).where(chosen[each]))
