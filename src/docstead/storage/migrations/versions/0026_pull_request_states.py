"""States of pull requests on GitHub and GitLab, with the jobs that opened them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from docstead.storage.types import Moment

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("agent_jobs", sa.Column("pr_state", sa.JSON(), nullable=True))
    op.add_column("agent_jobs", sa.Column("pr_seen_at", Moment(), nullable=True))
    op.add_column("agent_jobs", sa.Column("pr_asked_at", Moment(), nullable=True))
