"""Results derived from single pages, kept between exports in an SQLite file.

They are optional: without a result, or if the file cannot be read, it is derived again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path

from docstead.base.units import MIB

_TABLE = (
    "CREATE TABLE IF NOT EXISTS results"
    " (name TEXT PRIMARY KEY, digest TEXT NOT NULL, value BLOB NOT NULL)"
)
_MOST_BYTES = 64 * MIB  # of a file whose results are read ahead

StoredRows = Mapping[str, tuple[str, bytes]]  # digest and value by name


def rows_ahead(path: Path, *, except_for: str) -> StoredRows:
    """Return the rows of a file that is not large, for `StoredResults` a little later.

    Names that begin with `except_for` are left out.
    """
    query = "SELECT name, digest, value FROM results WHERE substr(name, 1, ?) <> ?"
    with suppress(OSError, sqlite3.Error):
        if 0 < path.stat().st_size <= _MOST_BYTES:
            with closing(sqlite3.connect(path, timeout=0)) as connection:
                rows = connection.execute(query, (len(except_for), except_for))
                return {name: (digest, value) for name, digest, value in rows}
    return {}


class StoredResults:
    """Results by name and digest, of one version of the `code`.

    Those that nobody asked for are deleted when it is closed. `ahead` are rows that were read
    before.
    """

    def __init__(self, path: Path, code: str, ahead: StoredRows | None = None) -> None:
        self._ahead = ahead or {}
        self._code = code
        self._used: set[str] = set()
        self._connection = _opened(path)

    def get(self, name: str, digest: str) -> bytes | None:
        self._used.add(name)
        known, value = self._ahead.get(name, ("", b""))
        if known == f"{self._code} {digest}" and isinstance(value, bytes):
            return value
        query = "SELECT value FROM results WHERE name = ? AND digest = ?"
        with suppress(sqlite3.Error):
            found = self._connection.execute(query, (name, f"{self._code} {digest}")).fetchone()
            if found is not None and isinstance(found[0], bytes):
                return found[0]
        return None

    def put(self, name: str, digest: str, value: bytes) -> None:
        self._used.add(name)
        with suppress(sqlite3.Error):  # another export is writing
            row = (name, f"{self._code} {digest}", value)
            self._connection.execute("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", row)

    def keep(self, names: Iterable[str]) -> None:
        self._used.update(names)

    def close(self) -> None:
        with suppress(sqlite3.Error):
            names = {name for (name,) in self._connection.execute("SELECT name FROM results")}
            unused = [(name,) for name in names - self._used]
            self._connection.executemany("DELETE FROM results WHERE name = ?", unused)
            self._connection.commit()
        self._connection.close()


def _opened(path: Path) -> sqlite3.Connection:
    """Open the file, or begin a new one."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
    with suppress(sqlite3.Error):
        return _connected(str(path))
    with suppress(OSError, sqlite3.Error):
        path.unlink(missing_ok=True)
        return _connected(str(path))
    return _connected(":memory:")


def _connected(name: str) -> sqlite3.Connection:
    connection = sqlite3.connect(name, timeout=0)
    try:
        connection.execute("PRAGMA synchronous = OFF")  # a result that is lost is derived again
        connection.execute(_TABLE)
    except sqlite3.Error:
        connection.close()
        raise
    return connection
