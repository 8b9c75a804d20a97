"""Threads whose answers may quote pages for groups."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for_groups: sa.Column[bool] = sa.Column(
        "for_groups", sa.Boolean(), nullable=False, server_default=sa.false()
    )
    op.add_column("threads", for_groups)
