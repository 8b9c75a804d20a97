from __future__ import annotations

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import func, insert, select, text, update
from sqlalchemy.exc import IntegrityError, StatementError

from docstead.base.errors import InvalidRequest, StoreUnavailable
from docstead.storage.database import Database
from docstead.storage.schema import metadata, organizations, projects, rate_limits

NOON = datetime(2026, 11, 21, 12, 0, 0, 123456, tzinfo=UTC)


def _organization(name: str = "Acme", created_at: datetime = NOON) -> dict[str, object]:
    return {"id": f"org_{name}", "name": name, "plan": "enterprise", "created_at": created_at}


def _names(database: Database) -> list[str]:
    with database.reading() as connection:
        return list(connection.execute(select(organizations.c.name)).scalars())


def test_the_migrations_make_the_schema(backend) -> None:
    with backend.database.transaction() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []


def test_migrating_again_changes_nothing(backend) -> None:
    with backend.database.transaction() as connection:
        connection.execute(insert(organizations).values(_organization()))
    backend.database.migrate()
    assert _names(backend.database) == ["Acme"]


def test_processes_that_start_together_migrate_once(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/new/docstead.db"
    code = (
        "import sys; from docstead.storage.database import Database as D; D(sys.argv[1]).migrate()"
    )
    processes = [subprocess.Popen([sys.executable, "-c", code, url]) for _ in range(4)]
    assert [process.wait(120) for process in processes] == [0, 0, 0, 0]
    database = Database(url)
    assert _names(database) == []
    database.close()


def test_a_transaction_that_raises_leaves_nothing(backend) -> None:
    def write_and_fail() -> None:
        with backend.database.transaction() as connection:
            connection.execute(insert(organizations).values(_organization()))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_and_fail()
    assert _names(backend.database) == []


def test_a_transaction_that_was_idle_for_too_long_is_an_outage(postgres_backend) -> None:
    def pause() -> None:
        with postgres_backend.database.transaction() as connection:
            connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = '50ms'"))
            time.sleep(0.2)
            connection.execute(text("SELECT 1"))

    with pytest.raises(StoreUnavailable, match="ended a transaction of a paused process"):
        pause()
    assert _names(postgres_backend.database) == []


def test_references_are_checked(backend) -> None:
    row = {
        "id": "prj_1",
        "organization_id": "org_nobody",
        "name": "Docs",
        "source": "/srv",
        "source_root": "",
        "created_at": NOON,
    }
    with pytest.raises(IntegrityError), backend.database.transaction() as connection:
        connection.execute(insert(projects).values(row))


def test_moments_come_back_aware_and_in_utc(backend) -> None:
    elsewhere = NOON.astimezone(timezone(timedelta(hours=5, minutes=30)))
    with backend.database.transaction() as connection:
        connection.execute(insert(organizations).values(_organization(created_at=elsewhere)))
        found = connection.execute(select(organizations.c.created_at)).scalar_one()
    assert found == NOON
    assert found.tzinfo is UTC


def test_naive_moments_are_refused(backend) -> None:
    naive = NOON.replace(tzinfo=None)
    with pytest.raises(StatementError), backend.database.transaction() as connection:
        connection.execute(insert(organizations).values(_organization(created_at=naive)))


def test_text_that_cannot_be_stored_is_an_error_of_the_sender(backend) -> None:
    row = _organization("surrogate \ud800")
    with pytest.raises(InvalidRequest), backend.database.transaction() as connection:
        connection.execute(insert(organizations).values(row))


def test_nul_never_breaks_a_look_up(backend) -> None:
    query = select(organizations).where(organizations.c.id == "org\x00")
    with backend.database.reading() as connection:
        if backend.is_sqlite:
            assert connection.execute(query).first() is None
        else:
            with pytest.raises(InvalidRequest):
                connection.execute(query)


def test_threads_add_up(backend) -> None:
    database = backend.database
    with database.transaction() as connection:
        connection.execute(insert(rate_limits).values(bucket="b", window_start=0, n=0))

    def add(_: int) -> None:
        with database.transaction() as connection:
            query = select(rate_limits.c.n).with_for_update()
            n = connection.execute(query).scalar_one()
            connection.execute(update(rate_limits).values(n=n + 1))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(80)))
    with database.reading() as connection:
        assert connection.execute(select(rate_limits.c.n)).scalar_one() == 80


def test_sqlite_is_set_up_for_neighbours(sqlite_backend) -> None:
    with sqlite_backend.database.reading() as connection:
        settings = {
            name: connection.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "busy_timeout", "foreign_keys")
        }
    assert settings == {
        "journal_mode": "wal",
        "synchronous": 1,
        "busy_timeout": 30_000,
        "foreign_keys": 1,
    }


def test_a_command_waits_for_its_turn_beside_a_running_service(sqlite_backend) -> None:
    service, command = sqlite_backend.database, Database(sqlite_backend.database_url)
    holding, was_read = threading.Event(), threading.Event()

    def hold() -> None:
        with service.transaction() as connection:
            connection.execute(insert(organizations).values(_organization("Service")))
            holding.set()
            assert was_read.wait(120)
            time.sleep(0.5)

    thread = threading.Thread(target=hold)
    thread.start()
    assert holding.wait(120)
    assert _names(command) == [], "readers do not wait, and see only what is committed"
    was_read.set()
    with command.transaction() as connection:
        count = select(func.count()).select_from(organizations)
        assert connection.execute(count).scalar() == 1, "the writer had to wait"
        connection.execute(insert(organizations).values(_organization("Command")))
    thread.join()
    command.close()
    assert sorted(_names(service)) == ["Command", "Service"]


def test_a_writer_inside_a_writer_is_reported_at_once(sqlite_backend) -> None:
    database = sqlite_backend.database
    with (
        pytest.raises(RuntimeError, match="already open"),
        database.transaction(),
        database.transaction(),
    ):
        pass
    with database.transaction() as connection:
        connection.execute(insert(organizations).values(_organization()))
    assert _names(database) == ["Acme"]


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:"])
def test_a_sqlite_database_is_a_file(url: str) -> None:
    with pytest.raises(ValueError, match="must be a file"):
        Database(url)
