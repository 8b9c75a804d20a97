"""Tables of editions and updates."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Integer,
    String,
    Table,
    Text,
    false,
)

from docstead.storage.schema.metadata import metadata
from docstead.storage.types import Moment

editions = Table(
    "editions",
    metadata,
    Column("id", String, primary_key=True),
    Column("project_id", ForeignKey("projects.id"), nullable=False, index=True),
    Column("commit", String, nullable=False),
    Column("object_key", String, nullable=False),
    Column("page_count", Integer, nullable=False),
    Column("rendered_count", Integer, nullable=False),  # pages not copied from the previous edition
    Column("failed_count", Integer, nullable=False),
    Column("vectors_key", String, nullable=True),  # object with its passages' vectors
    Column("created_at", Moment, nullable=False),
    # Sequence of the last update that published it.
    Column("sequence", Integer, nullable=False, server_default="0"),
    # Size of its file and assets; NULL if an older version stored it.
    Column("size_bytes", BigInteger),
    Column("assets_bytes", BigInteger),
    # Whether `edition_assets` has its assets; older versions stored them in its file only.
    Column("assets_listed", Boolean, nullable=False, server_default=false()),
)

edition_assets = Table(
    "edition_assets",
    metadata,
    Column("edition_id", String, primary_key=True),
    Column("sha256", String, primary_key=True, index=True),
    Column("size_bytes", BigInteger),  # NULL if an older version recorded it
)

updates = Table(
    "updates",
    metadata,
    Column("id", String, primary_key=True),  # the API's statusId
    Column("project_id", ForeignKey("projects.id"), nullable=False, index=True),
    Column("status", String, nullable=False),
    Column("origin", String, nullable=False),  # api, dashboard, command, internal
    Column("summary", Text),
    Column("logs", JSON, nullable=False),
    Column("commit", JSON),
    Column("edition_id", String),
    Column("created_at", Moment, nullable=False),
    Column("ended_at", Moment),
    # Order of a project's updates, from 1, independent of clocks; 0 if an older version
    # created it.
    Column("sequence", Integer, nullable=False, server_default="0"),
    # Source and new deployment given by a command or archive; NULL publishes the project's
    # own source.
    Column("target", JSON(none_as_null=True)),
)

update_reports = Table(
    "update_reports",
    metadata,
    Column("update_id", ForeignKey("updates.id"), primary_key=True),
    Column("pages_done", Integer, nullable=False),
    Column("pages_total", Integer, nullable=False),
    Column("report", JSON(none_as_null=True)),  # NULL while the update runs
)
