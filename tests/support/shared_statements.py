"""Compiled SQL that all databases of a test process share.

SQLAlchemy compiles each statement once for an engine, and most tests have an engine of their own.
"""

from __future__ import annotations

from collections import UserDict
from typing import Any

from sqlalchemy import URL, Engine

from docstead.storage import database

Key = tuple[Any, ...]


class SharedStatements(UserDict[Key, Any]):
    """Cache of compiled statements, whose keys have the name of a dialect instead of the object."""

    def __getitem__(self, key: Key) -> Any:
        return super().__getitem__(_named(key))

    def __contains__(self, key: object) -> bool:
        return isinstance(key, tuple) and super().__contains__(_named(key))

    def __setitem__(self, key: Key, compiled: Any) -> None:
        super().__setitem__(_named(key), compiled)


def share_statements() -> None:
    """Let all engines of `Database` use one cache."""
    create, shared = database._create_engine, SharedStatements()

    def create_engine(url: URL) -> Engine:
        engine = create(url)
        engine.update_execution_options(compiled_cache=shared)
        return engine

    database._create_engine = create_engine


def _named(key: Key) -> Key:
    dialect, *statement = key
    return dialect.name, *statement
