"""A database at the newest version is opened without Alembic."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from alembic.script import ScriptDirectory

from docstead.storage.migrating import migration_config, newest_version

MIGRATE = """
import sys
from docstead.cli.logs import configure_logging
from docstead.storage.database import Database
configure_logging("info")
Database(sys.argv[1]).migrate()
"""


def test_only_the_first_start_logs_that_the_database_is_prepared(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/docstead.db"
    command = [sys.executable, "-c", MIGRATE, url]
    first, second = (
        subprocess.run(command, capture_output=True, text=True, check=True).stderr for _ in "ab"
    )
    (line,) = first.splitlines()
    assert line.endswith(f"INFO docstead.storage.migrating: database {url} prepared")
    assert second == ""


def test_the_newest_version_is_the_one_to_which_all_migrations_lead() -> None:
    assert ScriptDirectory.from_config(migration_config()).get_heads() == [newest_version()]
