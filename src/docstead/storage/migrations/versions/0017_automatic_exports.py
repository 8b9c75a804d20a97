"""Exports after each publish."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    chosen: sa.Column[bool] = sa.Column(
        "auto_export", sa.Boolean(), nullable=False, server_default=sa.false()
    )
    op.add_column("deployments", chosen)
    update: sa.Column[str] = sa.Column("update_id", sa.String())
    op.add_column("exports", update)
