"""A database at the newest version is opened without Alembic."""

from __future__ import annotations

from alembic.script import ScriptDirectory

from docstead.storage.migrating import migration_config, newest_version


def test_the_newest_version_is_the_one_to_which_all_migrations_lead() -> None:
    assert ScriptDirectory.from_config(migration_config()).get_heads() == [newest_version()]
