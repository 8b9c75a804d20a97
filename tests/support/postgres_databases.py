"""Empty PostgreSQL databases with all tables, reused by successive tests.

Copying the template takes a hundred times longer than deleting the few rows of a test.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg

_DELETE = """
DO $$
DECLARE each record;
BEGIN
  SET LOCAL session_replication_role = replica;  -- in any order, whatever refers to them
  FOR each IN SELECT schemaname, tablename FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema')
      AND tablename NOT IN ('alembic_version', 'dbos_migrations')
  LOOP
    EXECUTE format('DELETE FROM %I.%I', each.schemaname, each.tablename);
  END LOOP;
END $$
"""
_DISCONNECT = """
SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
_SCHEMA = """
SELECT (SELECT count(*) FROM pg_class), (SELECT sum(oid::bigint) FROM pg_class WHERE oid > 16383),
  (SELECT count(*) FROM pg_attribute), (SELECT count(*) FROM pg_trigger),
  (SELECT count(*) FROM pg_constraint), (SELECT string_agg(version_num, ' ') FROM alembic_version)
"""


class PostgresDatabases:
    """Databases of one test process; `url_of` gives the URL of a database of the server."""

    def __init__(self, url_of: Callable[[str], str], template: str) -> None:
        self._url_of = url_of
        self._template = template
        self._clean: dict[str, tuple[object, ...]] = {}  # qualified by schema

    @contextmanager
    def one(self) -> Iterator[str]:
        """Yield the URL of a database for exclusive use."""
        name, schema = self._clean.popitem() if self._clean else self._create()
        try:
            yield self._url_of(name)
        finally:
            if self._empty(name) == schema:
                self._clean[name] = schema
            else:
                self._drop(name)

    def close(self) -> None:
        while self._clean:
            self._drop(self._clean.popitem()[0])

    def _create(self) -> tuple[str, tuple[object, ...]]:
        name = f"test_{secrets.token_hex(8)}"
        with psycopg.connect(self._url_of("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {self._template}")
        return name, self._empty(name)

    def _empty(self, name: str) -> tuple[object, ...]:
        """Delete all rows and end all connections; return a digest of the schema."""
        with psycopg.connect(self._url_of(name), autocommit=True) as connection:
            connection.execute(_DISCONNECT)
            connection.execute(_DELETE)
            found = connection.execute(_SCHEMA).fetchone()
        assert found is not None
        return found

    def _drop(self, name: str) -> None:
        with psycopg.connect(self._url_of("postgres"), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
