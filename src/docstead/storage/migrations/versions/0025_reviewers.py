"""Reviewers of pull requests, in the agent settings of a project."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("agent_settings", sa.Column("reviewers", sa.JSON(), nullable=True))
