"""Errors of SQLite files at startup, with path and advice."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import URL

from docstead.base.errors import DocsteadError

_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
_FULL = ("SQLITE_FULL", "SQLITE_IOERR")
_CLOSED = ("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM", "SQLITE_AUTH")


class UnusableDatabase(DocsteadError):
    """The database is damaged, inaccessible or of a newer version."""


def newer(url: URL) -> UnusableDatabase:
    """Return the error for a database with an unknown, newer schema."""
    return UnusableDatabase(
        f"{url.database if url.get_backend_name() == 'sqlite' else url.render_as_string()}: "
        "a newer version of Docstead has written this database; start that version, or put a "
        "backup in its place"
    )


@contextmanager
def explained(url: URL) -> Iterator[None]:
    """Convert SQLite errors of this database's file to `UnusableDatabase`."""
    try:
        yield
    except Exception as error:
        causes = (getattr(error, "orig", None), error, error.__cause__, error.__context__)
        found = (_advice(cause) for cause in causes if isinstance(cause, sqlite3.Error))
        advice = next(filter(None, found), "")
        if not advice:
            raise
        raise UnusableDatabase(f"{url.database}: {advice}") from error


def _advice(error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorname", "")
    if code.startswith(_DAMAGED):
        return (
            f"the database is damaged ({error}); put a backup in its place, "
            "or move it away to begin with an empty one"
        )
    if code.startswith(_FULL):
        return f"the database cannot be written ({error}); free some space"
    if code.startswith(_CLOSED):
        return (
            f"the database cannot be opened ({error}); "
            "let the user of this process read and write it"
        )
    return ""
