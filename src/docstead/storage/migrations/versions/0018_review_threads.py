"""Threads on lines, approvals and viewed files of changes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from docstead.storage.types import Moment

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("side", "thread_id", "turn_id"):
        column: sa.Column[str] = sa.Column(name, sa.String())
        op.add_column("change_comments", column)
    quote: sa.Column[str] = sa.Column("quote", sa.Text())
    op.add_column("change_comments", quote)
    op.create_table(
        "change_approvals",
        sa.Column("change_id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("head_commit", sa.String(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["change_id"], ["changes.id"], name=op.f("fk_change_approvals_change_id")
        ),
        sa.PrimaryKeyConstraint("change_id", "owner_id", name=op.f("pk_change_approvals")),
    )
    op.create_table(
        "change_views",
        sa.Column("change_id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["change_id"], ["changes.id"], name=op.f("fk_change_views_change_id")
        ),
        sa.PrimaryKeyConstraint("change_id", "owner_id", "path", name=op.f("pk_change_views")),
    )
