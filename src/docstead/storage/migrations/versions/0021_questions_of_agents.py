"""Questions of agent jobs to their creators, and plans for approval."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("may_ask", "needs_plan"):
        flag: sa.Column[bool] = sa.Column(
            name, sa.Boolean(), nullable=False, server_default=sa.false()
        )
        op.add_column("agent_jobs", flag)
    question: sa.Column[object] = sa.Column("question", sa.JSON())
    op.add_column("agent_jobs", question)
    answer: sa.Column[str] = sa.Column("answer", sa.Text())
    op.add_column("agent_jobs", answer)
