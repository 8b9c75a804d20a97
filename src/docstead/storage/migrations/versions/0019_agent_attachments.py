"""Files that come with instructions for the agent."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "agent_attachments",
        sa.Column("turn_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("media_type", sa.String(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["turn_id"], ["agent_turns.id"], name=op.f("fk_agent_attachments_turn_id")
        ),
        sa.PrimaryKeyConstraint("turn_id", "position", name=op.f("pk_agent_attachments")),
    )
