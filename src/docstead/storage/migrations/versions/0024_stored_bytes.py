"""Sizes of editions and their files."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table, name in (
        ("editions", "size_bytes"),
        ("editions", "assets_bytes"),
        ("edition_assets", "size_bytes"),
    ):
        op.add_column(table, sa.Column(name, sa.BigInteger(), nullable=True))
