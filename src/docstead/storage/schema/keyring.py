"""Table of an installation's encrypted keys."""

from __future__ import annotations

from sqlalchemy import Column, String, Table, Text

from docstead.storage.schema.metadata import metadata
from docstead.storage.types import Moment

keyring = Table(
    "keyring",
    metadata,
    Column("id", String, primary_key=True),
    Column("secret_id", String, primary_key=True),  # of the root secret that decrypts this row
    Column("purpose", String, nullable=False),
    Column("wrapped", Text, nullable=False),  # the key, encrypted with that secret; base64
    Column("created_at", Moment, nullable=False),
)
