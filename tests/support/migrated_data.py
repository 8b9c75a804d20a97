"""Databases with tables, whose creation takes longer than most tests, and without."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from docstead.jobs import library
from docstead.storage.database import Database

_NAME = "docstead.sqlite"  # of the service, in its data folder


def copy_databases(path: Path) -> None:
    """Write an empty SQLite database to `path`, and that of its jobs in the same folder."""
    shutil.copy(sqlite_template(), path)
    shutil.copy(_jobs_file(sqlite_template()), _jobs_file(path))


def data_with_tables(folder: Path) -> Path:
    """Return the data folder of a service; one without a database gets an empty one."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / _NAME).exists():
        copy_databases(folder / _NAME)
    return folder


@cache
def sqlite_template() -> Path:
    """Return an empty database with tables; that of its jobs is in the same folder."""
    folder = Path(tempfile.mkdtemp(prefix="docstead-template-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    url = f"sqlite:///{folder / _NAME}"
    database = Database(url)
    database.migrate()
    database.close()
    library.migrate(library.jobs_url(url))
    return folder / _NAME


def _jobs_file(path: Path) -> str:
    return str(library.jobs_url(f"sqlite:///{path}").database)


def empty_database(backend: Any, folder: Path) -> Database:
    """Return a database without tables."""
    if backend.is_sqlite:
        return Database(f"sqlite:///{folder}/old.db")
    database = Database(backend.database_url)
    with database.transaction() as connection:
        connection.exec_driver_sql("DROP SCHEMA public CASCADE")
        connection.exec_driver_sql("CREATE SCHEMA public")
    return database
