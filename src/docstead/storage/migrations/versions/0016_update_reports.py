"""The reports of updates, and what updates of commands and archives publish."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("updates", sa.Column("target", sa.JSON(), nullable=True))
    op.create_table(
        "update_reports",
        sa.Column("update_id", sa.String(), nullable=False),
        sa.Column("pages_done", sa.Integer(), nullable=False),
        sa.Column("pages_total", sa.Integer(), nullable=False),
        sa.Column("report", sa.JSON(), nullable=True),
        sa.ForeignKeyConstraint(
            ["update_id"], ["updates.id"], name=op.f("fk_update_reports_update_id_updates")
        ),
        sa.PrimaryKeyConstraint("update_id", name=op.f("pk_update_reports")),
    )
