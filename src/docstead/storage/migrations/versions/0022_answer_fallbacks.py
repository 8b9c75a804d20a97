"""The fallback that readers were shown in place of an answer."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("turns", sa.Column("fallback", sa.String(), nullable=True))
