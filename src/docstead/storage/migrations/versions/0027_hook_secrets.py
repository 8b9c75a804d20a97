"""Rotations of the secret with which a forge signs the webhook of a project."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    number: sa.Column[int] = sa.Column(
        "hook_secret_number", sa.Integer(), nullable=False, server_default="0"
    )
    op.add_column("projects", number)
