"""Database access, SQLite or PostgreSQL, in short transactions.

SQLite runs in WAL mode and writing transactions start with BEGIN IMMEDIATE, so a command that runs
in parallel to a service waits instead of failing midway. A transaction that raises is rolled back.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import URL, Connection, Engine, ExceptionContext, create_engine, event, make_url
from sqlalchemy.exc import TimeoutError as PoolTimeout

from docstead.base.errors import InvalidRequest, StoreUnavailable
from docstead.base.throttled_log import ThrottledLog
from docstead.storage.database_errors import explained
from docstead.storage.migrating import upgrade

_log = logging.getLogger(__name__)
_outages = ThrottledLog(_log)
_BUSY_TIMEOUT_MS = 30_000
_PRIMARY_CODE = 0xFF  # SQLite's extended codes contain the primary code in their low byte
_SQLITE_OUTAGES = {
    sqlite3.SQLITE_BUSY: "the database is locked; try again later",
    sqlite3.SQLITE_LOCKED: "the database is locked; try again later",
    sqlite3.SQLITE_FULL: "the disk of the database is full; free some space on it",
    sqlite3.SQLITE_IOERR: "the disk of the database does not work",
    sqlite3.SQLITE_READONLY: "the database cannot be written to",
    sqlite3.SQLITE_CANTOPEN: "the database cannot be opened",
}
_NOT_CONNECTED = "08"  # class of connection errors; the client's have no code
IDLE_TRANSACTION_STATE = "25P03"
_POSTGRES_OUTAGES = (
    ("53100", "the disk of the database is full; free some space on it"),
    ("53", "the database has no room for another connection"),
    ("57P", "the database is shutting down"),
    (IDLE_TRANSACTION_STATE, "the database ended a transaction of a paused process"),
    (_NOT_CONNECTED, "the database cannot be reached"),
)
_AWAY_SECONDS = 1.0  # seconds during which an unresponsive database is not contacted again
_CONNECT_SECONDS = 5
_IDLE_TRANSACTION = "SET idle_in_transaction_session_timeout = '30s'"  # for paused nodes
_MIGRATION_LOCK = 0x646F6373  # an arbitrary number, the same in every process
_BEGIN = "docstead_begin"


class Database:
    """Connection pool for `sqlite:///path` or `postgresql://…`."""

    def __init__(self, url: str) -> None:
        self.url = _with_driver(url)
        self._engine = _create_engine(self.url)
        self._writer = _WriterLock() if self.is_sqlite else None
        self._away_until = float("-inf")

    @property
    def is_sqlite(self) -> bool:
        return self.url.get_backend_name() == "sqlite"

    def migrate(self) -> None:
        """Migrate the schema to the newest version; concurrent processes take turns.

        Raises:
            UnusableDatabase: an SQLite file is damaged or unusable, or a newer version of Docstead
                wrote the database.
        """
        with explained(self.url), self.exclusive(_MIGRATION_LOCK) as connection:
            upgrade(connection)

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Yield a writing transaction: committed at the end of the block, rolled back on errors."""
        if self._writer is None:
            with self._connected() as connection, connection.begin():
                yield connection
        else:
            with self._writer.taken(), self._begin("BEGIN IMMEDIATE") as connection:
                yield connection

    @contextmanager
    def exclusive(self, lock: int) -> Iterator[Connection]:
        """Yield a writing transaction that excludes others with the same `lock` on all nodes."""
        with explained(self.url), self.transaction() as connection:
            if not self.is_sqlite:
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({lock})")
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield a read-only transaction, which neither waits for writers nor blocks them."""
        with self._begin("BEGIN") as connection:
            yield connection

    def close(self) -> None:
        self._engine.dispose()

    @contextmanager
    def _begin(self, statement: Literal["BEGIN", "BEGIN IMMEDIATE"]) -> Iterator[Connection]:
        with self._connected() as connection:
            prepared = connection.execution_options(**{_BEGIN: statement})
            with prepared.begin():
                yield prepared

    def _connected(self) -> Connection:
        if time.monotonic() < self._away_until:
            raise StoreUnavailable("the database cannot be reached")
        try:
            return self._engine.connect()
        except PoolTimeout as error:
            raise StoreUnavailable("all connections to the database are in use") from error
        except StoreUnavailable:
            if not self.is_sqlite:
                self._away_until = time.monotonic() + _AWAY_SECONDS
            raise


class _WriterLock:
    """Lock of this process's only writer, because SQLite would make others poll."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner: int | None = None

    @contextmanager
    def taken(self) -> Iterator[None]:
        if self._owner == threading.get_ident():
            raise RuntimeError("a writing transaction is already open in this thread")
        if not self._lock.acquire(timeout=_BUSY_TIMEOUT_MS / 1000):
            raise StoreUnavailable(_SQLITE_OUTAGES[sqlite3.SQLITE_BUSY])
        self._owner = threading.get_ident()
        try:
            yield
        finally:
            self._owner = None
            self._lock.release()


def _with_driver(url: str) -> URL:
    parsed = make_url(url)
    if parsed.drivername in ("postgres", "postgresql"):
        return parsed.set(drivername="postgresql+psycopg")
    return parsed


def _create_engine(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        engine = create_engine(
            url, hide_parameters=True, pool_pre_ping=True, connect_args=connect_arguments(url)
        )
        event.listen(engine, "connect", limit_idle_transactions)
        event.listen(engine, "handle_error", _refuse_unstorable_text)
        event.listen(engine, "handle_error", _name_outage)
        return engine
    if not url.database or url.database == ":memory:":
        raise ValueError("the SQLite database must be a file")
    Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    timeout = {"timeout": _BUSY_TIMEOUT_MS / 1000}
    engine = create_engine(url, hide_parameters=True, connect_args=timeout)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    event.listen(engine, "handle_error", _refuse_unstorable_text)
    event.listen(engine, "handle_error", _name_outage)
    return engine


def connect_arguments(url: URL) -> dict[str, Any]:
    """Return a connection timeout for PostgreSQL, unless the URL has one."""
    return {} if "connect_timeout" in url.query else {"connect_timeout": _CONNECT_SECONDS}


def limit_idle_transactions(connection: Any, _record: object) -> None:
    """Let the server end transactions that a paused node has left open."""
    connection.execute(_IDLE_TRANSACTION)
    connection.commit()


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # The driver must not open transactions itself: `_begin_sqlite` chooses their kind.
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_MS}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN, "BEGIN IMMEDIATE"))


def _refuse_unstorable_text(context: ExceptionContext) -> None:
    # External text may contain values that columns reject, which is the sender's error.
    error = context.original_exception
    if isinstance(error, UnicodeEncodeError) or "NUL (0x00)" in str(error):
        raise InvalidRequest("text must not contain NUL or surrogate characters") from error


def _name_outage(context: ExceptionContext) -> None:
    """Convert connection errors to StoreUnavailable, logged once a minute."""
    reason = None if context.is_pre_ping else _outage(context.original_exception)
    if reason is not None:
        _outages.warning("%s (%s)", reason, str(context.original_exception).partition("\n")[0])
        raise StoreUnavailable(reason) from context.original_exception


def _outage(error: BaseException) -> str | None:
    if isinstance(error, sqlite3.OperationalError):
        return _SQLITE_OUTAGES.get(error.sqlite_errorcode & _PRIMARY_CODE)
    import psycopg  # takes a while, and file databases do not need it

    idle = psycopg.errors.IdleInTransactionSessionTimeout
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError | idle):
        state = error.sqlstate or _NOT_CONNECTED
        return next((text for code, text in _POSTGRES_OUTAGES if state.startswith(code)), None)
    return None
