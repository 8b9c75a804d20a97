"""The page that a reader opened from a search."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("searches", sa.Column("clicked", sa.Text(), nullable=True))
