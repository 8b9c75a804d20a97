"""Alembic, which is imported only where a database is not at the newest version."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

from docstead.storage.database_errors import newer

if TYPE_CHECKING:
    from alembic.config import Config

_MIGRATIONS = Path(__file__).parent / "migrations"
_VERSION = sa.table("alembic_version", sa.column("version_num"))
_DIGITS = 4  # of a version, with which the name of its file begins


def upgrade(connection: sa.Connection) -> None:
    """Bring the schema to the newest version.

    Raises:
        UnusableDatabase: a newer version of the program wrote the database.
    """
    if _version_of(connection) == newest_version():
        return
    from alembic import command
    from alembic.util.exc import CommandError

    try:
        command.upgrade(migration_config(connection), "head")
    except CommandError as error:
        raise newer(connection.engine.url) from error


def migration_config(connection: sa.Connection | None = None) -> Config:
    """Return Alembic's configuration, with the connection that the migrations are to use."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


@cache
def newest_version() -> str:
    """Return the version to which the migrations lead."""
    return max(path.name[:_DIGITS] for path in (_MIGRATIONS / "versions").glob("*.py"))


def _version_of(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table(_VERSION.name):
        return None
    return connection.scalar(sa.select(_VERSION.c.version_num))
