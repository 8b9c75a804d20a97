"""Origin of each question, and searches."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from docstead.storage.types import Moment

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("turns", sa.Column("channel", sa.String(), server_default="api", nullable=False))
    op.create_index(op.f("ix_turns_created_at"), "turns", ["created_at"], unique=False)
    op.create_table(
        "searches",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("deployment_id", sa.String(), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("results", sa.Integer(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["deployment_id"], ["deployments.id"], name=op.f("fk_searches_deployment_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_searches")),
    )
    op.create_index(
        op.f("ix_searches_deployment_id_created_at"),
        "searches",
        ["deployment_id", "created_at"],
        unique=False,
    )
