"""Table of exports."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
)

from docstead.storage.schema.metadata import metadata
from docstead.storage.types import Moment

exports = Table(
    "exports",
    metadata,
    Column("id", String, primary_key=True),
    Column("deployment_id", ForeignKey("deployments.id"), nullable=False),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False),
    Column("edition_id", String, nullable=False),
    Column("status", String, nullable=False),
    Column("progress", Float, nullable=False),
    Column("page_count", Integer, nullable=False),
    Column("version", Text),
    Column("paths", JSON),
    Column("error", Text),
    Column("object_key", String),
    Column("size_bytes", BigInteger),
    Column("created_at", Moment, nullable=False),
    Column("updated_at", Moment, nullable=False),
    Column("update_id", String),  # the preceding update; None if started manually
    Index(None, "deployment_id", "created_at"),
)
