"""The configured database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from docstead.base.errors import InvalidRequest, StoreUnavailable
from docstead.settings import Settings
from docstead.storage.database import Database

_SETTING = "DOCSTEAD_DATABASE_URL"
_SUPPORTED = ("sqlite", "postgres", "postgresql", "postgresql+psycopg")


def database_url(settings: Settings) -> str:
    """Return the database URL, by default SQLite in the data folder.

    Raises:
        InvalidRequest: the URL is neither SQLite nor PostgreSQL.
    """
    _check_url(settings.database_url)
    return settings.database_url or f"sqlite:///{_file_in(settings.data).absolute()}"


def database_file(settings: Settings) -> Path | None:
    """Return the SQLite file in the data folder, or None if a URL is set."""
    return None if settings.database_url else _file_in(settings.data)


def _file_in(data: Path) -> Path:
    return data / "docstead.sqlite"


@contextmanager
def opened_database(settings: Settings) -> Iterator[Database]:
    """Open the database and apply migrations; close it on exit.

    Raises:
        InvalidRequest: the URL is neither SQLite nor PostgreSQL.
        StoreUnavailable: the database cannot be reached; the message names URL and setting.
        UnusableDatabase: an SQLite file is damaged or unusable.
    """
    database = Database(database_url(settings))
    try:
        try:
            database.migrate()
        except StoreUnavailable as error:
            raise StoreUnavailable(_unavailable(database, error)) from error
        yield database
    finally:
        database.close()


def _check_url(url: str) -> None:
    if not url:
        return
    try:
        driver = make_url(url).drivername
    except (ArgumentError, ValueError) as error:
        raise InvalidRequest(f"{_SETTING}: not the URL of a database; {_FORM}") from error
    if driver not in _SUPPORTED:
        raise InvalidRequest(f"{_SETTING}: {driver} is not supported; {_FORM}")


_FORM = "use postgresql://user@host/name or sqlite:////path"


def _unavailable(database: Database, error: StoreUnavailable) -> str:
    """Return a message with the URL (without password), the driver's reason and advice."""
    url = database.url.render_as_string(hide_password=True)
    reason = " ".join(str(error.__cause__ or "").partition("\n")[0].split())
    shown = f" ({reason})" if reason else ""
    advice = "" if database.is_sqlite else f"; {_advice(reason)}"
    return f"{url}: {error.message}{shown}{advice}"


def _advice(reason: str) -> str:
    if "authentication failed" in reason or "no password supplied" in reason:
        return f"correct the user and password in {_SETTING}"
    if "does not exist" in reason:
        return f"create the database, or correct {_SETTING}"
    return f"start it, or correct {_SETTING}"
