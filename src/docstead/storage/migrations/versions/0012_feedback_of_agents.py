"""Whether another assistant says what is wrong with a page."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    column: sa.Column[bool] = sa.Column(
        "by_agent", sa.Boolean(), nullable=False, server_default=sa.false()
    )
    op.add_column("page_feedback", column)
