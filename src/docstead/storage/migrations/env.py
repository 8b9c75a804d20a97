"""Alembic entry point: runs migrations on the connection that `Database.migrate` opened."""

from __future__ import annotations

from alembic import context

from docstead.storage.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
