"""The forge of a project, and the changes that are reviewed on Docstead's own pages."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from docstead.storage.types import Moment

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("agent_settings", sa.Column("forge", sa.String()))
    op.add_column("agent_settings", sa.Column("credential", sa.Text()))
    op.create_table(
        "changes",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("branch", sa.Text(), nullable=False),
        sa.Column("base", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("draft", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("merge_commit", sa.String(), nullable=True),
        sa.Column("ended_by", sa.Text(), nullable=True),
        sa.Column("base_commit", sa.String(), nullable=True),
        sa.Column("head_commit", sa.String(), nullable=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.Column("ended_at", Moment(), nullable=True),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_changes_project_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_changes")),
        sa.UniqueConstraint("project_id", "number", name=op.f("uq_changes_project_id_number")),
    )
    op.create_index(
        "ix_changes_open_branch",
        "changes",
        ["project_id", "branch"],
        unique=True,
        sqlite_where=sa.text("state = 'open'"),
        postgresql_where=sa.text("state = 'open'"),
    )
    op.create_table(
        "change_comments",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("change_id", sa.String(), nullable=False),
        sa.Column("author", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=True),
        sa.Column("line", sa.Integer(), nullable=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["change_id"], ["changes.id"], name=op.f("fk_change_comments_change_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_change_comments")),
    )
    op.create_index(
        op.f("ix_change_comments_change_id_created_at"),
        "change_comments",
        ["change_id", "created_at"],
        unique=False,
    )
