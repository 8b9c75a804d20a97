"""Tables of rate limits and model usage."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Integer,
    String,
    Table,
)

from docstead.storage.schema.metadata import metadata
from docstead.storage.types import Moment

rate_limits = Table(
    "rate_limits",
    metadata,
    Column("bucket", String, primary_key=True),
    Column("window_start", BigInteger, primary_key=True),  # Unix seconds
    Column("n", Integer, nullable=False),
)

idempotency_keys = Table(
    "idempotency_keys",
    metadata,
    Column("organization_id", String, primary_key=True),
    Column("key", String, primary_key=True),
    Column("fingerprint", String, nullable=False),  # of the first request with the key
    Column("resource_id", String, nullable=False),
    Column("created_at", Moment, nullable=False),
)

model_usage = Table(
    "model_usage",
    metadata,
    Column("day", String, primary_key=True),  # UTC date, such as 2026-11-21
    Column("organization_id", String, primary_key=True),
    Column("model", String, primary_key=True),  # name in the settings
    Column("purpose", String, primary_key=True),  # assistant or agent
    Column("calls", BigInteger, nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    Column("cached_tokens", BigInteger, nullable=False),
)
