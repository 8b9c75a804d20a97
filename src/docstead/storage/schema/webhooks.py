"""Tables of webhooks and their deliveries."""

from __future__ import annotations

from sqlalchemy import JSON, Column, ForeignKey, Index, String, Table, Text

from docstead.storage.schema.metadata import metadata
from docstead.storage.types import Moment

webhooks = Table(
    "webhooks",
    metadata,
    Column("id", String, primary_key=True),
    Column("project_id", ForeignKey("projects.id"), nullable=False, index=True),
    Column("url", Text, nullable=False),
    Column("secret", Text, nullable=False),
    Column("events", JSON, nullable=False, server_default='["agent"]'),  # their groups
    Column("created_at", Moment, nullable=False),
    Column("removed_at", Moment),
)

webhook_deliveries = Table(
    "webhook_deliveries",
    metadata,
    Column("id", String, primary_key=True),
    Column("webhook_id", ForeignKey("webhooks.id"), nullable=False),
    Column("event", String, nullable=False),
    Column("body", Text, nullable=False),
    Column("status", String, nullable=False),
    Column("attempts", JSON, nullable=False),  # time and result
    Column("created_at", Moment, nullable=False),
    Index(None, "webhook_id", "created_at"),
    Index(None, "status", "created_at"),
)
