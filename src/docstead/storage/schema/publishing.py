"""Editions and updates."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Column,
    ForeignKey,
    Integer,
    String,
    Table,
    Text,
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
    Column("rendered_count", Integer, nullable=False),  # pages not taken from the edition before
    Column("failed_count", Integer, nullable=False),
    Column("vectors_key", String, nullable=True),  # of the object with its passages' vectors
    Column("created_at", Moment, nullable=False),
)

updates = Table(
    "updates",
    metadata,
    Column("id", String, primary_key=True),  # the API's statusId
    Column("project_id", ForeignKey("projects.id"), nullable=False, index=True),
    Column("status", String, nullable=False),
    Column("origin", String, nullable=False),  # the API's `source`: api, dashboard, internal
    Column("summary", Text),
    Column("logs", JSON, nullable=False),
    Column("commit", JSON),
    Column("edition_id", String),
    Column("created_at", Moment, nullable=False),
    Column("ended_at", Moment),
)
