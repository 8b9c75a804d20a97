"""A database that is full, locked or away: a sentence and 503, never 500."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from docstead.base.errors import StoreUnavailable
from docstead.storage.database import Database


@pytest.fixture
def database(tmp_path: Path) -> Database:
    found = Database(f"sqlite:///{tmp_path / 'a.sqlite'}")
    found.migrate()
    return found


def fill(database: Database) -> None:
    with database.transaction() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        connection.exec_driver_sql("CREATE TABLE a (b TEXT)")
        for _ in range(2000):
            connection.exec_driver_sql("INSERT INTO a VALUES (hex(randomblob(4000)))")


def test_a_full_disk_is_said(database: Database) -> None:
    with pytest.raises(StoreUnavailable, match="disk of the database is full") as raised:
        fill(database)
    assert (raised.value.status, raised.value.headers) == (503, {"Retry-After": "5"})
    database.close()


def test_a_locked_database_is_said(database: Database) -> None:
    other = sqlite3.connect(database.url.database or "", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with database.reading() as connection:
        connection.exec_driver_sql("PRAGMA busy_timeout = 1")
    with pytest.raises(StoreUnavailable, match="locked"), database.transaction():
        pass
    other.close()
    database.close()


def test_a_postgres_that_is_away_is_said() -> None:
    database = Database("postgresql://nobody@127.0.0.1:1/none")
    with pytest.raises(StoreUnavailable, match="cannot be reached"), database.reading():
        pass
    database.close()
