"""Rows of other tenants, which tests must not change.

`neighbours` copies all rows that a test has stored to a second tenant, in the same states, under
other ids. Rows of `tables` are also copied within the same organization: a second key, thread or
export. At the end every copy must be unchanged.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import JSON, Connection, Integer, String, Table, UniqueConstraint, insert, select
from sqlalchemy.sql import null

from docstead.storage.database import Database
from docstead.storage.schema import metadata

_NUMBERS = 10**9

Row = dict[str, Any]


@dataclass(frozen=True)
class Copies:
    """Ids of the copies, by original id."""

    foreign: Mapping[str, str]
    siblings: Mapping[str, str]


@contextmanager
def neighbours(
    database: Database, tables: Collection[Table] = (), may_change: Collection[Table] = ()
) -> Iterator[Copies]:
    """Store copies of all rows; at the end, check that they are unchanged.

    `may_change` names tables of which only the presence of the copies is checked.
    """
    own = snapshot(database)
    mark = secrets.token_hex(2)
    other, sibling = f"-foreign-{mark}", f"-sibling-{mark}"
    foreign = _ids(own, metadata.sorted_tables, other)
    siblings = _ids(own, tables, sibling)
    with database.transaction() as connection:
        for table in metadata.sorted_tables:
            _store(connection, table, _copies(table, own[table], foreign, other))
        for table in tables:
            renamed = _ids(own, [table], sibling)
            _store(connection, table, _copies(table, own[table], renamed, sibling))
    before = _without(snapshot(database), own)
    yield Copies(foreign, siblings)
    after = snapshot(database)
    for table, rows in before.items():
        for row in rows:
            _check(table, row, after[table], strict=table not in may_change)


def _check(table: Table, row: Row, found: list[Row], *, strict: bool) -> None:
    keys = [column.name for column in table.primary_key]
    same = [each for each in found if all(each[key] == row[key] for key in keys)]
    assert same, f"a row of another in {table.name} is gone: {row}"
    assert not strict or same == [row], f"a row of another in {table.name} has changed"


def snapshot(database: Database) -> dict[Table, list[Row]]:
    """Return all rows of all tables."""
    with database.reading() as connection:
        return {
            table: [dict(row) for row in connection.execute(select(table)).mappings()]
            for table in metadata.sorted_tables
        }


def _without(
    all_rows: Mapping[Table, list[Row]], own: Mapping[Table, list[Row]]
) -> dict[Table, list[Row]]:
    return {
        table: [row for row in rows if row not in own[table]] for table, rows in all_rows.items()
    }


def _ids(rows: Mapping[Table, list[Row]], tables: Iterable[Table], suffix: str) -> dict[str, str]:
    """Return new ids of the rows of these tables, by old id."""
    found = {}
    for table in tables:
        keys = list(table.primary_key)
        if len(keys) == 1 and not keys[0].foreign_keys and isinstance(keys[0].type, String):
            found |= {row[keys[0].name]: row[keys[0].name] + suffix for row in rows[table]}
    return found


def _copies(
    table: Table, rows: Iterable[Row], renamed: Mapping[str, str], suffix: str
) -> Iterator[Row]:
    for row in rows:
        copy = {name: _renamed(value, renamed) for name, value in row.items()}
        if all(_made_unique(names, row, copy, table, suffix) for names in _unique(table)):
            yield copy


def _renamed(value: Any, renamed: Mapping[str, str]) -> Any:
    return renamed.get(value, value) if isinstance(value, str) else value


def _unique(table: Table) -> Iterator[list[str]]:
    """Yield the groups of columns with unique values."""
    yield [column.name for column in table.primary_key]
    for constraint in table.constraints:
        if isinstance(constraint, UniqueConstraint):
            yield [column.name for column in constraint.columns]
    for index in table.indexes:
        if index.unique:
            yield [column.name for column in index.columns]


def _made_unique(names: list[str], row: Row, copy: Row, table: Table, suffix: str) -> bool:
    """Report whether the copy differs in these columns; change it if necessary."""
    if any(row[name] != copy[name] for name in names) or None in [row[name] for name in names]:
        return True
    for name in sorted(names, key=lambda each: not each.endswith("_id")):
        column = table.c[name]
        if isinstance(column.type, String) and not column.foreign_keys:
            copy[name] += suffix
            return True
        if isinstance(column.type, Integer) and not column.foreign_keys:
            copy[name] += 1000 + secrets.randbelow(_NUMBERS)
            return True
    return False


def _store(connection: Connection, table: Table, rows: Iterable[Row]) -> None:
    for row in rows:
        values = {
            name: null() if value is None and isinstance(table.c[name].type, JSON) else value
            for name, value in row.items()
        }
        connection.execute(insert(table).values(values))
