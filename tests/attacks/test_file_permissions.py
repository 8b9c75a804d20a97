"""Files of the data folder that others could read, and secrets that were stored plainly."""

from __future__ import annotations

import sqlite3
import stat
from pathlib import Path

import pytest
from sqlalchemy import select

from docstead.app.services import open_services
from docstead.base.clock import SystemClock
from docstead.settings import Settings
from docstead.storage.database import Database
from docstead.storage.schema import webhooks
from docstead.webhooks.records import WebhookRecords

TOKEN = "ghp_TokenOfTheSource"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def stored_before(data: Path) -> tuple[str, str]:
    """The ids of a project and of its webhook in a database from before encryption."""
    settings = Settings(data=data)
    with open_services(settings) as services:
        organization = services.tenancy.create_organization("Acme")
        project = services.tenancy.create_project(organization.id, "Docs", "/docs")
    database = Database(f"sqlite:///{data / 'docstead.sqlite'}")
    hook = WebhookRecords(database, SystemClock()).create(project.id, "https://hook.example")
    with database.transaction() as connection:
        connection.exec_driver_sql(
            "UPDATE projects SET source = ?", (f"https://bot:{TOKEN}@git.example/docs.git",)
        )
    database.close()
    return project.id, hook.id


def others_may(folder: Path) -> list[str]:
    """The files and folders for which others than their owner have a permission."""
    return [
        str(each)
        for each in (folder, *folder.rglob("*"))
        if not each.is_symlink() and stat.S_IMODE(each.stat().st_mode) & 0o077
    ]


def test_new_files_are_private(data: Path) -> None:
    with open_services(Settings(data=data)) as services:
        services.tenancy.create_organization("Acme")
        services.objects.put("exports/one/bundle.tar.gz", b"bundle")
        assert (data / "docstead.sqlite-wal").exists()
        assert others_may(data) == []


def test_old_files_become_private(data: Path) -> None:
    (data / "cache" / "editions").mkdir(parents=True)
    old = [data / "docstead.sqlite", data / "node-id", data / "cache" / "editions" / "ed_1.sqlite"]
    outside = data.parent / "elsewhere.txt"
    for each in (*old, outside):
        each.touch()
        each.chmod(0o644)
    (data / "cache" / "link").symlink_to(outside)
    for each in (data, data / "cache", data / "cache" / "editions"):
        each.chmod(0o755)
    with open_services(Settings(data=data)):
        assert others_may(data) == []
    assert stat.S_IMODE(outside.stat().st_mode) == 0o644


def test_a_file_that_became_readable_is_closed_at_the_next_start(data: Path) -> None:
    with open_services(Settings(data=data)):
        pass
    (data / "docstead.sqlite").chmod(0o644)
    with open_services(Settings(data=data)):
        assert others_may(data) == []


def test_stored_tokens_are_encrypted_at_the_next_start(
    data: Path, stored_before: tuple[str, str]
) -> None:
    project_id, hook_id = stored_before
    database = Database(f"sqlite:///{data / 'docstead.sqlite'}")
    with database.reading() as connection:
        secret = connection.execute(select(webhooks.c.secret)).scalar_one()
    assert secret.startswith("whsec_")
    with open_services(Settings(data=data)) as services:
        records = WebhookRecords(services.database, services.clock, services.keyring.vault)
        assert services.tenancy.project(project_id).source == (
            f"https://bot:{TOKEN}@git.example/docs.git"
        )
        assert records.webhook(hook_id).secret == secret
        made = records.create(project_id, "https://other.example")
        assert records.webhook(made.id).secret == made.secret
    database.close()
    compact(data / "docstead.sqlite")
    content = (data / "docstead.sqlite").read_bytes()
    for text in (TOKEN, secret, made.secret):
        assert text.encode() not in content


def compact(path: Path) -> None:
    """Rewrite the database without deleted data."""
    connection = sqlite3.connect(path)
    connection.execute("VACUUM")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
