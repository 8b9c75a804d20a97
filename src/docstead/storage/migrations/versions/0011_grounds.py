"""The passages and checks that an answer rests on."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("turns", sa.Column("grounds", sa.JSON(), nullable=True))
