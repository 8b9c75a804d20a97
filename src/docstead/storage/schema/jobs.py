"""Table of nodes that run jobs."""

from __future__ import annotations

from sqlalchemy import (
    Column,
    String,
    Table,
)

from docstead.storage.schema.metadata import metadata
from docstead.storage.types import Moment

nodes = Table(
    "nodes",
    metadata,
    Column("id", String, primary_key=True),
    Column("heartbeat_at", Moment, nullable=False),
)
