"""Feedback on pages, and views."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from docstead.storage.types import Moment

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "answer_feedback",
        sa.Column("status", sa.String(), server_default="pending", nullable=False),
    )
    op.create_table(
        "page_feedback",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("deployment_id", sa.String(), nullable=False),
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("helpful", sa.Boolean(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=True),
        sa.Column("contact", sa.Text(), nullable=True),
        sa.Column("status", sa.String(), server_default="pending", nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["deployment_id"], ["deployments.id"], name=op.f("fk_page_feedback_deployment_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_page_feedback")),
        sa.UniqueConstraint(
            "deployment_id", "token", name=op.f("uq_page_feedback_deployment_id_token")
        ),
    )
    op.create_index(
        op.f("ix_page_feedback_deployment_id_updated_at"),
        "page_feedback",
        ["deployment_id", "updated_at"],
        unique=False,
    )
    op.create_table(
        "page_visits",
        sa.Column("deployment_id", sa.String(), nullable=False),
        sa.Column("hour", Moment(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("reader", sa.String(), nullable=False),
        sa.Column("visitor", sa.String(), nullable=False),
        sa.Column("views", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["deployment_id"], ["deployments.id"], name=op.f("fk_page_visits_deployment_id")
        ),
        sa.PrimaryKeyConstraint(
            "deployment_id", "hour", "path", "reader", "visitor", name=op.f("pk_page_visits")
        ),
    )
    op.create_table(
        "visit_salts",
        sa.Column("day", sa.String(), nullable=False),
        sa.Column("salt", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("day", name=op.f("pk_visit_salts")),
    )
