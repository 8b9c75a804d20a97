"""Configuration of the job library, DBOS.

Each setting prevents a failure that was observed: the executor id is the node's own (nodes with the
same id re-run each other's jobs); the application version is constant (a change strands existing
jobs) and is raised only if stored jobs no longer match their steps; SQLite runs in WAL mode and
belongs to one process; telemetry is off; and queues are polled slowly, because idle polling uses
processor time.
"""

from __future__ import annotations

import fcntl
import logging
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import URL, Engine, ExceptionContext, create_engine, event, make_url
from sqlalchemy.exc import OperationalError

from docstead.base.errors import Conflict
from docstead.jobs import former_names
from docstead.jobs.context import JobKind
from docstead.jobs.queue_claims import watch_ends
from docstead.storage.database import connect_arguments, limit_idle_transactions
from docstead.storage.database_errors import explained

if TYPE_CHECKING:
    from dbos import DBOSClient

APPLICATION = "docstead"
APPLICATION_VERSION = "1"
_SCHEMA = "docstead_jobs"  # schema on PostgreSQL; SQLite has a separate file instead
_POOL_SIZE = 8
_RARELY_SECONDS = 3600.0
_OUTAGES = ("psycopg.OperationalError", "Database connection failed", "Database connection pool")


def jobs_url(database_url: str) -> URL:
    """Return the URL of the job database: `docstead-jobs.db` for `docstead.db`."""
    url = make_url(database_url)
    if url.get_backend_name() != "sqlite":
        return url.set(drivername="postgresql+psycopg")
    path = Path(url.database or "docstead.db")
    return url.set(database=str(path.with_name(f"{path.stem}-jobs{path.suffix}")))


def jobs_engine(url: URL) -> Engine:
    """Return a connection pool for the job database."""
    if url.get_backend_name() != "sqlite":
        engine = create_engine(
            url,
            hide_parameters=True,
            pool_size=_POOL_SIZE,
            max_overflow=4,
            pool_pre_ping=True,
            connect_args=connect_arguments(url),
        )
        event.listen(engine, "connect", limit_idle_transactions)
        event.listen(engine, "handle_error", _mark_unreachable)
        return engine
    Path(url.database or "").parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url, hide_parameters=True, pool_size=_POOL_SIZE)
    event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _mark_unreachable(context: ExceptionContext) -> None:
    """Let the library retry if a server does not accept connections.

    It recognizes some of the driver's messages, but not the one for a missing Unix socket.
    """
    if context.connection is None and isinstance(context.sqlalchemy_exception, OperationalError):
        context.is_disconnect = True


def migrate(url: URL) -> None:
    """Create or migrate the job library's tables.

    Raises:
        UnusableDatabase: an SQLite file is damaged or unusable.
    """
    from dbos import DBOS

    _quieten()
    with explained(url):
        DBOS.migrate(url.render_as_string(hide_password=False), schema=_SCHEMA)


def new_client(engine: Engine) -> DBOSClient:
    """Return a client that starts and lists jobs without running them."""
    from dbos import DBOSClient

    former_names.register()
    return DBOSClient(
        system_database_engine=engine,
        dbos_system_schema=_SCHEMA,
        application_name=APPLICATION,
        retry_connection_errors=False,  # requests do not wait for an unavailable database
    )


def launch(
    engine: Engine,
    url: URL,
    node_id: str,
    kinds: Iterable[tuple[JobKind, Any]],
    *,
    max_recoveries: int,
    ended: Callable[[str], None],
) -> None:
    """Start running jobs in this process, beginning with its unfinished ones.

    `ended` is called with the queue of each job that has ended. The library is a singleton:
    `shut_down` must precede another launch.
    """
    from dbos import DBOS

    _quieten()
    former_names.register()
    dbos = DBOS(
        config={
            "name": APPLICATION,
            "application_version": APPLICATION_VERSION,
            "executor_id": node_id,
            "system_database_url": url.render_as_string(hide_password=False),
            "system_database_engine": engine,
            "dbos_system_schema": _SCHEMA,
            "use_listen_notify": False,
            "notification_listener_polling_interval_sec": 0.25,
            "scheduler_polling_interval_sec": _RARELY_SECONDS,
            "log_level": "WARNING",
        }
    )
    watch_ends(dbos, ended)
    for kind, run in kinds:
        DBOS.workflow(name=kind.workflow, max_recovery_attempts=max_recoveries)(run)
    DBOS.launch()


def shut_down() -> None:
    """Stop the library and its registrations, so that it can be launched again."""
    from dbos import DBOS

    DBOS.destroy(destroy_registry=True)


class FileLock:
    """Restricts an SQLite file of jobs to one process; released when the process ends."""

    def __init__(self, url: URL) -> None:
        self._path = Path(f"{url.database}.lock")
        self._file = -1

    def acquire(self) -> None:
        """Acquire the lock.

        Raises:
            Conflict: another process runs the jobs of this database.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(file)
            raise Conflict(
                f"{self._path}: another service uses this data folder; stop it, or name another "
                "folder with DOCSTEAD_DATA"
            ) from error
        self._file = file

    def release(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


class _WithoutOutages(logging.Filter):
    """Filters connection errors, which every thread of the library logs repeatedly.

    Our own connections to the same database log one line per outage.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        return not any(each in str(record.msg) for each in _OUTAGES)


def _quieten() -> None:
    # The library adds a handler to a logger without handlers; ours propagates to the root
    # logger.
    logger = logging.getLogger("dbos")
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())
        logger.addFilter(_WithoutOutages())
    logger.setLevel(logging.WARNING)


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # Settings of the library's own connections, with WAL in addition.
    connection.isolation_level = "IMMEDIATE"
    connection.execute("PRAGMA busy_timeout = 30000")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")


def check_unused(database_url: str) -> None:
    """Check that no other process runs the jobs of this SQLite database.

    Raises:
        Conflict: one does.
    """
    url = jobs_url(database_url)
    if url.get_backend_name() == "sqlite" and Path(url.database or "").parent.is_dir():
        lock = FileLock(url)
        lock.acquire()
        lock.release()
