"""Alembic migrations, imported only if a database is outdated."""

from __future__ import annotations

import logging
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

from docstead.storage.database_errors import newer

if TYPE_CHECKING:
    from alembic.config import Config

_log = logging.getLogger(__name__)
_MIGRATIONS = Path(__file__).parent / "migrations"
_VERSION = sa.table("alembic_version", sa.column("version_num"))
_DIGITS = 4  # of a version, which begins the name of its file


def upgrade(connection: sa.Connection) -> None:
    """Migrate the schema to the newest version.

    Raises:
        UnusableDatabase: a newer version of Docstead wrote the database.
    """
    before = _version_of(connection)
    if before == newest_version():
        return
    from alembic import command
    from alembic.util.exc import CommandError

    try:
        command.upgrade(migration_config(connection), "head")
    except CommandError as error:
        raise newer(connection.engine.url) from error
    url = connection.engine.url
    changed = "prepared" if before is None else f"migrated from version {before}"
    _log.info("database %s %s", url.render_as_string(), changed)


def migration_config(connection: sa.Connection | None = None) -> Config:
    """Return Alembic's configuration for migrations on this connection."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


@cache
def newest_version() -> str:
    """Return the newest schema version."""
    return max(path.name[:_DIGITS] for path in (_MIGRATIONS / "versions").glob("*.py"))


def _version_of(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table(_VERSION.name):
        return None
    return connection.scalar(sa.select(_VERSION.c.version_num))
